/** The tokens of the seats that are mine, kept in this browser: whoever has one answers for that seat. */

export interface Mine {
  side: number;
  token: string;
}

const KEPT = 'campale.seats';

function all(): Record<string, Mine[]> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Record<string, Mine[]>;
  } catch {
    return {};
  }
}

export function seatsOf(battle: string): Mine[] {
  return all()[battle] ?? [];
}

export function keep(battle: string, seats: Mine[]): void {
  const others = seatsOf(battle).filter((one) => !seats.some((seat) => seat.side === one.side));
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

/** A link that lets somebody sit down: kept so that it can be sent again. */
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

/** What the server made: the tokens of my seats and the links for the others. */
export function seated(made: { battle: string; seats: { side: number; token?: string | null; join?: string | null }[] }): void {
  keep(
    made.battle,
    made.seats.flatMap(({ side, token }) => (token ? [{ side, token }] : [])),
  );
  const sent = made.seats.flatMap(({ side, join }) => (join ? [{ side, code: join }] : []));
  if (sent.length) localStorage.setItem(SENT + made.battle, JSON.stringify(sent));
}
