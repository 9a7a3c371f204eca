/** The answer in progress: fields filled in so far, models moved or picked, marks on the board. It judges nothing. */

import { begun } from '../answers/allotting';
import { answerNow, firstNumber, firstOption, proposals } from '../answers/current';
import { isAim, laidNow } from '../answers/laid';
import { marked } from '../answers/marking';
import { isOpen, NOTHING_PICKED, same } from '../answers/options';
import { Path, onlyAnswer, type Level, type Return, type Step } from '../answers/path';
import { toldAnswer } from '../answers/told';
import { answered, isMoved, rounded, standing, type XY } from '../answers/ways';
import { Laying } from './laying.svelte';
import type { Option, Plain, Sheet } from '../net/wire';

export { endOf, lengthOf, type Moved, type Standing, type Wish, type XY } from '../answers/ways';
export type { Asked } from './judging.svelte';
export type { Marks, Spot } from '../answers/marking';

export class Draft extends Laying {
  number = $state<number | null>(null);
  /** The items in the chosen order; for a roll the faces, for a draw the places in the pool. */
  ordered = $state.raw<Plain[]>([]);

  private asked: Sheet | null = null;
  /** The last request came to nothing: the line broke, or the server would not take it. */
  private isUnheard = false;
  /** The player took up a model, and the answers up to its move were given for that: cancelling takes them back. */
  isLifted = $state(false);
  /** How many questions before this one were answered when the player took up that model. */
  givenBefore = 0;
  /** A typed line being carried out, or a model being taken up (false: it cannot be): who confirms meanwhile means that. */
  doing: Promise<unknown> | null = null;
  /** How many proposals have been tried on. */
  private suggestion = $state(0);

  readonly marks = $derived.by(() => marked(this));
  readonly template = $derived.by(() => laidNow(this));
  readonly current = $derived.by(() => answerNow(this));

  get canConfirm(): boolean {
    return !this.isBusy && !this.coming && this.current !== undefined && !this.refusal;
  }

  /** How many parts of the question are still loading: a player does not confirm what he cannot see yet. */
  coming = $state(0);

  comes(part: Promise<unknown>): void {
    this.coming += 1;
    const done = (): void => void (this.coming -= 1);
    part.then(done, done);
  }

  get canGoBack(): boolean {
    return this.levels.length > 1 || this.levels.some((one) => this.path.isBegun(one));
  }

  // ---------------------------------------------------------------- the question

  /** Starts over when another question opens. */
  follow(): void {
    const { question, sheet } = this.battle;
    if (question !== this.question) {
      this.question = question;
      this.asked = sheet;
      this.isUnheard = this.isLifted = false;
      this.givenBefore = 0;
      this.levels = [];
      this.pose(null);
      if (sheet) void this.meet(sheet);
    } else if (sheet && sheet !== this.asked) this.retell(sheet);
    else if (this.isStuck) void this.restart();
  }

  /** The same question again, perhaps in another language: a form in progress starts over then. */
  private retell(sheet: Sheet): void {
    const isAsBefore = same(sheet as unknown as Plain, this.asked as unknown as Plain);
    this.asked = sheet;
    if (this.levels.length) return void ((isAsBefore && !this.isStuck) || this.restart());
    const picked = this.picked;
    this.sheet = sheet;
    this.picked = sheet.options?.find((one) => picked && same(one.key, picked.key)) ?? null;
    if (this.refusal) this.touched();
  }

  /** Whether the line broke before a form could begin. */
  private get isStuck(): boolean {
    const isBare = !this.sheet || (this.sheet.kind === 'form' && !this.whole?.steps.length);
    return this.isUnheard && !this.isBusy && this.levels.length > 0 && isBare;
  }

  /** The same question from its beginning. */
  async restart(): Promise<void> {
    this.isUnheard = this.isLifted = false;
    this.givenBefore = 0;
    this.levels = [];
    if (this.asked) await this.meet(this.asked);
  }

  private async meet(sheet: Sheet, former?: Plain): Promise<void> {
    if (sheet.kind !== 'form') return this.pose(sheet, former);
    const levels = [...this.levels, { form: sheet, steps: [], editing: null }];
    this.levels = levels;
    if (sheet.whole && (await this.fill(Array.isArray(former) ? former : null, -1))) return;
    if (this.levels !== levels) return;
    if (sheet.first) await this.field(sheet.first);
    else await this.next();
  }

  /** The next field of a form: a field with only one answer fills itself in. */
  private async field(sheet: Sheet): Promise<void> {
    const only = onlyAnswer(sheet);
    if (only) await this.store(only.answer, sheet, true);
    else await this.meet(sheet);
  }

  private pose(sheet: Sheet | null, former?: Plain): void {
    this.unjudged();
    this.sheet = sheet;
    this.refusal = this.forecast = this.judgedLaid = this.hovered = this.point = this.facing = this.length = this.size = null;
    this.foretold = null;
    this.about = NOTHING_PICKED;
    this.search = this.proposed = '';
    this.suggestion = 0;
    this.moved = sheet && ['place', 'move'].includes(sheet.kind) ? standing(sheet, this.battle.models) : [];
    this.given = sheet?.kind === 'allot' ? begun(sheet) : [];
    this.ordered = sheet?.kind === 'order' ? (sheet.keys ?? []) : [];
    this.number = sheet?.kind === 'number' ? firstNumber(sheet) : null;
    this.stays = false;
    this.picked = sheet?.kind === 'choose' ? firstOption(sheet) : null;
    if (sheet && former !== undefined) this.adopt(former);
    else if (sheet?.kind === 'order' && sheet.weighed) this.touched();
  }

  // ---------------------------------------------------------------- the answer

  /** How many parts an order, a roll or a draw needs. */
  get wanted(): number {
    const count = this.sheet?.shown?.count;
    return typeof count === 'number' ? count : (this.sheet?.keys?.length ?? 0);
  }

  /** Puts an answer in place without giving it yet. */
  adopt(answer: Plain): void {
    const sheet = this.sheet;
    if (!sheet) return;
    if (sheet.kind === 'choose') this.picked = sheet.options?.find((one) => same(one.key, answer)) ?? this.picked;
    else if (sheet.kind === 'place' || sheet.kind === 'move') this.moved = answered(this.moved, sheet, answer);
    else if (sheet.kind === 'allot') this.given = begun(sheet, answer);
    else if (sheet.kind === 'aim' && Array.isArray(answer)) this.pointAt(answer as number[]);
    else if (sheet.kind === 'along') this.length = answer as number | null;
    else if (typeof answer === 'number') this.number = answer;
    else if (Array.isArray(answer)) this.ordered = answer;
    this.touched();
  }

  private pointAt([x, y, third]: number[]): void {
    this.point = [x ?? 0, y ?? 0];
    if (this.isSized) this.size = third ?? null;
    else this.facing = third ?? null;
  }

  /** Tries on the proposal, or the next suggestion. */
  propose(): void {
    const all = this.sheet ? proposals(this.sheet) : [];
    const place = this.suggestion % Math.max(1, all.length);
    const one = all[place];
    if (one === undefined) return;
    this.adopt(one);
    this.proposed = place === 0 ? (this.sheet?.proposal_text ?? '') : '';
    this.suggestion++;
  }

  get isTried(): boolean {
    return this.suggestion > 0;
  }

  /** Whether another proposal can be tried on. */
  get hasOther(): boolean {
    if (this.kind === 'allot') return this.sheet?.proposal != null && !same(this.sheet.proposal, this.given);
    return this.suggestions > 1 || (this.suggestions === 1 && !this.isTried);
  }

  get suggestions(): number {
    return this.sheet ? proposals(this.sheet).length : 0;
  }

  /** Whether Enter tries on the proposal: the player has done nothing on the table yet. */
  get isProposing(): boolean {
    if (!this.suggestions || this.stays) return false;
    if (this.kind === 'move') return !this.moved.some(isMoved) && !this.isTried;
    return this.isSpatial && this.current === undefined;
  }

  /** Enter: gives the answer (while the planner is still at work, its result), or tries on the proposal. */
  async confirm(): Promise<boolean> {
    if (this.doing && (await this.doing.catch(() => null)) === false) return false;
    if (this.planning && !(await this.planning)) return false;
    if (this.isBusy || this.coming || !this.sheet) return false;
    if (this.isProposing) this.propose();
    else if (this.current !== undefined) return this.give(this.current);
    return false;
  }

  /** Whether the player said that the models stay where they are. */
  stays = $state(false);

  stay(): void {
    this.reset();
    this.stays = true;
    this.touched();
  }

  /** Gives an answer to the current field. Returns whether it was accepted; one that the server misses changes nothing. */
  async give(answer: Plain): Promise<boolean> {
    const { levels, sheet } = this;
    if (this.isBusy || !sheet) return false;
    this.unjudged();
    this.isBusy = true;
    this.isUnheard = false;
    try {
      const isTaken = await this.handIn(answer, sheet);
      if (this.isUnheard) this.regain(levels, sheet, answer);
      return isTaken;
    } finally {
      this.isBusy = false;
    }
  }

  private async handIn(answer: Plain, sheet: Sheet): Promise<boolean> {
    const level = this.levels.at(-1);
    const { question } = this;
    if (!level) return this.send(answer);
    if (this.whole) return this.close(level);
    if (level.form.whole) return this.changed(level, answer);
    const refusal = this.isSpatial || this.kind === 'allot' ? await this.judged(answer) : null;
    if (question !== this.question) return false;
    this.refusal = refusal;
    return refusal ? false : this.store(answer, sheet, false);
  }

  /** Puts an answer back on the page, so that the player can give it again. */
  private regain(levels: Level[], sheet: Sheet, answer: Plain): void {
    this.levels = levels;
    if (this.sheet !== sheet) this.pose(sheet, answer);
  }

  private send(answer: Plain): Promise<boolean> {
    this.refusal = null;
    return this.battle.answer(this.question, answer);
  }

  /** Back to the state before the player did anything. */
  reset(): void {
    if (this.sheet && !this.whole) this.pose(this.sheet);
    else if (this.whole) void this.fill(null, -1);
    this.stays = false;
  }

  get isChanged(): boolean {
    if (this.kind === 'place') return this.moved.some((one) => one.isSet);
    return this.moved.some(isMoved) || this.point !== null || this.length !== null || this.about !== NOTHING_PICKED || this.search !== '';
  }

  /** Whether the player has moved, placed or aimed something that he has not confirmed. */
  get isDrafted(): boolean {
    return this.isSpatial && (this.isChanged || this.stays || this.isLifted);
  }

  /** Esc: undoes the changes to this answer; if there are none, goes back one field. */
  cancel(): boolean {
    if (this.isLifted) {
      void this.restart();
      return true;
    }
    if (this.isChanged || this.stays) {
      this.reset();
      return true;
    }
    return this.back();
  }

  // ---------------------------------------------------------------- forms

  private put(level: Level): void {
    this.levels = [...this.levels.slice(0, -1), level];
  }

  protected override exchanged(answer: Plain, sheet: Sheet): void {
    const level = this.levels.at(-1);
    const last = level?.steps.at(-1);
    if (!level || !last) return;
    const step: Step = { ...last, answer, text: toldAnswer(last.sheet, answer), isForced: false };
    this.put({ ...level, steps: [...level.steps.slice(0, -1), step] });
    this.sheet = sheet;
  }

  private async store(answer: Plain, sheet: Sheet, isForced: boolean): Promise<boolean> {
    const level = this.levels.at(-1);
    if (!level) return false;
    const step: Step = { sheet, answer, text: toldAnswer(sheet, answer), isForced };
    this.put({ ...level, steps: [...level.steps, step] });
    return this.next();
  }

  private async next(): Promise<boolean> {
    const level = this.levels.at(-1);
    if (!level) return false;
    const { question, levels } = this;
    const reply = await this.battle.ask({ do: 'next', question, path: this.path.answers });
    if (levels !== this.levels) return false;
    if (reply?.is !== 'next') {
      this.isUnheard = true;
      this.put({ ...level, steps: level.steps.slice(0, -1) });
      return false;
    }
    if (reply.sheet) await this.field(reply.sheet);
    else if (!this.confirms(level)) return this.close(level);
    return true;
  }

  /**
   * No player acts on a target that he was not shown: if the last fields filled themselves in, the aimed one is asked after
   * all. A secret question asks a field, too: an instant answer would tell that there was nothing to choose.
   */
  private confirms(level: Level): boolean {
    const since = level.steps.findLastIndex((one) => !one.isForced) + 1;
    const isBare = Boolean(level.form.closed) && !since;
    const place = level.steps.findIndex((one, k) => k >= since && (isBare || isAimed(one)));
    const step = level.steps[place];
    if (!step || this.levels.length > 1) return false;
    this.put({ ...level, steps: level.steps.slice(0, place) });
    this.pose(step.sheet, step.answer);
    return true;
  }

  /** A form is complete: it is the answer, or the answer of a field in the surrounding form. */
  private async close(level: Level): Promise<boolean> {
    const answer = level.steps.map((step) => step.answer);
    const outer = this.levels.slice(0, -1);
    const around = outer.at(-1);
    const former = this.sheet;
    if (!around) {
      const question = this.question;
      const isTaken = await this.send(answer);
      if (!isTaken && question === this.question && !level.form.whole) await this.reopen(former);
      return isTaken;
    }
    this.levels = outer;
    if (around.form.whole) return this.changed(around, answer);
    return this.store(answer, level.form, false);
  }

  /** The whole form was refused: the field answered last is asked again. */
  private async reopen(former: Sheet | null): Promise<void> {
    const refusal = this.battle.refusal;
    if (!refusal) return void (this.isUnheard = true);
    const found = this.path.back();
    if (found) await this.returnTo(found);
    else this.pose(former);
    this.refusal = refusal;
  }

  private async fill(answers: Plain[] | null, changed: number): Promise<boolean> {
    const level = this.levels.at(-1);
    if (!level) return false;
    const { question, levels } = this;
    const path = new Path(levels.slice(0, -1)).answers;
    const reply = await this.battle.ask({ do: 'fill', question, answers, changed, path });
    if (levels !== this.levels) return false;
    this.isUnheard ||= reply?.is !== 'filled';
    if (reply?.is !== 'filled' || !reply.fields.length) return false;
    const steps = reply.fields.map((one) => ({ ...one, isForced: one.is_forced ?? false }));
    this.put({ form: level.form, steps, editing: null });
    this.pose(level.form);
    this.refusal = reply.refusal ?? null;
    this.forecast = reply.forecast ?? null;
    return true;
  }

  private changed(level: Level, answer: Plain): Promise<boolean> {
    const place = level.editing ?? 0;
    return this.fill(level.steps.map((step) => step.answer).with(place, answer), place);
  }

  /** Changes one answer of a form shown whole. */
  change(place: number, answer: Plain): Promise<void> {
    return this.changeAll(new Map([[place, answer]]));
  }

  /** Changes several answers of a form shown whole. */
  async changeAll(answers: Map<number, Plain>): Promise<void> {
    const level = this.whole;
    if (!level || this.isBusy || !answers.size) return;
    this.isBusy = true;
    const all = level.steps.map((step, place) => answers.get(place) ?? step.answer);
    await this.fill(all, Math.min(...answers.keys()));
    this.isBusy = false;
  }

  /** Asks one field of a form shown whole on its own. */
  async edit(place: number): Promise<void> {
    const level = this.whole;
    const step = level?.steps[place];
    if (!level || !step) return;
    this.put({ ...level, editing: place });
    await this.meet(step.sheet, step.answer);
  }

  /** The player takes up a model that a field of a form shown whole can move: asks that field, from where the model stands. */
  takeUp(row: number): void {
    const level = this.whole;
    const place = level?.steps.findIndex((one) => !one.isForced && goes(one.sheet, row)) ?? -1;
    const step = level?.steps[place];
    if (!level || !step || this.isBusy) return;
    this.put({ ...level, editing: place });
    this.pose(step.sheet);
  }

  /** Puts the template of a form shown whole on a point of the table, as wide as it is. False if it has none. */
  aimWhole(at: XY): boolean {
    const steps = this.whole?.steps ?? [];
    const place = steps.findIndex(isAim);
    const answer = steps[place]?.answer;
    if (!Array.isArray(answer)) return false;
    void this.change(place, [...at.map(rounded), ...answer.slice(2)]);
    return true;
  }

  /** Whether an option of a form shown whole is about the unit of a model. */
  isTarget(row: number): boolean {
    const of = (option: Option) => isOpen(option) && option.targets?.some((one) => this.unitOf(one) === this.unitOf(row));
    return this.whole?.steps.some(({ sheet }) => sheet.options?.some(of)) ?? false;
  }

  /** Aims at a unit all that can be; with forms inside the form, only the one whose models are selected. */
  async assign(unit: number): Promise<void> {
    if (this.actingPlace < 0 && this.joiningPlace < 0) return this.assignAll(unit);
    return (await import('../answers/assigning')).assignSelected(this, unit);
  }

  assignAll(unit: number): Promise<void> {
    const found = new Map<number, Plain>();
    this.whole?.steps.forEach((step, place) => {
      const option = step.sheet.options?.find(
        (one) => isOpen(one) && one.targets?.some((row) => this.unitOf(row) === unit),
      );
      if (option && !step.isForced) found.set(place, option.key);
    });
    return this.changeAll(found);
  }

  /** Goes to the field before, if there is one, past the fields that filled themselves in. */
  back(): boolean {
    const found = this.path.back();
    if (found) void this.returnTo(found);
    return Boolean(found);
  }

  /** A field that is a form itself starts over; a form shown whole reappears as it was filled in. */
  private async returnTo({ levels, sheet, answer }: Return): Promise<void> {
    this.levels = levels;
    if (levels.at(-1)?.form === sheet) this.pose(sheet);
    else await this.meet(sheet, answer);
  }

  /** Goes back to a field answered before. */
  backTo(depth: number, place: number): void {
    const found = this.path.backTo(depth, place);
    if (found) void this.returnTo(found);
  }
}

function goes(sheet: Sheet, row: number): boolean {
  return (sheet.kind === 'move' || sheet.kind === 'place') && (sheet.models ?? []).includes(row);
}

/** Whether the answer is aimed at a target. */
function isAimed({ sheet, answer }: Step): boolean {
  return Boolean(sheet.options?.find((one) => same(one.key, answer))?.targets?.length);
}
