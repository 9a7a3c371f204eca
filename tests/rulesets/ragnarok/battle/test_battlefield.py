"""The battlefield: classes of terrain, being in it, sight through it, standing on it, and laying it."""

from __future__ import annotations

from typing import Any

import pytest

from campale.mechanics.setup.agreed import BY_LOT
from campale.mechanics.setup.laying import lay
from campale.referee.position import Position
from campale.referee.question import Question
from campale.rulesets.ragnarok.armies.setting_out import ground_of
from campale.rulesets.ragnarok.basics.sight import lines_to
from campale.rulesets.ragnarok.battle import battlefield, preparation
from campale.rulesets.ragnarok.battle.laying import lay_by_lot, lay_by_player, lay_standard, piece_at
from campale.rulesets.ragnarok.battle.scenery import SCENERY, layout_named, scenery_piece
from campale.rulesets.ragnarok.close_combat.engagement import is_engaged
from campale.rulesets.ragnarok.moving.movement import movement_left, path_refusal, walk_of
from campale.table import sight
from campale.table.outlines import centre_of, overlap, rectangle
from campale.table.paths import Path
from campale.table.terrain import Ground, Piece
from tests.rulesets.ragnarok.kit import a, first_question, piece, play, question_after, table


@pytest.mark.covers("battlefield/size")
def test_the_table_is_a_square_of_120_cm() -> None:
    assert battlefield.size() == (120.0, 120.0)
    ground = ground_of(BY_LOT)
    assert (ground.width, ground.depth) == (120.0, 120.0)


# ---------------------------------------------------------------- classes, being in a piece


@pytest.mark.covers("battlefield/terrain-classes", "battlefield/scenery-class")
@pytest.mark.parametrize("kind", SCENERY)
def test_every_piece_is_either_rough_or_impassable_and_never_clear(kind: str) -> None:
    is_rough = kind not in ("boulder", "workshop", "frozen_pond")
    laid = piece(kind, 60, 60)
    assert (battlefield.is_rough(laid), battlefield.is_impassable(laid)) == (is_rough, not is_rough)


@pytest.mark.covers("battlefield/terrain-classes", "battlefield/scenery-class")
def test_clear_ground_is_crossed_without_a_die_and_rough_ground_with_one() -> None:
    way = Path(((60.0, 40.0), (60.0, 50.0)))
    clear = table(walker := a("raider", at=(60, 40)))
    assert play(movement_left(clear.model(0), way, 13.0)).value == 13.0
    rough = table(walker, pieces=[piece("bog", 60, 47)])
    assert play(movement_left(rough.model(0), way, 13.0), dice="4").value == 9.0


@pytest.mark.covers("battlefield/terrain-classes", "battlefield/scenery-class", "special/flyer-move")
@pytest.mark.parametrize("kind", ["frozen_pond", "bog"])
@pytest.mark.parametrize("flies", [False, True])
def test_impassable_ground_cannot_be_entered_but_can_be_flown_over(kind: str, flies: bool) -> None:
    position = table(a("iron_raven", at=(60, 40)), pieces=[piece(kind, 60, 52)])
    refusal = path_refusal(walk_of(position.model(0), Path(((60.0, 40.0), (60.0, 63.0))), 24.0, flies))
    assert (refusal is None) == (flies or kind == "bog")
    landing = path_refusal(walk_of(position.model(0), Path(((60.0, 40.0), (60.0, 52.0))), 24.0, flies))
    assert (landing is None) == (kind == "bog")


@pytest.mark.covers("battlefield/in-terrain")
@pytest.mark.parametrize(
    ("x", "is_in", "touches"),
    [(60.0, True, True), (67.24, True, True), (67.25, False, True), (67.3, False, True), (67.31, False, False)],
)
def test_a_model_is_in_a_piece_that_its_base_overlaps_and_in_contact_up_to_half_a_millimetre(
    x: float, is_in: bool, touches: bool
) -> None:
    ruin = piece("ruin", 60, 60)
    model = table(a("raider", at=(x, 60)), pieces=[piece("wood", 20, 20), ruin]).model(0)
    assert battlefield.is_in(model, ruin) is is_in
    assert battlefield.touched_pieces(model) == [ruin] * touches


@pytest.mark.covers("battlefield/in-terrain")
def test_a_model_at_a_corner_of_the_box_of_a_piece_is_not_in_it() -> None:
    turned = piece("ruin", 60, 60, 45)
    model = table(a("raider", at=(67, 67)), pieces=[turned]).model(0)
    assert not battlefield.is_in(model, turned)


# ---------------------------------------------------------------- battlefield/opacity


def slab(width: float, opacity: str, x: float = 60.0, height: float = 6.0) -> Piece:
    """A piece so wide along x, across the line from (40, 60) to (80, 60)."""
    outline = rectangle(x, 60.0, width, 30.0)
    return Piece(name=f"slab-{x:g}", kind="slab", outline=outline, height=height, tags=("rough", opacity))


def seen_through(*pieces: Piece, x: float = 40.0) -> tuple[bool, bool]:
    """Whether any line from (x, 60) to (80, 60) is free, and whether all are clear."""
    position = table(a("raider", at=(x, 60), facing=90), a("raider", 1, at=(80, 60)), pieces=pieces)
    lines = lines_to(position.model(0), position.model(1))
    return lines.any_free, lines.all_clear


@pytest.mark.covers("battlefield/opacity")
def test_a_solid_piece_blocks_over_any_length_and_a_flat_one_never() -> None:
    assert seen_through() == (True, True)
    assert seen_through(slab(0.1, "solid")) == (False, False)
    assert seen_through(slab(20.0, "flat")) == (True, True)


@pytest.mark.covers("battlefield/opacity")
@pytest.mark.parametrize(("width", "is_free"), [(4.9, True), (5.0, True), (5.01, False)])
def test_a_screen_veils_up_to_five_centimetres_and_blocks_beyond(width: float, is_free: bool) -> None:
    assert seen_through(slab(width, "screen")) == (is_free, False)


@pytest.mark.covers("battlefield/opacity")
@pytest.mark.parametrize(("second", "is_free"), [(2.5, True), (2.51, False)])
def test_the_lengths_in_all_screens_are_added(second: float, is_free: bool) -> None:
    assert seen_through(slab(2.5, "screen", 55.0), slab(second, "screen", 65.0)) == (is_free, False)


@pytest.mark.covers("battlefield/opacity")
@pytest.mark.parametrize(("width", "seen"), [(4.0, (True, True)), (5.0, (True, False)), (5.01, (False, False))])
def test_the_screen_that_the_viewer_touches_does_not_veil_but_its_length_counts(
    width: float, seen: tuple[bool, bool]
) -> None:
    # The oblique lines of the nine are a little longer than the slab is wide: at 5 cm they are blocked already.
    assert seen_through(slab(width, "screen", 41.25 + width / 2)) == seen
    away = seen_through(slab(width, "screen", 41.36 + width / 2))
    assert away == (seen[0], False)


@pytest.mark.covers("battlefield/opacity")
def test_a_line_above_a_piece_does_not_meet_it() -> None:
    assert seen_through(slab(1.0, "solid", height=1.5)) == (True, False)
    assert seen_through(slab(1.0, "solid", height=0.2)) == (True, True)


@pytest.mark.covers("battlefield/opacity")
def test_the_pieces_of_the_table_are_solid_screens_or_flat() -> None:
    ground = Ground(120.0, 120.0, tuple(scenery_piece(kind, (60, 60), name=kind) for kind in SCENERY))
    words = {"solid": sight.SOLID, "screen": sight.SCREEN, "flat": sight.NOTHING}
    assert battlefield.opacity(ground).tolist() == [words[row.sight] for row in SCENERY.values()]


# ---------------------------------------------------------------- battlefield/elevation


@pytest.mark.covers("battlefield/elevation")
@pytest.mark.parametrize(
    ("kind", "x", "z"), [("hill", 60, 3), ("hill", 70, 3), ("hill", 70.1, 0), ("wood", 60, 0), ("ruin", 60, 0)]
)
def test_a_model_stands_at_three_centimetres_when_its_centre_is_on_a_hill(kind: str, x: float, z: float) -> None:
    assert table(a("raider", at=(x, 60)), pieces=[piece(kind, 60, 60)]).model(0).z == z


@pytest.mark.covers("battlefield/elevation")
@pytest.mark.parametrize(("gap", "touch"), [(0.0, True), (0.05, True), (0.06, False)])
def test_models_at_different_heights_are_in_contact_when_their_horizontal_gap_is_nothing(
    gap: float, touch: bool
) -> None:
    above, below = a("raider", at=(69, 60)), a("raider", 1, at=(71.5 + gap, 60))
    position = table(above, below, pieces=[piece("hill", 60, 60)])
    assert (position.model(0).z, position.model(1).z) == (3, 0)
    assert is_engaged(position.model(0)) is touch


# ---------------------------------------------------------------- battlefield/placement


def bare(width: float, depth: float, scenery: str = "lot") -> Position:
    position = table(phase="scenery", scenery=scenery)
    position.ground = Ground(width, depth)
    return position


@pytest.mark.covers("battlefield/placement")
def test_a_piece_is_laid_by_lot_or_where_a_player_wants_it() -> None:
    position = bare(40, 40)
    drawn = play(lay_by_lot(position, 0), dice="1 0")
    assert [question.prompt for question in drawn.questions] == ["scenery-kind", "scenery-place"]
    placed = play(lay_by_player(position, 1, [0]), answers=[[0, "low_wall", [30, 35, 90]]])
    assert placed.questions[0].side == 1
    assert [part.kind for part in position.ground.pieces] == ["ruin", "low_wall"]


@pytest.mark.covers("battlefield/placement")
def test_all_the_d3_are_rolled_first_one_for_each_square_of_the_table() -> None:
    position = bare(120, 120)
    played = play(lay_standard(position), dice="1 1 1 1 1 1 1 1 1 |" + " 0 0" * 9, position=position)
    assert [question.kind for question in played.questions] == ["roll"] * 9 + ["draw", "draw"] * 9
    assert [question.about["square"] for question in played.questions[:9]] == list(range(9))
    assert played.prompts == []
    centres = [centre_of(part.outline) for part in position.ground.pieces]
    assert [(x // 40, y // 40) for x, y in centres] == [(x, y) for y in range(3) for x in range(3)]


@pytest.mark.covers("battlefield/placement")
@pytest.mark.parametrize(("die", "count"), [(2, 1), (3, 2), (5, 3)])
def test_a_square_has_d3_pieces_and_never_the_same_kind_twice(die: int, count: int) -> None:
    position = bare(40, 40)
    played = play(lay_standard(position), dice=f"{die} |" + " 0 0" * count, position=position)
    assert [part.kind for part in position.ground.pieces] == list(SCENERY)[:count]
    pools = [question.extent()["of"] for question in played.questions if question.prompt == "scenery-kind"]
    assert pools == [9, 8, 7][:count]


@pytest.mark.covers("battlefield/placement")
@pytest.mark.parametrize(("width", "count"), [(40.0, 1), (80.0, 2), (80.5, 3), (120.0, 3)])
def test_part_squares_at_the_edge_count_as_whole(width: float, count: int) -> None:
    rolls = 1
    rule = lay_standard(bare(width, 40))
    question = first_question(rule)
    while question.kind == "roll" and rolls <= count:
        question = rule.send(question.understood([1]))
        rolls += 1
    assert rolls == count + 1
    assert question.kind == "draw"


@pytest.mark.covers("battlefield/placement")
def test_pieces_laid_by_lot_are_wholly_on_the_table_and_over_no_other() -> None:
    position = bare(40, 40)
    play(lay_standard(position), dice="6 | 5 0 | 0 0 | 0 0", position=position)
    pieces = position.ground.pieces
    assert len(pieces) == 3
    assert all(0 <= x <= 40 and 0 <= y <= 40 for part in pieces for x, y in part.outline)
    assert not any(overlap(one.outline, two.outline) for one in pieces for two in pieces if one is not two)


@pytest.mark.covers("battlefield/placement")
def test_the_players_lay_one_piece_each_in_turn_player_one_first() -> None:
    position = bare(80, 40, "players")
    answers = [[0, "wood", [10, 10, 0]], [1, "wood", [60, 20, 45]], [0, "ruin", [30, 30]]]
    played = play(lay_standard(position), dice="3 1", answers=answers, position=position)
    assert [question.side for question in played.questions if not question.is_chance] == [0, 1, 0]
    assert [part.kind for part in position.ground.pieces] == ["wood", "wood", "ruin"]
    assert position.ground.pieces[1].outline == scenery_piece("wood", (60, 20), 45).outline
    assert played.cites("battlefield/placement")


@pytest.mark.covers("battlefield/placement")
def test_a_piece_is_laid_only_in_a_square_that_still_lacks_pieces_and_of_a_kind_that_it_lacks() -> None:
    position = bare(80, 40, "players")
    full = question_after(lay_standard(position), "3 1", [[0, "wood", [10, 10, 0]], [1, "wood", [60, 20, 0]]])
    assert full.refusal([1, "ruin", [50, 30, 0]]) is not None
    assert full.refusal([0, "wood", [30, 30, 0]]) is not None
    assert full.refusal([0, "ruin", [30, 30, 0]]) is None


def laying_in_first_square(kind: str, at: list[Any]) -> tuple[Question, list[Any]]:
    position = bare(80, 40, "players")
    lay(position, piece_at("bog", [34, 30, 0], "s0-bog"))
    return first_question(lay_by_player(position, 0, [0])), [0, kind, at]


@pytest.mark.covers("battlefield/placement")
@pytest.mark.parametrize(
    ("at", "is_legal"),
    [
        ([7.5, 7.5, 0], True),  # in the corner of the table
        ([7.49, 7.5, 0], False),
        ([7.5, 7.49, 0], False),
        ([7.5, 32.5, 0], True),
        ([7.5, 32.51, 0], False),
        ([39.9, 10, 0], True),  # its centre in the square, part of it in the next
        ([40, 10, 0], False),
        ([20.5, 30, 0], True),  # beside the bog, which begins at 28
        ([20.51, 30, 0], False),
        ([7.5, 20, 45], False),  # turned, its corner is over the edge
        ([10.7, 20, 45], True),
    ],
)
def test_a_piece_lies_wholly_on_the_table_its_centre_in_the_square_and_over_no_other(
    at: list[float], is_legal: bool
) -> None:
    question, answer = laying_in_first_square("wood", at)
    refusal = question.refusal(answer)
    assert (refusal is None) is is_legal
    assert refusal is None or refusal.rule == "battlefield/placement"


@pytest.mark.covers("battlefield/placement")
@pytest.mark.parametrize(("scenery", "pieces"), [("lot", 0), ("foundry", 15)])
def test_the_standard_rule_is_used_unless_the_players_have_agreed_on_a_layout(scenery: str, pieces: int) -> None:
    position = table(phase="scenery", scenery=scenery)
    laid = layout_named("foundry")[:pieces]
    position.ground = Ground(120.0, 120.0, laid)
    if pieces:
        assert play(preparation.lay_scenery(position)).questions == []
        assert position.ground.pieces == laid
    else:
        assert first_question(preparation.lay_scenery(position)).prompt == "scenery"
