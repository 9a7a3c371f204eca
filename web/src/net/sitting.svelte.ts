/** Who sits at this page: one seat, both in turn, or a viewer without a seat. */

import { socketOf } from './api';
import { Battle } from '../battle/battle.svelte';
import { Draft } from '../battle/draft.svelte';
import { Hands, type Asked, type Why } from '../battle/handing.svelte';
import { seatsOf } from './seats';
import { begun, sealed, seedUnder } from './seeds';
import { settings, type Likes } from '../lib/settings.svelte';
import { TESTED } from '../lib/tested';
import type { Again } from './wire';
import { tongue } from '../lib/words.svelte';

/** The standing orders that a seat has at first. */
const FIRST_PAUSE: Likes['pause'] = 'matters';

interface Line {
  battle: Battle;
  draft: Draft;
}

export class Sitting {
  readonly lines: Line[];
  private place = $state(0);
  private readonly hands = new Hands();
  /** Whether a player tries out a position alone, playing both sides. */
  private readonly isAlone: boolean;

  constructor(id: string) {
    this.isAlone = sessionStorage.getItem(TESTED + id) !== null;
    const seats = seatsOf(id);
    const held = seats.length ? seats.map((seat) => seat.token) : [''];
    this.lines = held.map((token) => {
      const battle = new Battle(socketOf(id), token, () => tongue.language, seats.length > 1);
      return { battle, draft: new Draft(battle) };
    });
    const [one, other] = this.lines;
    if (one && other) [one.battle.beside, other.battle.beside] = [other.battle, one.battle];
  }

  get isBoth(): boolean {
    return this.lines.length > 1;
  }

  /** The line of the seat with the question; if neither has one, the last one shown. */
  get now(): Line {
    return this.lines[this.place] ?? this.lines[0]!;
  }

  /** Shows the seat with the question. Meanwhile what only the other seat may see is covered. */
  follow(): void {
    if (!this.now.battle.question) {
      const place = this.lines.findIndex((line) => line.battle.question);
      if (place >= 0) this.place = place;
    }
    for (const line of this.lines) if (this.isBoth && line !== this.now) line.battle.veil(true);
  }

  /** Whether the page shows what only the seat with the question may see. */
  get isBare(): boolean {
    return this.isBoth && !this.now.battle.moment.veil;
  }

  private get asked(): Asked {
    const { side, moment } = this.now.battle;
    return { side, veil: moment.veil ?? '', turn: moment.standing?.side ?? null };
  }

  get handing(): Why {
    const { battle } = this.now;
    if (!this.isBoth || battle.moment.stage !== 'playing' || !battle.question) return null;
    return this.hands.why(this.asked, settings.likes.handover === 'turns' && !this.isAlone);
  }

  /** The player with the question has the page now. */
  handed(): void {
    if (this.handing === 'secret') this.now.battle.veil(false);
    this.hands.taken(this.asked);
  }

  /** Agrees to the set-up, and binds each seat of this page to a fresh seed for the dice. */
  async agree(): Promise<void> {
    for (const { battle } of this.lines)
      if (battle.side !== null && !this.isBound(battle)) {
        const { moment, id, side } = battle;
        await battle.ask({ do: 'agree', version: moment.setup?.version ?? 0, seal: sealed(id, side) });
      }
  }

  /** Whether a seat has agreed, and this page has its seed. */
  isBound(battle: Battle): boolean {
    const seat = battle.moment.seats?.find((one) => one.side === battle.side);
    if (!seat?.has_agreed || seat.has_revealed) return Boolean(seat?.has_agreed);
    return this.seedOf(battle) !== null;
  }

  private seedOf({ id, side, moment }: Battle): string | null {
    return side === null ? null : seedUnder(moment.setup?.seals?.[side] ?? '', id, side);
  }

  /** Reveals the seeds of this page once every seat is bound to its own. */
  reveal(): void {
    for (const { battle } of this.lines) {
      const { seats, stage } = battle.moment;
      const seed = this.seedOf(battle);
      const isTime = stage === 'agreeing' && seats?.every((seat) => seat.has_agreed);
      if (isTime && seed && !seats?.find((seat) => seat.side === battle.side)?.has_revealed)
        void battle.ask({ do: 'reveal', seed });
      if (stage === 'playing') begun(battle.id);
    }
  }

  /** The seats in the next battle, once all the seats at this page have theirs. */
  get again(): Again[] | null {
    const found = this.lines.flatMap((line) => line.battle.again ?? []);
    return found.length === this.lines.length ? found : null;
  }

  /** Has the seats stop where the player likes, unless the server already knows. */
  order(pause: Likes['pause']): void {
    for (const { battle } of this.lines) {
      const key = `campale.pause.${battle.id}.${battle.side}`;
      if (!battle.isLoaded || battle.side === null || (localStorage.getItem(key) ?? FIRST_PAUSE) === pause) continue;
      localStorage.setItem(key, pause);
      const orders = { ...battle.orders, default: pause === 'every' ? 'ask' : 'matter' };
      void battle.ask({ do: 'standing', orders }).then((reply) => {
        if (reply?.is === 'done') battle.orders = orders;
      });
    }
  }

  speak(language: string): void {
    for (const line of this.lines) line.battle.speak(language);
  }

  close(): void {
    for (const line of this.lines) line.battle.close();
  }
}
