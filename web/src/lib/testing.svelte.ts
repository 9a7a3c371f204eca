/** A test table: a scenario file laid by hand, drawn like a battle, and checked by the server. */

import { call, ApiError, type Created } from '../net/api';
import { Scene } from '../battle/battle.svelte';
import { Draft, endOf, type Moved } from '../battle/draft.svelte';
import type { XY } from './geometry';
import { begunIn, emptyFile, isOnTable, moved, placeOf, profileOf, setDown, unitOf, without, type Kit, type Place, type ProfileKit, type ScenarioFile, type Wanted } from './scenario';
import { seated } from '../net/seats';
import { TESTED } from './tested';
import { view } from '../battle/view.svelte';
import type { ModelShown, PieceShown, Plain, TableShown, TokenShown, UnitShown } from '../net/wire';
import type { Marks } from '../answers/marking';

/** The server's reply about a scenario that can be set out. */
interface LaidOut {
  scenario: ScenarioFile;
  text: string;
  table: TableShown;
  pieces: PieceShown[];
  asks: boolean;
  left_out: boolean;
  /** The profiles that the file itself defines. */
  profiles: ProfileKit[];
  since: number;
  models: ModelShown[];
  units: UnitShown[];
  tokens: TokenShown[];
}

/** The state of a model apart from its place, as the server told it last. */
type State = Pick<ModelShown, 'wounds' | 'marks' | 'is_down' | 'command' | 'points' | 'watch' | 'leads'>;

function stateOf({ wounds, marks, is_down, command, points, watch, leads }: ModelShown): State {
  return { wounds, marks, is_down, command, points, watch, leads };
}

/** The moment of a battle that lies there: after `at` answers (null: as it stood then), with `since` answers before it. */
export interface From {
  battle: string;
  at: number | null;
  since: number;
}

interface Kept {
  file: ScenarioFile;
  table: TableShown;
  pieces: PieceShown[];
  own?: ProfileKit[];
  from?: From;
}

const KEPT = 'campale.test.';
/** What lay there before the last file was brought, for undo. */
const BEFORE = 'campale.test-before.';
const LARGEST = 256 * 1024;
const SOON = 500;
const MOST_STEPS = 50;

export const kitOf = (book: string): Promise<Kit> => call(`/api/scenarios/${encodeURIComponent(book)}`);

/** The player's own scenario file, checked: from then on it lies on the test table of its book. */
export async function brought(file: Pick<File, 'name' | 'size' | 'text'>): Promise<LaidOut> {
  if (file.size > LARGEST) throw new ApiError('test.large', '', 0);
  const laid = await call<LaidOut>('/api/scenarios/look', { body: { text: await file.text(), file: file.name } });
  lie(laid);
  return laid;
}

/** Lays a moment of a battle on the test table, as the asking seat may see it; null: now. Returns the book. */
export async function broughtFrom(battle: string, at: number | null, token: string, isPublic: boolean): Promise<string> {
  const how = at === null ? '' : `?at=${at}&public=${isPublic}`;
  const laid = await call<LaidOut>(`/api/battles/${encodeURIComponent(battle)}/scenario${how}`, { token });
  lie(laid, { battle, at, since: laid.since });
  return laid.scenario.ruleset;
}

function lie({ scenario: file, table, pieces, profiles: own }: LaidOut, from?: From): void {
  const now = localStorage.getItem(KEPT + file.ruleset);
  if (now) localStorage.setItem(BEFORE + file.ruleset, now);
  remember({ file, table, pieces, own, from });
}

function remember(kept: Kept): void {
  localStorage.setItem(KEPT + kept.file.ruleset, JSON.stringify(kept));
}

function remembered(kit: Kit, where: string): Kept | null {
  try {
    const kept = JSON.parse(localStorage.getItem(where + kit.book) ?? 'null') as Kept | null;
    return kept?.file.ruleset === kit.book && Array.isArray(kept.file.models) ? kept : null;
  } catch {
    return null;
  }
}

export class TestTable extends Scene {
  file = $state.raw<ScenarioFile>(null!);
  /** Why the position cannot be set out as it is. */
  error = $state.raw<unknown>(null);
  /** Whether the server has checked the present position. */
  isSound = $state(false);
  text = $state('');
  asks = $state(false);
  from = $state.raw<From | undefined>();
  private own: ProfileKit[] = $state.raw([]);
  /** By the names in the file. */
  private states = new Map<string, State>();
  readonly draft: Draft;
  private before: Kept[] = $state.raw([]);
  private looks = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly ofBook: Kit,
    title: string,
  ) {
    super();
    this.book = ofBook.book;
    this.title = ofBook.title;
    this.isLoaded = true;
    this.draft = new Setting(this);
    const before = remembered(ofBook, BEFORE);
    localStorage.removeItem(BEFORE + ofBook.book);
    if (before) this.before = [before];
    this.lay(remembered(ofBook, KEPT) ?? { file: emptyFile(ofBook, title), table: ofBook.table, pieces: [] });
  }

  /** With the profiles that the file brings along. */
  get kit(): Kit {
    return this.own.length ? { ...this.ofBook, profiles: [...this.ofBook.profiles, ...this.own] } : this.ofBook;
  }

  private get kept(): Kept {
    const { file, table, pieces, own, from } = this;
    return { file, table, pieces, own, from };
  }

  get canUndo(): boolean {
    return this.before.length > 0;
  }

  undo(): void {
    const last = this.before.at(-1);
    this.before = this.before.slice(0, -1);
    if (last) this.lay(last);
  }

  private change(to: Partial<Kept>): void {
    this.before = [...this.before, this.kept].slice(-MOST_STEPS);
    this.lay({ ...this.kept, ...to });
  }

  /** Draws the position, with a single question: where all the models are to stand. */
  private lay({ file, table, pieces, own = [], from }: Kept): void {
    [this.file, this.table, this.pieces, this.own, this.from] = [file, table, pieces, own, from];
    const names = [...new Set(file.models.map(unitOf))];
    this.models = file.models.map((one, row): ModelShown => {
      const profile = profileOf(one, this.kit);
      const where = isOnTable(one) ? 'table' : 'reserve';
      const told = { name: one.id, kind: profile?.title ?? one.id, likeness: profile?.likeness ?? '' };
      const shape = profile?.shape ?? { radius: 0.5 };
      const side = (one.side ?? 1) - 1;
      return { row, side, unit: names.indexOf(unitOf(one)), where, ...told, shape, ...placeOf(one), ...this.states.get(one.id) };
    });
    this.units = names.map((name, row) => {
      const models = this.models.filter((one) => one.unit === row);
      return { row, name, side: models[0]?.side ?? 0, models: models.map((one) => one.row) };
    });
    const rows = this.models.filter((one) => one.where === 'table').map((one) => one.row);
    const sheet = { kind: 'place', prompt: 'test', side: null, title: '', models: rows };
    this.moment = { ...this.moment, question: this.question + 1, sheet };
    this.draft.follow();
    remember(this.kept);
    this.isSound = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), SOON);
  }

  /** Has the server check the position. Returns whether it can be set out. */
  async look(): Promise<boolean> {
    clearTimeout(this.timer);
    const turn = ++this.looks;
    this.error = null;
    if (!this.file.models.length) return false;
    try {
      const laid = await call<LaidOut>('/api/scenarios/look', { body: { text: JSON.stringify(this.file) } });
      if (turn !== this.looks) return false;
      [this.text, this.asks, this.isSound] = [laid.text, laid.asks, true];
      this.tell(laid);
      return true;
    } catch (caught) {
      if (turn === this.looks) this.error = caught;
      return false;
    }
  }

  /** Draws the wounds, states and markers of the position. */
  private tell({ models, units, tokens }: LaidOut): void {
    this.states = new Map(this.file.models.map((one, row) => [one.id, models[row] ? stateOf(models[row]) : {}]));
    this.models = this.models.map((one, row) => (models[row] ? { ...one, ...stateOf(models[row]) } : one));
    this.units = this.units.map((one) => ({ ...one, marks: units.find(({ models: [first] }) => first === one.models[0])?.marks }));
    this.tokens = tokens;
  }

  close(): void {
    clearTimeout(this.timer);
    this.looks++;
  }

  // ---------------------------------------------------------------- changes

  setDown(wanted: Wanted, at: XY): void {
    const first = this.file.models.length;
    this.change({ file: setDown(this.file, this.kit, wanted, at) });
    view.select(this.file.models.map((_, row) => row).slice(first));
  }

  /** Takes over what the hand or the keys did to models. */
  take(rows: Moved[]): void {
    const places = new Map<number, Place>();
    for (const one of rows) {
      const end = endOf(one);
      if (end && (one.points.length || one.facing !== null)) places.set(one.row, end);
    }
    if (places.size) this.change({ file: moved(this.file, places) });
  }

  put(row: number, place: Place): void {
    this.change({ file: moved(this.file, new Map([[row, place]])) });
  }

  remove(rows: number[]): void {
    view.select([]);
    this.change({ file: without(this.file, rows) });
  }

  clear(): void {
    view.select([]);
    this.tokens = [];
    this.change({ file: { ...emptyFile(this.kit, String(this.file.title)), table: this.file.table }, own: [], from: undefined });
  }

  /** Puts another table under the same models; empty: the bare one. */
  onto(name: string): void {
    const found = this.kit.tables.find((one) => one.name === name);
    if (!found) {
      const { table: _, ...file } = this.file;
      return this.change({ file, table: this.kit.table, pieces: [] });
    }
    const { width, depth } = { ...this.kit.table, ...(found.table as { width?: number; depth?: number }) };
    this.change({ file: { ...this.file, table: found.table }, table: { ...this.kit.table, width, depth }, pieces: found.pieces });
  }

  /** The name of the book's table that lies there; empty: none of them. */
  get laidOn(): string {
    const now = JSON.stringify(this.file.table ?? null);
    return this.kit.tables.find((one) => JSON.stringify(one.table) === now)?.name ?? '';
  }

  begin(moment: string): void {
    const found = this.kit.moments.find((one) => one.name === moment);
    if (found) this.change({ file: begunIn(this.file, found.now) });
  }

  get momentName(): string {
    const now = this.file.now as { phase?: Plain } | undefined;
    return String(now?.phase ?? this.kit.moments[0]?.name ?? '');
  }

  call(title: string): void {
    this.change({ file: { ...this.file, title: title || this.kit.title } });
  }

  /** Plays on from here. Returns the page. */
  async play(rival: string): Promise<string> {
    const made = await call<Created>('/api/scenarios', { body: { text: JSON.stringify(this.file), rival } });
    seated(made);
    sessionStorage.setItem(TESTED + made.battle, this.kit.book);
    return `/b/${made.battle}`;
  }

  answer(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** The hand at a test table: every model stands where it is put. */
class Setting extends Draft {
  override readonly marks: Marks = $derived({ actors: [], targets: [], letters: {}, spots: [], holders: {}, numbers: {} });

  constructor(private readonly on: TestTable) {
    super(on);
  }

  override touched(): void {
    this.on.take(this.moved);
  }

  override wish(): Promise<boolean> {
    return Promise.resolve(true);
  }

  override wishAbout(): Promise<boolean> {
    return Promise.resolve(true);
  }
}
