/** What stands of an answer, judged by the server: once the player pauses, or at once. */

import { Path, type Level } from '../ask/path';
import type { Reply, Request } from './socket';
import { Weights, type Weight } from './weights.svelte';
import type { Forecast, ForetoldShown, LaidShown, ModelShown, Option, Plain, RefusalShown, Sheet, UnitShown } from './wire';

/** What a draft needs of a battle. */
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
  /** The forms that are being filled in, the outermost first. */
  levels = $state.raw<Level[]>([]);
  refusal = $state.raw<RefusalShown | null>(null);
  forecast = $state.raw<Forecast | null>(null);
  /** The template that the answer judged last would lay, and whom it would hit. */
  judgedLaid = $state.raw<LaidShown | null>(null);
  /** What that answer would call for besides; null while nothing has been judged. */
  foretold = $state.raw<ForetoldShown[] | null>(null);
  isChecking = $state(false);
  isBusy = $state(false);
  /** What a proposal tried on is called; empty once something else is done. */
  proposed = $state('');

  protected tries = 0;
  protected timer: ReturnType<typeof setTimeout> | undefined;

  /** What would be answered now; undefined while something is missing. */
  abstract readonly current: Plain | undefined;

  /** What may come of the options that are looked at. */
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

  /** The form shown whole, when no single field of it is being changed. */
  get whole(): Level | null {
    const level = this.levels.at(-1);
    return level?.form.whole && level.editing === null ? level : null;
  }

  protected get path(): Path {
    return new Path(this.levels);
  }

  /** What may come of an option of the field that is asked, or of another one of the form shown whole. */
  weightOf(option: Option, place: number | null = null): Weight {
    return this.weights.of(this.pathTo(place), option.key);
  }

  /** Have the open options of that field weighed, where the book can tell of them. */
  weigh(sheet: Sheet, place: number | null = null): void {
    const open = (sheet.options ?? []).filter((one) => !one.refusal).map((one) => one.key);
    if (sheet.weighed && open.length) this.weights.ask(this.question, this.pathTo(place), open);
  }

  /** What was told of the answer given last, of those that have any odds. */
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

  /** Something was changed: what stands is judged, once the player pauses. */
  touched(): void {
    this.refusal = null;
    this.battle.refusal = null;
    this.proposed = '';
    clearTimeout(this.timer);
    const answer = this.current;
    const turn = ++this.tries;
    this.isChecking = false;
    if (answer === undefined || this.whole || !(this.isSpatial || this.kind === 'allot')) return;
    this.isChecking = true;
    this.timer = setTimeout(() => void this.check(answer, turn), CHECK_AFTER);
  }

  /** What was to be judged is not any more: it is given, and stands elsewhere by the time the word would come. */
  protected unjudged(): void {
    clearTimeout(this.timer);
    this.tries++;
    this.isChecking = false;
  }

  /** Judge at once what stands, and not after a pause. */
  async checkNow(): Promise<RefusalShown | null> {
    clearTimeout(this.timer);
    if (this.current !== undefined) await this.check(this.current, ++this.tries);
    return this.refusal;
  }

  /** What was judged is wider than it may be there: it is made narrower, and judged again. Whether it was. */
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
