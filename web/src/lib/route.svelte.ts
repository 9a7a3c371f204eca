/** Which page is open, by the path of its address. */

export type Place =
  | { page: 'home' }
  | { page: 'new'; book: string; army?: string }
  | { page: 'join'; code: string }
  | { page: 'battle'; id: string }
  | { page: 'replay'; id: string; at: number | null }
  | { page: 'rules'; book: string; rule: string }
  | { page: 'odds'; query: string }
  | { page: 'armies'; book: string }
  | { page: 'build'; query: string }
  | { page: 'puzzles' }
  | { page: 'laboratory' }
  | { page: 'test'; book: string }
  | { page: 'club' }
  | { page: 'organise' }
  | { page: 'come'; code: string }
  | { page: 'season'; id: string }
  | { page: 'newSeason' }
  | { page: 'lost' };

/** The place that a path names. */
export function place(path: string, query = ''): Place {
  const [first = '', second = '', ...rest] = path.split('/').filter(Boolean).map(decoded);
  if (!first) return { page: 'home' };
  if (first === 'new' && !second) return begun(new URLSearchParams(query));
  if (first === 'join' && second && !rest.length) return { page: 'join', code: second };
  if (first === 'b' && second && !rest.length) return { page: 'battle', id: second };
  if (first === 'replay' && second && !rest.length) return { page: 'replay', id: second, at: moment(query) };
  if (first === 'rules') return { page: 'rules', book: second, rule: rest.join('/') };
  if (first === 'odds' && !second) return { page: 'odds', query };
  if (first === 'laboratory' && !second) return { page: 'laboratory' };
  if (first === 'puzzles' && !second) return { page: 'puzzles' };
  if (first === 'test' && !rest.length) return { page: 'test', book: second };
  if (first === 'build' && !second) return { page: 'build', query };
  if (first === 'armies' && !second) return { page: 'armies', book: new URLSearchParams(query).get('book') ?? '' };
  if (first === 'club') return ofClub(second, rest);
  return { page: 'lost' };
}

function ofClub(second: string, rest: string[]): Place {
  if (!second) return { page: 'club' };
  if (second === 'organise' && !rest.length) return { page: 'organise' };
  if (second === 'new-season' && !rest.length) return { page: 'newSeason' };
  if (second === 'seasons' && rest.length === 1) return { page: 'season', id: rest[0]! };
  if (second === 'come' && rest.length === 1) return { page: 'come', code: rest[0]! };
  return { page: 'lost' };
}

/** A new battle may begin with a book, and with the player's own army. */
function begun(query: URLSearchParams): Place {
  const [book, army] = [query.get('book') ?? '', query.get('army')];
  return { page: 'new', book, ...(army === null ? {} : { army }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function moment(query: string): number | null {
  const at = new URLSearchParams(query).get('at');
  return at !== null && /^\d+$/.test(at) ? Number(at) : null;
}

/** How many pages of this site lie behind the open one. */
const steps = (): number => Number((history.state as { steps?: number } | null)?.steps ?? 0);

class Route {
  /** Whether there is a page of this site to go back to. */
  isWithin = $state(false);
  place = $state.raw<Place>({ page: 'home' });

  constructor() {
    if (typeof window === 'undefined') return;
    this.look();
    window.addEventListener('popstate', () => this.look());
  }

  look(): void {
    this.place = place(location.pathname, location.search);
    this.isWithin = steps() > 0;
  }

  /** Goes to a page without loading anything. */
  go(path: string): void {
    history.pushState({ steps: steps() + 1 }, '', path);
    this.look();
    window.scrollTo(0, 0);
    document.getElementById('content')?.focus({ preventScroll: true });
  }

  /** Goes back to the page before; if this one was opened from elsewhere, to another. */
  back(otherwise: string): void {
    if (this.isWithin) history.back();
    else this.go(otherwise);
  }
}

export const route = new Route();

/** Follows a link within the page; links to a new tab or another site are left to the browser. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname)) return;
  event.preventDefault();
  route.go(link.pathname + link.search);
}
