/** Carries out a line typed on the command line. Returns the reply to it. */

import { parse, type Command } from '../battle/command';
import type { Draft, XY } from '../battle/draft.svelte';
import type { Battle } from '../battle/battle.svelte';
import { view } from '../battle/view.svelte';
import { say } from '../lib/words.svelte';
import { facesTyped, rolled } from './dice';
import { hasWords, isOpen, meant, plainly, same } from './options';
import { undo } from './undoing';
import { distance, endOf, shifted, type Moved, type Wish } from './ways';
import type { Option, Sighting } from '../net/wire';

/** What the panel has to show besides. */
export type Shown = 'help' | 'orders' | 'options' | '';

export interface Outcome {
  text: string;
  show: Shown;
}

function told(text: string, show: Shown = ''): Outcome {
  return { text, show };
}

export class Performer {
  constructor(
    private readonly battle: Battle,
    private readonly draft: Draft,
  ) {}

  async line(text: string): Promise<Outcome> {
    const command = parse(text);
    if (!command) return told('');
    const outcome = await this.perform(command);
    return outcome;
  }

  private async perform(command: Command): Promise<Outcome> {
    switch (command.do) {
      case 'choose':
        return this.chosen(command.number);
      case 'words':
        return this.worded(command.words);
      case 'shoot':
        return this.shot(command.who, command.at);
      case 'sight':
        return this.sight(command.from, command.to);
      case 'look':
        view.select([command.row]);
        return told(this.named(command.row));
      case 'number':
        this.draft.number = command.value;
        return this.confirmed();
      case 'faces':
        return this.lying(command.faces);
      case 'allot':
        return this.allotted(command.rows);
      case 'point':
        return this.pointed(command.at);
      case 'aim':
        this.draft.aimAt(command.at, command.facing);
        return this.judged();
      case 'move':
      case 'place':
      case 'shift':
      case 'towards':
      case 'form':
      case 'face':
      case 'stay':
        return this.onTable(command);
      default:
        return this.simply(command.do);
    }
  }

  private async simply(word: Extract<Command, { do: string }>['do']): Promise<Outcome> {
    if (word === 'help' || word === 'orders' || word === 'options') return told('', word);
    if (word === 'confirm') return this.confirmed();
    if (word === 'propose') this.draft.propose();
    else if (word === 'cancel') this.draft.cancel();
    else if (word === 'back') this.draft.back();
    else if (word === 'undo') await undo(this.battle, this.draft);
    else if (word === 'roll') return this.rolled();
    else if (word === 'pass') return this.passed();
    else if (word === 'why') return told(this.why());
    return told(this.draft.proposed);
  }

  private why(): string {
    const refusal = this.draft.refusal ?? this.battle.refusal;
    const rules = (this.draft.sheet?.rules ?? []).map((rule) => `${rule.title} (${rule.id})`);
    return [refusal?.text ?? '', ...rules].filter(Boolean).join(' · ');
  }

  private async confirmed(): Promise<Outcome> {
    const isTaken = await this.draft.confirm();
    return told(isTaken ? say('ask.done') : (this.draft.refusal?.text ?? this.draft.proposed));
  }

  // ---------------------------------------------------------------- choices

  private async chosen(number: number): Promise<Outcome> {
    if (this.draft.kind === 'number') {
      this.draft.number = number;
      return this.confirmed();
    }
    const open = (this.draft.sheet?.options ?? []).filter(isOpen);
    const option = open[number - 1];
    return option ? this.take(option) : told(say('ask.no-such-number', { number, last: open.length }));
  }

  /** A point alone says where the question's models, or its aim, should go. */
  private pointed(at: XY): Promise<Outcome> {
    const { kind } = this.draft;
    if (kind === 'move') return this.onTable({ do: 'move', row: null, points: [at], facing: null });
    if (kind === 'place') return this.onTable({ do: 'place', row: null, at, facing: null });
    return kind === 'aim' ? this.perform({ do: 'aim', at, facing: null }) : this.worded(at.join(','));
  }

  private async worded(words: string): Promise<Outcome> {
    const options = this.draft.sheet?.options ?? [];
    const option = meant(options, words);
    if (option) return this.take(option);
    const closed = options.find((one) => one.refusal && plainly(one.text) === plainly(words));
    if (closed?.refusal) return told(closed.refusal.text);
    const some = options.filter((one) => isOpen(one) && hasWords(one.text, words)).length;
    return told(some > 1 ? say('ask.several-meant', { count: some }) : say('ask.not-understood'));
  }

  private async take(option: Option): Promise<Outcome> {
    const isTaken = await this.draft.choose(option);
    return told(isTaken ? option.text : (this.draft.refusal?.text ?? this.battle.refusal?.text ?? ''));
  }

  private async passed(): Promise<Outcome> {
    if (this.draft.kind === 'along') {
      await this.draft.give(null);
      return told(say('ask.done'));
    }
    const none = (this.draft.sheet?.options ?? []).filter(isOpen).filter((one) => !one.actors?.length && !one.targets?.length);
    return none.length === 1 && none[0] ? this.take(none[0]) : this.worded('pass');
  }

  /** `shoot B at X`: the option with both units; on a sheet with all weapons, everything that can be aimed there. */
  private async shot(who: string, at: string): Promise<Outcome> {
    const unit = this.unitNamed(at);
    if (this.draft.whole) {
      if (unit === null) return told(say('ask.no-such-unit', { name: at }));
      await this.draft.assign(unit);
      return told(say('ask.now-confirm'));
    }
    const options = (this.draft.sheet?.options ?? []).filter(isOpen);
    const isAbout = (rows: number[] | undefined, name: string) =>
      (rows ?? []).some((row) => String(row) === name.replace('#', '') || this.draft.unitOf(row) === this.unitNamed(name));
    const found = options.filter((one) => (isAbout(one.targets, at) || hasWords(one.text, at)) && (!who || isAbout(one.actors, who) || hasWords(one.text, who)));
    if (found.length === 1 && found[0]) return this.take(found[0]);
    return told(found.length ? say('ask.several-meant', { count: found.length }) : say('ask.not-understood'));
  }

  /** A unit by its letter on the board, by a model's number, or by its name. */
  private unitNamed(name: string): number | null {
    const lettered = [...this.draft.letters].find(([, letter]) => letter === name.toUpperCase());
    if (lettered) return lettered[0];
    if (/^#?\d+$/.test(name)) return this.draft.unitOf(Number(name.replace('#', ''))) ?? null;
    const found = this.battle.units.filter((unit) => plainly(unit.name).startsWith(plainly(name)));
    return found.length === 1 ? (found[0]?.row ?? null) : null;
  }

  // ---------------------------------------------------------------- on the table

  private async onTable(command: Command): Promise<Outcome> {
    const rows = this.draft.moved;
    if (!rows.length) return told(say('ask.nothing-to-move'));
    if ('row' in command && command.row !== null && !rows.some((one) => one.row === command.row))
      return told(say('ask.not-asked', { row: command.row }));
    if (command.do === 'move' || command.do === 'place') return this.brought(command);
    if (command.do === 'form') {
      if (!this.draft.mayForm) return told(say('ask.no-formation'));
      return this.planned(this.draft.form({ name: command.name, spacing: command.spacing }, command.at, command.facing));
    }
    if (command.do === 'shift') return this.wished(shifted(rows, command.far, command.degrees));
    if (command.do === 'face') this.these(command.row).forEach((one) => this.draft.turn(one.row, command.degrees));
    if (command.do === 'stay') this.stayed(command.row);
    if (command.do === 'towards') return this.wished(this.towards(command.row, command.words));
    return this.judged();
  }

  /** Whether the answer as it stands is allowed. */
  private async judged(): Promise<Outcome> {
    const refusal = await this.draft.checkNow();
    return told(refusal?.text ?? say('ask.now-confirm'));
  }

  private these(row: number | null): Moved[] {
    return this.draft.moved.filter((one) => row === null || one.row === row);
  }

  private stayed(row: number | null): void {
    if (row === null) this.draft.stay();
    else this.draft.set(row, [], null);
  }

  private async brought(command: Extract<Command, { do: 'move' | 'place' }>): Promise<Outcome> {
    const points: XY[] = command.do === 'move' ? command.points : [command.at];
    const row = command.row ?? (this.draft.moved.length === 1 ? (this.draft.moved[0]?.row ?? null) : null);
    const last = points.at(-1);
    if (row === null && last) return this.planned(this.draft.wishAbout(last));
    if (row !== null) this.draft.set(row, points, command.facing);
    return this.judged();
  }

  private async wished(wish: Wish[]): Promise<Outcome> {
    return wish.length ? this.planned(this.draft.wish(wish)) : told(say('ask.not-understood'));
  }

  private async planned(wish: Promise<boolean>): Promise<Outcome> {
    const isFound = await wish;
    return told(isFound ? `${this.draft.proposed} ${say('ask.now-confirm')}` : (this.draft.refusal?.text ?? ''));
  }

  private towards(row: number | null, words: string): Wish[] {
    const standing = this.battle.models.filter((one) => one?.where === 'table');
    const own = this.these(row).filter((one) => one.start);
    const unit = this.unitNamed(words);
    const targets = standing.filter((one) => String(one.row) === words || (!/^\d+$/.test(words) && one.unit === unit));
    const pairs = own.flatMap((one) => targets.map((to) => ({ from: one.start ?? { x: 0, y: 0 }, to: { x: to.x ?? 0, y: to.y ?? 0 } })));
    const far = (pair: (typeof pairs)[number]) => distance([pair.from.x, pair.from.y], [pair.to.x, pair.to.y]);
    const best = pairs.toSorted((a, b) => far(a) - far(b))[0];
    if (!best) return [];
    const [dx, dy] = [best.to.x - best.from.x, best.to.y - best.from.y];
    return own.map((one): Wish => [one.row, (one.start?.x ?? 0) + dx, (one.start?.y ?? 0) + dy, null]);
  }

  // ---------------------------------------------------------------- dice, counting, looking

  private async lying(faces: number[]): Promise<Outcome> {
    const found = facesTyped(faces.join(' '), Number(this.draft.sheet?.shown?.sides ?? 6), this.draft.wanted);
    if (!found) return told(say('ask.of-all', { done: faces.length, count: this.draft.wanted }));
    this.draft.ordered = this.draft.kind === 'draw' ? found.map((one) => one - 1) : found;
    return this.confirmed();
  }

  private async rolled(): Promise<Outcome> {
    const shown = this.draft.sheet?.shown ?? {};
    if (this.draft.kind === 'direction') this.draft.number = rolled.direction(Number(shown.step ?? 1));
    else if (this.draft.kind === 'draw') this.draft.ordered = rolled.places(Number(shown.of ?? 0), this.draft.wanted);
    else this.draft.ordered = rolled.faces(Number(shown.sides ?? 6), this.draft.wanted);
    return this.confirmed();
  }

  private async allotted(rows: number[]): Promise<Outcome> {
    const items = this.draft.sheet?.items ?? [];
    const all = rows.length === 1 ? items.map(() => rows[0] ?? 0) : rows;
    const holders = this.draft.sheet?.holders ?? [];
    if (all.length !== items.length || !all.every((row) => holders.some((one) => same(one, row))))
      return told(say('ask.allot-how', { count: items.length }));
    this.draft.allot(all);
    return this.judged();
  }

  private named(row: number): string {
    const model = this.battle.models[row];
    if (!model) return say('ask.no-such-unit', { name: String(row) });
    const end = this.draft.moved.find((one) => one.row === row);
    const at = end ? endOf(end) : { x: model.x ?? 0, y: model.y ?? 0 };
    return `#${row} ${model.name} (${Math.round((at?.x ?? 0) * 10) / 10}; ${Math.round((at?.y ?? 0) * 10) / 10})`;
  }

  private async sight(from: number, to: number): Promise<Outcome> {
    const reply = await this.battle.ask({ do: 'look', model: from });
    view.select([from, to]);
    const seen = reply?.is === 'looked' ? reply.look.sightings?.find((one: Sighting) => one.model === to) : undefined;
    return told(seen?.text ?? say('ask.nothing-known'));
  }
}
