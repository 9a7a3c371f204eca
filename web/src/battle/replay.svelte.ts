/** A replay, forwards and backwards: each frame is applied, and undone by restoring what it replaced. */

import { byRow, lastLaid, Scene } from './battle.svelte';
import type { Noted } from './journal';
import type {
  Frame,
  Line,
  ModelShown,
  PieceShown,
  Replay as Shown,
  StandingShown,
  TokenShown,
  UnitShown,
} from '../net/wire';

interface Now {
  pieces: PieceShown[];
  models: ModelShown[];
  units: UnitShown[];
  tokens: TokenShown[];
  standing: StandingShown;
}

/** The beginning of a part of the battle, as the number of frames applied before it. */
export interface Part {
  place: number;
  title: string;
}

export class Replayed extends Scene {
  /** How many frames are applied. */
  place = $state(0);
  readonly frames: Frame[];
  readonly parts: Part[];
  readonly result: string;
  private readonly noted: Noted[];
  private now: Now;
  /** What each applied frame replaced. */
  private readonly before: Now[] = [];

  constructor(id: string, shown: Shown) {
    super();
    const { pieces, models, units, tokens, standing } = shown;
    this.now = { pieces, models, units, tokens, standing };
    this.id = id;
    this.book = shown.book;
    this.title = shown.title;
    this.side = shown.side;
    this.table = shown.table;
    this.frames = shown.frames;
    this.lines = allLines(shown);
    this.parts = partsOf(shown);
    this.result = shown.result ?? '';
    this.noted = shown.notes ?? [];
    this.isLoaded = true;
    this.show();
  }

  override get notes(): Noted[] {
    return this.noted;
  }

  get last(): number {
    return this.frames.length;
  }

  /** How many answers had been given by the moment shown. */
  get at(): number {
    return this.place ? (this.frames[this.place - 1]?.at ?? 0) : 0;
  }

  /** The part that contains the moment shown. */
  get part(): Part | undefined {
    return this.parts.findLast((part) => part.place <= this.place);
  }

  /** Shows the moment after so many frames. */
  go(place: number): void {
    const wanted = Math.max(0, Math.min(this.last, Math.round(place)));
    const { models } = this;
    const isNext = wanted === this.place + 1;
    this.watcher?.skip();
    while (this.before.length < wanted) this.lay();
    while (this.before.length > wanted) this.now = this.before.pop()!;
    this.show();
    const motions = this.frames[wanted - 1]?.motions;
    if (isNext && motions?.length) this.watcher?.happened(models, this.models, motions);
  }

  step(by: number): void {
    this.go(this.place + by);
  }

  /** Shows the first moment by which so many answers had been given. */
  goAt(at: number): void {
    const found = this.frames.findIndex((frame) => frame.at >= at);
    this.go(at <= 0 ? 0 : found < 0 ? this.last : found + 1);
  }

  /** Goes to the beginning of the next part; backwards, to the beginning of this one and then of the one before. */
  phase(by: 1 | -1): void {
    const found =
      by > 0
        ? this.parts.find((part) => part.place > this.place)
        : this.parts.findLast((part) => part.place < this.place);
    this.go(found?.place ?? (by > 0 ? this.last : 0));
  }

  private lay(): void {
    const { now } = this;
    const frame = this.frames[this.before.length]!;
    this.before.push(now);
    this.now = {
      pieces: frame.pieces ?? now.pieces,
      models: frame.models?.length ? byRow(now.models, frame.models) : now.models,
      units: frame.units?.length ? byRow(now.units, frame.units) : now.units,
      tokens: frame.tokens ?? now.tokens,
      standing: frame.standing ?? now.standing,
    };
  }

  private show(): void {
    this.pieces = this.now.pieces;
    this.models = this.now.models;
    this.units = this.now.units;
    this.tokens = this.now.tokens;
    this.moment = { ...this.moment, stage: 'over', standing: this.now.standing };
    this.place = this.before.length;
    this.laid = lastLaid(this.frames[this.place - 1]?.lines);
  }
}

/** The journal as it stands at the end. */
function allLines(shown: Shown): Line[] {
  const found = [...shown.lines];
  for (const { cut, lines } of shown.frames) {
    if (cut != null) found.length = Math.min(found.length, cut);
    if (lines?.length) found.push(...lines);
  }
  return found;
}

function partsOf(shown: Shown): Part[] {
  const found: Part[] = [{ place: 0, title: shown.standing.title }];
  for (const [n, { standing }] of shown.frames.entries())
    if (standing && standing.title !== found.at(-1)!.title) found.push({ place: n + 1, title: standing.title });
  return found;
}
