/** The tokens of the player's seats, kept in this browser: a token lets its bearer answer for the seat. */

export interface Mine {
  side: number;
  token: string;
}

const KEPT = 'campale.seats';

/** Seats of the signed-in account: its session's token opens them, and they are not kept. */
const lent = new Map<string, Mine[]>();

function all(): Record<string, Mine[]> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, Mine[]>;
  } catch {
    return {};
  }
}

/** Only the seats kept in this browser. */
export function keptOf(battle: string): Mine[] {
  return all()[battle] ?? [];
}

export function seatsOf(battle: string): Mine[] {
  return all()[battle] ?? lent.get(battle) ?? [];
}

export function lend(battle: string, seat: Mine): void {
  lent.set(battle, [seat]);
}

export function takeBack(): void {
  lent.clear();
}

export function keep(battle: string, seats: Mine[]): void {
  const others = keptOf(battle).filter((one) => !seats.some((seat) => seat.side === one.side));
  const kept = { ...all(), [battle]: [...others, ...seats].sort((a, b) => a.side - b.side) };
  localStorage.setItem(KEPT, JSON.stringify(kept));
}

export function forget(battle: string): void {
  const kept = all();
  delete kept[battle];
  localStorage.setItem(KEPT, JSON.stringify(kept));
}

export function tokens(): string[] {
  return Object.values(all()).flatMap((seats) => seats.map((seat) => seat.token));
}

// ---------------------------------------------------------------- from one device to another

const CARRIED = '#seat=';
const SEAT = /^([01])\.([\w-]{20,200})$/;

/** The link to the seats of this browser. They stand behind the #, which no browser sends to a server. */
export function linkToSeats(battle: string): string {
  const seats = keptOf(battle).map(({ side, token }) => `${side}.${token}`);
  return `${location.origin}/b/${battle}${CARRIED}${seats.join()}`;
}

/** Takes the seats in the address, and removes them from it. A seat that this browser already has stays its own. */
export function sitByLink(): boolean {
  const battle = /^\/b\/([^/]+)\/?$/.exec(location.pathname)?.[1];
  if (!battle || !location.hash.startsWith(CARRIED)) return false;
  const had = keptOf(battle);
  const brought = location.hash
    .slice(CARRIED.length)
    .split(',')
    .flatMap((one) => {
      const [, side, token] = SEAT.exec(one) ?? [];
      return side && token ? [{ side: Number(side), token }] : [];
    });
  const fresh = brought.filter((one) => !had.some((seat) => seat.side === one.side));
  if (fresh.length) keep(battle, fresh);
  history.replaceState(history.state, '', location.pathname + location.search);
  return fresh.length > 0;
}

// ---------------------------------------------------------------- invitations

/** A link that lets a player sit down: kept so that it can be sent again. */
export interface Invitation {
  side: number;
  code: string;
}

const SENT = 'campale.invitations.';

export function invitations(battle: string): Invitation[] {
  try {
    return JSON.parse(localStorage.getItem(SENT + battle) ?? '[]') as Invitation[];
  } catch {
    return [];
  }
}

/** Keeps the server's reply: the tokens of the player's seats, and the links for the others. */
export function seated(made: { battle: string; seats: { side: number; token?: string | null; join?: string | null }[] }): void {
  keep(
    made.battle,
    made.seats.flatMap(({ side, token }) => (token ? [{ side, token }] : [])),
  );
  const sent = made.seats.flatMap(({ side, join }) => (join ? [{ side, code: join }] : []));
  if (sent.length) localStorage.setItem(SENT + made.battle, JSON.stringify(sent));
}
