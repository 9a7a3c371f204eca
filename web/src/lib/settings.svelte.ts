/** The player's settings, kept in this browser. */

export interface Likes {
  theme: 'auto' | 'light' | 'dark';
  /** Which questions a new battle stops at: every one, or only those whose answer can matter. */
  pause: 'every' | 'matters';
  /** Show lengths in the other unit beside the book's. */
  both_units: boolean;
  hand: 'right' | 'left';
  /** When one page holds both seats: hand it over for every turn and secret, or for secrets only. */
  handover: 'turns' | 'secrets';
  panel: 'side' | 'bottom';
  /** How fast events play on the table. */
  motion: 'normal' | 'fast' | 'off';
  /** The player's own key bindings, by the action's id. */
  keys: Record<string, string>;
  name: string;
}

const KEPT = 'campale.likes';
const FIRST: Likes = {
  theme: 'auto',
  pause: 'matters',
  both_units: false,
  hand: 'right',
  handover: 'turns',
  panel: 'side',
  motion: 'normal',
  keys: {},
  name: '',
};

/** The settings as they were stored, as far as they can be understood. */
export function read(text: string | null): Likes {
  try {
    const found: unknown = JSON.parse(text ?? '{}');
    return { ...FIRST, ...(typeof found === 'object' ? found : {}) };
  } catch {
    return { ...FIRST };
  }
}

class Settings {
  likes = $state<Likes>(read(localStorage.getItem(KEPT)));

  constructor() {
    this.dress();
  }

  change(changed: Partial<Likes>): void {
    Object.assign(this.likes, changed);
    localStorage.setItem(KEPT, JSON.stringify(this.likes));
    this.dress();
  }

  private dress(): void {
    document.documentElement.dataset.theme = this.likes.theme;
  }
}

export const settings = new Settings();
