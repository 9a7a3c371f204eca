/** The answer so far, judged by the server: once the player pauses, or at once. */

import { Path, type Level } from '../answers/path';
import type { Reply, Request } from '../net/socket';
import { Weights, type Weight } from './weights.svelte';
import type { Forecast, ForetoldShown, LaidShown, ModelShown, Option, Plain, RefusalShown, Sheet, UnitShown } from '../net/wire';

/** What a draft needs from a battle. */
export interface Asked {
  readonly question: number;
  readonly sheet: Sheet | null;
  readonly models: ModelShown[];
  readonly units: UnitShown[];
  refusal: RefusalShown | null;
  ask(request: Request): Promise<Reply | null>;
  answer(question: number, answer: Plain): Promise<boolean>;
}

const CHECK_AFTER = 120;
const SPATIAL = ['place', 'move', 'aim', 'along'];

export abstract class Judging {
  question = $state(0);
  sheet = $state.raw<Sheet | null>(null);
  /** The forms being filled in, outermost first. */
  levels = $state.raw<Level[]>([]);
  refusal = $state.raw<RefusalShown | null>(null);
  forecast = $state.raw<Forecast | null>(null);
  /** The template of the last judged answer, and whom it would hit. */
  judgedLaid = $state.raw<LaidShown | null>(null);
  /** What that answer would bring with it; null until something was judged. */
  foretold = $state.raw<ForetoldShown[] | null>(null);
  isChecking = $state(false);
  isBusy = $state(false);
  /** The name of the proposal being tried on; empty after any other change. */
  proposed = $state('');

  protected tries = 0;
  protected timer: ReturnType<typeof setTimeout> | undefined;

  /** The answer that would be given now; undefined while a part is missing. */
  abstract readonly current: Plain | undefined;

  /** The odds of the options that the player looks at. */
  readonly weights: Weights;

  constructor(readonly battle: Asked) {
    this.weights = new Weights(battle);
  }

  get kind(): string {
    return this.sheet?.kind ?? '';
  }

  get isSpatial(): boolean {
    return SPATIAL.includes(this.kind);
  }

  /** The form shown whole, unless one of its fields is being changed. */
  get whole(): Level | null {
    const level = this.levels.at(-1);
    return level?.form.whole && level.editing === null ? level : null;
  }

  protected get path(): Path {
    return new Path(this.levels);
  }

  /** The odds of an option of the current field, or of another field of the form shown whole. */
  weightOf(option: Option, place: number | null = null): Weight {
    return this.weights.of(this.pathTo(place), option.key);
  }

  /** Has the open options of that field weighed, if the book can tell their odds. */
  weigh(sheet: Sheet, place: number | null = null): void {
    const open = (sheet.options ?? []).filter((one) => !one.refusal).map((one) => one.key);
    if (sheet.weighed && open.length) this.weights.ask(this.question, this.pathTo(place), open);
  }

  /** The odds told for the last answer that has any. */
  get weightBefore(): Weight {
    const level = this.levels.at(-1);
    if (!level || level.form.whole) return undefined;
    const outer = new Path(this.levels.slice(0, -1)).answers;
    const answers = level.steps.map((step) => step.answer);
    const place = level.steps.findLastIndex((step) => step.sheet.weighed);
    return place < 0 ? undefined : this.weights.of([...outer, answers.slice(0, place)], answers[place] ?? null);
  }

  private pathTo(place: number | null): Plain[][] {
    const level = this.levels.at(-1);
    if (place === null || !level) return this.path.answers;
    const answers = level.steps.slice(0, place).map((step) => step.answer);
    return [...new Path(this.levels.slice(0, -1)).answers, answers];
  }

  unitOf(row: number): number | undefined {
    return this.battle.models[row]?.unit;
  }

  /** Something changed: the server judges the answer once the player pauses. */
  touched(): void {
    this.refusal = null;
    this.battle.refusal = null;
    this.proposed = '';
    clearTimeout(this.timer);
    const answer = this.current;
    const turn = ++this.tries;
    this.isChecking = false;
    const isJudged = this.isSpatial || this.kind === 'allot' || (this.kind === 'order' && this.sheet?.weighed);
    if (answer === undefined || this.whole || !isJudged) return;
    this.isChecking = true;
    this.timer = setTimeout(() => void this.check(answer, turn), CHECK_AFTER);
  }

  /** Cancels the pending judgement: the answer is being given, and would have changed by the time the verdict comes. */
  protected unjudged(): void {
    clearTimeout(this.timer);
    this.tries++;
    this.isChecking = false;
  }

  /** Judges the answer at once, not after a pause. */
  async checkNow(): Promise<RefusalShown | null> {
    clearTimeout(this.timer);
    if (this.current !== undefined) await this.check(this.current, ++this.tries);
    return this.refusal;
  }

  /** Narrows an aim that was too wide for its place and judges it again. Returns whether it did. */
  protected narrowed(): boolean {
    return false;
  }

  private async check(answer: Plain, turn: number): Promise<void> {
    const refusal = await this.judged(answer);
    if (turn !== this.tries || this.narrowed()) return;
    this.isChecking = false;
    this.refusal = refusal;
  }

  protected async judged(answer: Plain): Promise<RefusalShown | null> {
    const reply = await this.battle.ask({ do: 'check', question: this.question, answer, path: this.path.answers });
    if (reply?.is !== 'checked') return null;
    this.judgedLaid = reply.laid ?? null;
    this.foretold = reply.foretold ?? [];
    this.forecast = reply.forecast ?? null;
    return reply.refusal ?? null;
  }
}
