/** The odds of each option of a question: the server is asked for one after another while the question is open. */

import { SvelteMap } from 'svelte/reactivity';
import type { Asked } from './judging.svelte';
import type { Forecast, Plain } from '../net/wire';

/** A forecast; null: there is none; "long": the server gave up; undefined: not known yet. */
export type Weight = Forecast | null | 'long' | undefined;

type Path = Plain[][];

interface Wanted {
  key: string;
  path: Path;
  answer: Plain;
}

export class Weights {
  private known = new SvelteMap<string, Weight>();
  private waiting: Wanted[] = [];
  private question = 0;
  private isAsking = false;

  constructor(private readonly battle: Asked) {}

  of(path: Path, answer: Plain): Weight {
    return this.known.get(keyOf(path, answer));
  }

  /** Asks for these before all others still waiting: they are what the player looks at. */
  ask(question: number, path: Path, answers: Plain[]): void {
    if (question !== this.question) {
      this.question = question;
      this.waiting = [];
      this.known.clear();
    }
    const wanted = answers.map((answer) => ({ key: keyOf(path, answer), path, answer }));
    const fresh = wanted.filter(({ key }) => !this.known.has(key));
    const keys = new Set(fresh.map(({ key }) => key));
    this.waiting = [...fresh, ...this.waiting.filter(({ key }) => !keys.has(key))];
    void this.goOn();
  }

  private async goOn(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) await this.weigh(next);
    this.isAsking = false;
  }

  private async weigh({ key, path, answer }: Wanted): Promise<void> {
    const { question } = this;
    if (this.known.has(key)) return;
    const reply = await this.battle.ask({ do: 'weigh', question, path, answer });
    if (question !== this.question || reply?.is !== 'weighed') return;
    this.known.set(key, reply.too_long ? 'long' : (reply.forecast ?? null));
  }
}

function keyOf(path: Path, answer: Plain): string {
  return JSON.stringify([path, answer]);
}
