/** A battle as this seat may know it, put together from the server's messages. It judges nothing itself. */

import type { Noted } from './journal';
import { Line, type Reply, type Request } from '../net/socket';
import type {
  Again,
  LaidShown,
  Line as JournalLine,
  ModelShown,
  Moment,
  MotionShown,
  News,
  OrderKind,
  PieceShown,
  Plain,
  RefusalShown,
  Sheet,
  Spoken,
  State,
  TableShown,
  Tell,
  TokenShown,
  UnitShown,
} from '../net/wire';

/** A watcher that shows events on the table as they happen. */
export interface Watcher {
  readonly isBusy: boolean;
  happened(before: ModelShown[], now: ModelShown[], motions: MotionShown[]): void;
  /** Ends at once whatever it still shows. */
  skip(): void;
}

/** What a board can show: a battle being played, or a replay. */
export class Scene {
  isLoaded = $state(false);
  id = $state('');
  book = $state('');
  title = $state('');
  side = $state<number | null>(null);
  table = $state.raw<TableShown>({ width: 1, depth: 1, unit: 'inch', grid: 6 });
  pieces = $state.raw<PieceShown[]>([]);
  /** By row. A change replaces the whole model. */
  models = $state.raw<ModelShown[]>([]);
  units = $state.raw<UnitShown[]>([]);
  tokens = $state.raw<TokenShown[]>([]);
  lines = $state.raw<JournalLine[]>([]);
  moment = $state.raw<Moment>({});
  chat = $state.raw<Spoken[]>([]);
  /** The refusal of the player's last attempt, until he tries something else. */
  refusal = $state.raw<RefusalShown | null>(null);

  /** The template laid on the table last, until more happens. */
  laid = $state.raw<LaidShown | null>(null);

  watcher: Watcher | null = null;
  /** The speed of playing as a multiple of the usual one. */
  pace = 1;

  /** Entries for the journal that are no events of the battle. */
  get notes(): Noted[] {
    return this.chat;
  }

  get sheet(): Sheet | null {
    return this.moment.question ? (this.moment.sheet ?? null) : null;
  }

  get question(): number {
    return this.moment.question ?? 0;
  }

  /** Sends a request to the server; null if there is no server, or the line is down. */
  ask(_request: Request): Promise<Reply | null> {
    return Promise.resolve(null);
  }
}

/** The question is no longer open: reported for an answer, but not for a mere look-up. */
const STALE = 'answer.stale';

export class Battle extends Scene {
  isConnected = $state(false);
  /** Whether the server has sent this page away. */
  isLost = $state(false);
  /** Whether the line was ever up: before that it is only slow, not lost. */
  wasConnected = $state(false);
  seq = $state(0);
  failure = $state('');
  /** The server's word for the failure. */
  word = $state('');
  /** The next battle, once a rematch is agreed. */
  again = $state.raw<Again | null>(null);
  /** The standing orders in force, and the kinds of question that can have some. */
  orders = $state.raw<Record<string, Plain>>({});
  orderKinds = $state.raw<OrderKind[]>([]);
  /** When the moment last came, by this page's clock: clocks count from then. */
  told_at = $state(0);

  /** The same battle for the other seat at this page. */
  beside = $state.raw<Battle | null>(null);

  private readonly line: Line;

  /** Whether the server tells this page only what everybody may see: both players sit at it. */
  isVeiled = $state(false);

  constructor(url: string, token: string, language: () => string, isVeiled = false) {
    super();
    this.isVeiled = isVeiled;
    this.line = new Line(url, token, language, {
      told: (message) => this.told(message),
      connected: (is, isFinal = false) => {
        this.isLost ||= isFinal;
        this.isConnected = is;
        this.wasConnected ||= is;
      },
      seen: () => this.seq,
      isVeiled: () => this.isVeiled,
    });
  }

  private told(message: Tell): void {
    if (message.is === 'state') this.whole(message);
    else if (message.is === 'news') this.changed(message);
    else if (message.is === 'chat') this.chat = [...this.chat, message.line];
    else if (message.is === 'refused') this.refusal = message.refusal;
    else if (message.is === 'failed' && message.word !== STALE) [this.failure, this.word] = [message.text, message.word];
    else if (message.is === 'again') this.again = message;
  }

  private whole(state: State): void {
    this.watcher?.skip();
    this.seq = state.seq;
    this.id = state.battle;
    this.book = state.book;
    this.title = state.title;
    this.side = state.side;
    this.table = state.table;
    this.pieces = state.pieces;
    this.models = state.models;
    this.units = state.units;
    this.tokens = state.tokens;
    this.lines = state.lines;
    this.chat = state.chat ?? [];
    this.orders = state.orders ?? {};
    this.orderKinds = state.order_kinds ?? [];
    this.moment = state.moment;
    this.refusal = null;
    this.told_at = Date.now();
    this.isLoaded = true;
  }

  private changed(news: News): void {
    this.seq = news.seq;
    if (news.pieces) this.pieces = news.pieces;
    const before = this.models;
    if (news.models?.length) this.models = byRow(before, news.models);
    if (news.motions?.length) this.watcher?.happened(before, this.models, news.motions);
    if (news.units?.length) this.units = byRow(this.units, news.units);
    if (news.tokens) this.tokens = news.tokens;
    if (news.cut != null || news.lines?.length) {
      this.lines = [...this.lines.slice(0, news.cut ?? this.lines.length), ...(news.lines ?? [])];
      this.laid = lastLaid(news.lines);
    }
    const told = news.moment;
    if (told.seats || told.waiting_for) this.told_at = Date.now();
    this.moment = { ...this.moment, ...told };
    if (told.question === 0 || this.moment.veil === 'secret') this.moment = { ...this.moment, sheet: null };
    if (told.has_proposal === false) this.moment = { ...this.moment, proposal: null };
    if (told.question !== undefined) this.refusal = null;
  }

  override ask(request: Request): Promise<Reply | null> {
    this.failure = '';
    return this.line.ask(request);
  }

  /** Answers the question with that number, even if it is no longer open. Resolves to whether the answer was accepted. */
  async answer(question: number, answer: Plain): Promise<boolean> {
    this.watcher?.skip();
    this.refusal = null;
    const reply = await this.ask({ do: 'answer', question, answer });
    if (reply?.is === 'failed') this.failure = reply.text;
    return reply?.is === 'done';
  }

  /** Whether a player at this page can take back his last decision. */
  get mayUndo(): boolean {
    return [this, this.beside].some((one) => one?.moment.may_undo);
  }

  undo(): Promise<Reply | null> {
    const found = [this, this.beside].find((one) => one?.moment.may_undo);
    return (found ?? this).ask({ do: 'undo' });
  }

  /** Switches between what everybody may see and what this seat may see. Each is its own stream, from the beginning. */
  veil(is: boolean): void {
    if (this.isVeiled === is) return;
    this.isVeiled = is;
    this.seq = 0;
    void this.ask({ do: 'veil', on: is });
  }

  say(text: string): void {
    this.line.send({ do: 'say', text });
  }

  speak(language: string): void {
    this.line.send({ do: 'speak', language });
  }

  close(): void {
    this.line.close();
  }
}

/** The rows, with the changed ones replaced. */
export function byRow<T extends { row: number }>(old: T[], changed: T[]): T[] {
  const found = [...old];
  for (const one of changed) found[one.row] = one;
  return found;
}

/** The last template that the journal lines tell of. */
export function lastLaid(lines: JournalLine[] | undefined): LaidShown | null {
  return lines?.findLast((line) => line.laid)?.laid ?? null;
}
