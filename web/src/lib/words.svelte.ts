/** The words of the page itself, in the chosen language. The server's texts already come in that language. */

export type Language = 'en' | 'it';
export type Part = 'club' | 'inquiry' | 'laboratory' | 'list' | 'settings' | 'test' | 'trials';
type Catalogue = Record<string, string>;
const CATALOGUES: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import('../words/en.json'),
  it: () => import('../words/it.json'),
};
/** The words of pages that not everybody visits, and of parts that are seldom opened. */
const OF_A_PART: Record<Part, Record<Language, () => Promise<{ default: Catalogue }>>> = {
  club: { en: () => import('../club/words-en'), it: () => import('../club/words-it') },
  inquiry: { en: () => import('../inquiry/words-en'), it: () => import('../inquiry/words-it') },
  laboratory: { en: () => import('../laboratory/words-en'), it: () => import('../laboratory/words-it') },
  list: { en: () => import('../list/words-en'), it: () => import('../list/words-it') },
  settings: { en: () => import('../settings/words-en'), it: () => import('../settings/words-it') },
  test: { en: () => import('../test/words-en'), it: () => import('../test/words-it') },
  trials: { en: () => import('../trials/words-en'), it: () => import('../trials/words-it') },
};
const KEPT = 'campale.language';
/** The languages' own names. */
export const NAMES: Record<Language, string> = { en: 'English', it: 'Italiano' };

function first(): Language {
  const kept = localStorage.getItem(KEPT) ?? navigator.language.slice(0, 2);
  return kept === 'it' ? 'it' : 'en';
}

/** One language is loaded at a time; the page appears once the first has come (`ready`). */
class Tongue {
  language = $state<Language>('en');
  words = $state.raw<Catalogue>({});
  ofParts = $state.raw<Catalogue>({});
  readonly ready: Promise<void>;
  private wanted: Language = 'en';
  private readonly parts: Part[] = [];

  constructor() {
    this.ready = this.choose(first());
  }

  /** The language chosen last wins, whichever loads first. One that does not load changes nothing. */
  async choose(language: Language): Promise<void> {
    this.wanted = language;
    const parts = Promise.all(this.parts.map((part) => OF_A_PART[part][language]()));
    const { default: words } = await CATALOGUES[language]();
    const ofParts = await parts;
    if (this.wanted !== language) return;
    this.words = words;
    if (ofParts.length) this.ofParts = Object.assign({}, ...ofParts.map((one) => one.default));
    this.language = language;
    localStorage.setItem(KEPT, language);
    document.documentElement.lang = language;
  }

  /** The words of a part load with the first of its pages. */
  async enter(part: Part): Promise<void> {
    if (this.parts.includes(part)) return;
    this.parts.push(part);
    const language = this.wanted;
    const { default: words } = await OF_A_PART[part][language]();
    if (this.wanted === language) this.ofParts = { ...this.ofParts, ...words };
  }
}

export const tongue = new Tongue();

/** A piece of the page, once the words of its part have loaded, too. */
export async function within<T>(part: Part, piece: Promise<T>): Promise<T> {
  await tongue.enter(part);
  return piece;
}

/**
 * The words of a key; `{name}` is filled in, and `key.one` is used if `count` is 1 and there is one. `{name|one|many}`
 * is a word that depends on the number in its place.
 */
export function say(key: string, values: Record<string, string | number> = {}): string {
  const words = (one: string) => tongue.words[one] ?? tongue.ofParts[one];
  const single = values.count === 1 ? words(`${key}.one`) : undefined;
  const text = single ?? words(key) ?? key;
  return text.replace(/\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g, (_, name: string, one?: string, many?: string) =>
    many === undefined ? shown(values[name] ?? '') : Number(values[name]) === 1 ? one! : many,
  );
}

function shown(value: string | number): string {
  if (typeof value === 'string') return value;
  const text = String(Math.round(value * 100) / 100);
  return tongue.language === 'it' ? text.replace('.', ',') : text;
}
