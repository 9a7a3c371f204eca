/** A battle being set up, before the server is asked to make it. */

import type { BattleWanted, Book, Force, ForceWanted, SeatWanted, Term } from '../net/api';
import type { Army } from './armies';
import type { Plain } from '../net/wire';

export interface SeatChosen {
  kind: SeatWanted['kind'];
  name: string;
  strength: 'random' | 'script' | 'greedy' | 'search';
  /** The name of a force that comes with the book; empty: the player's own, or one that the joining player brings. */
  force: string;
  own: { name: string; plain: { [key: string]: Plain } } | null;
}

export interface ClockChosen {
  minutes: number;
  reaction: number;
  increment: number;
}

export class Choosing {
  agreed = $state<Record<string, Plain>>({});
  options = $state<Record<string, Plain>>({});
  seats = $state<SeatChosen[]>([]);
  dice = $state<'server' | 'real'>('server');
  clock = $state<ClockChosen | null>(null);

  constructor(
    readonly book: Book,
    name: string,
  ) {
    this.agreed = Object.fromEntries(book.agreements.map((term) => [term.name, term.default]));
    this.options = Object.fromEntries(book.options.map((option) => [option.name, option.default]));
    const first: SeatChosen = { kind: 'me', name, strength: 'greedy', force: '', own: null };
    this.seats = [first, { ...first, kind: 'bot', name: '' }];
    this.refit();
  }

  get size(): number | null {
    const size = this.agreed[this.book.size];
    return typeof size === 'number' ? size : null;
  }

  /** The forces built for the agreed size; all of them if no size is agreed. */
  get forces(): Force[] {
    const fitting = this.book.forces.filter((force) => this.size === null || force.points === this.size);
    return fitting.length ? fitting : this.book.forces.filter((force) => force.cost <= (this.size ?? Infinity));
  }

  /** The agreements other than mission, layout and size. */
  get others(): Term[] {
    const { mission, layout, size } = this.book;
    return this.book.agreements.filter((term) => ![mission, layout, size].includes(term.name));
  }

  term(name: string): Term | undefined {
    return this.book.agreements.find((term) => term.name === name);
  }

  agree(name: string, value: Plain): void {
    this.agreed[name] = value;
    if (name === this.book.size) this.refit();
  }

  /** Replaces forces that no longer fit the size. */
  private refit(): void {
    const names = this.forces.map((force) => force.name);
    for (const [side, seat] of this.seats.entries()) {
      if (seat.own || (seat.kind === 'link' && !seat.force) || names.includes(seat.force)) continue;
      seat.force = names[side % Math.max(1, names.length)] ?? '';
    }
  }

  seat(side: number, kind: SeatWanted['kind']): void {
    const seat = this.seats[side]!;
    seat.kind = kind;
    if (kind !== 'link' && !seat.own && !seat.force) this.refit();
  }

  /** A ready-made battle of the book. */
  take(ready: Book['ready'][number]): void {
    for (const [name, value] of Object.entries(ready.agreed)) this.agreed[name] = value;
    for (const [side, force] of ready.forces.entries()) Object.assign(this.seats[side] ?? {}, { force, own: null });
  }

  /** The player's own army for a seat, and the smallest size that it fits into. */
  bring(side: number, army: Army): void {
    Object.assign(this.seats[side] ?? {}, { force: '', own: { name: army.name, plain: army.plain } });
    const fitting = this.book.sizes.filter((size) => size >= army.points);
    if (this.book.size && (this.size ?? 0) < army.points) this.agree(this.book.size, Math.min(...fitting, fitting.length ? Infinity : army.points));
  }

  /** Why the battle cannot be made yet, as a key of words. */
  get missing(): string {
    if (this.seats.every((seat) => seat.kind === 'bot')) return 'new.missing.person';
    if (this.seats.every((seat) => seat.kind === 'link')) return 'new.missing.me';
    return this.seats.some((seat) => seat.kind !== 'link' && !seat.own && !seat.force) ? 'new.missing.force' : '';
  }

  wanted(): BattleWanted {
    const { book, agreed, options, seats, dice, clock } = this;
    const changed = book.options.filter((option) => options[option.name] !== option.default);
    return {
      book: book.name,
      agreed: { ...agreed },
      options: Object.fromEntries(changed.map((option) => [option.name, options[option.name] ?? null])),
      forces: seats.map((seat): ForceWanted => seat.own?.plain ?? (seat.force || null)),
      seats: seats.map(({ kind, name, strength }) => ({ kind, name: kind === 'me' ? name.trim() : '', strength })),
      dice,
      clock: clock && { main: clock.minutes * 60, reaction: clock.reaction, increment: clock.increment },
    };
  }
}
