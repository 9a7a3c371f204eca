/** The player's picks: an option, the options about a base on the board, who bears what is allotted. */

import { lots, oneMore, type Given } from '../answers/allotting';
import { NOTHING_PICKED, about, isOpen, lettered, numbered, same, withPick, type Numbered, type Picked } from '../answers/options';
import { Judging } from './judging.svelte';
import type { Option, Plain } from '../net/wire';

export abstract class Picking extends Judging {
  given = $state.raw<Given>([]);
  /** The option that Enter takes. */
  picked = $state.raw<Option | null>(null);
  hovered = $state.raw<Option | null>(null);
  about = $state.raw<Picked>(NOTHING_PICKED);
  search = $state('');
  /** The models selected on the board. */
  private acting = $state.raw<number[]>([]);

  readonly letters = $derived.by(() => lettered(this.optionLists(), (row) => this.unitOf(row)));
  readonly visible = $derived.by(() => this.listed());

  /** Gives an answer to the current field. Returns whether it was accepted. */
  abstract give(answer: Plain): Promise<boolean>;

  /** Aims at a unit all that can be. */
  abstract assign(unit: number): Promise<void>;

  /** The place, in a form shown whole, of the form in which the selected models act; -1 if there is none. */
  get actingPlace(): number {
    const isTheirs = (row: number) => this.acting.includes(row);
    return this.whole?.steps.findIndex((one) => one.sheet.kind === 'form' && one.sheet.models?.some(isTheirs)) ?? -1;
  }

  /** The place, in a form shown whole, of the last choice in which the selected models could be taken; -1 if there is none. */
  get joiningPlace(): number {
    const steps = this.whole?.steps ?? [];
    if (this.actingPlace >= 0 || !steps.some((one) => one.sheet.kind === 'form')) return -1;
    return steps.findLastIndex((one) => one.sheet.kind === 'choose' && one.sheet.options?.some((option) => this.acts(option)));
  }

  /** Whether an option is about a selected model. */
  acts(option: Option): boolean {
    return option.actors?.some((row) => this.acting.includes(row)) ?? false;
  }

  protected optionLists(): Option[][] {
    const steps = this.whole?.steps ?? [];
    return steps.length ? steps.map((step) => step.sheet.options ?? []) : [this.sheet?.options ?? []];
  }

  protected listed(): Numbered[] {
    return about(numbered(this.sheet?.options ?? []), this.about);
  }

  /** A click on an option gives it. */
  choose(option: Option): Promise<boolean> {
    this.picked = option;
    return this.give(option.key);
  }

  get openCount(): number {
    return (this.sheet?.options ?? []).filter(isOpen).length;
  }

  /** The option with this number, counted from 1. */
  chooseNumber(number: number): void {
    const option = (this.sheet?.options ?? []).filter(isOpen)[number - 1];
    if (option) void this.choose(option);
  }

  /** Picks the only option that is about no model: it ends the step. Returns whether there is one. */
  pickEnd(): boolean {
    const ends = (this.sheet?.options ?? []).filter(
      (one) => isOpen(one) && !one.actors?.length && !one.targets?.length && !one.at,
    );
    if (this.kind !== 'choose' || ends.length !== 1) return false;
    this.picked = ends[0] ?? null;
    return true;
  }

  private pointed: Option | null = null;

  /** A pointer is over a model (-1: over none): the template of an option about that model shows where it would lie. */
  hoverModel(row: number): void {
    const isLaid = (one: Option) => isOpen(one) && Boolean(one.laid) && [...(one.targets ?? []), one.key].includes(row);
    const found = row >= 0 && this.kind === 'choose' ? (this.sheet?.options?.find(isLaid) ?? null) : null;
    if (found === this.pointed) return;
    this.pointed = this.hovered = found;
  }

  canPick(row: number): boolean {
    if (this.kind === 'allot') return this.sheet?.holders?.includes(row) ?? false;
    if ((this.actingPlace >= 0 || this.joiningPlace >= 0) && this.isEnemy(row)) return true;
    if (this.whole) return this.letters.has(this.unitOf(row) ?? -1);
    return this.kind === 'choose' && withPick(this.sheet?.options ?? [], this.about, row) !== null;
  }

  /** A click on a base. Its meaning depends on the open question. Within a form, where the player can go back, it may answer. */
  pickModel(row: number): void {
    if (this.kind === 'allot') return this.oneMore(row);
    if (this.whole) return void this.assign(this.unitOf(row) ?? -1);
    if (this.kind !== 'choose') return;
    const found = withPick(this.sheet?.options ?? [], this.about, row);
    if (!found) return;
    this.about = found;
    this.pickVisible();
    const only = this.visible.length === 1 ? this.visible[0] : undefined;
    if (only && this.levels.length) void this.choose(only.option);
  }

  private isEnemy(row: number): boolean {
    const side = this.battle.models[row]?.side;
    return side !== undefined && side !== this.sheet?.side;
  }

  /** Models were selected on the board: a choice lists what they can do. */
  select(rows: number[]): void {
    if (!rows.some((row) => this.isEnemy(row))) this.acting = rows;
    if (this.kind !== 'choose') return;
    const acting = rows.filter((row) => this.sheet?.options?.some((one) => isOpen(one) && one.actors?.includes(row)));
    if (!rows.length) this.about = NOTHING_PICKED;
    else if (acting.length && !acting.some((row) => this.about.actors.includes(row))) {
      this.about = { actors: acting, targets: [] };
      this.pickVisible();
    }
  }

  /** Keeps Enter's option among the listed ones. */
  private pickVisible(): void {
    const first = this.visible[0];
    if (first && !this.visible.some((one) => one.option === this.picked)) this.picked = first.option;
  }

  pickSpot(key: Plain): void {
    const option = this.sheet?.options?.find((one) => same(one.key, key));
    if (option && isOpen(option)) this.picked = option;
    else if (option?.refusal) this.refusal = option.refusal;
  }

  private oneMore(row: number): void {
    if (!this.sheet?.holders?.includes(row)) return;
    const all = lots(this.sheet.items ?? []);
    const lot = all.find((one) => one.places.some((place) => this.given[place] === null)) ?? all[0];
    if (lot) this.allot(oneMore(this.given, lot, row));
  }

  allot(given: Given): void {
    this.given = given;
    this.touched();
  }
}
