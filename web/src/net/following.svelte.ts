/** Long work on the server: the page asks for it, follows its progress, and stops it. */

import { call } from './api';

const PAUSE = 700;

/** The address at which to ask for work on a battle. */
export const workOf = (battle: string, work: 'trials' | 'analysis'): string => `/api/battles/${encodeURIComponent(battle)}/${work}`;

export class Following<Shown extends { is_running: boolean; of: number }> {
  /** The latest report; null if the work was never asked for. */
  shown = $state.raw<Shown | null>(null);
  error = $state.raw<unknown>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  /** `path`: where to follow the work, and, unless `origin` says otherwise, where to ask for it. */
  constructor(
    protected path: string,
    private readonly token = '',
  ) {}

  begin = (wanted: object = {}): Promise<void> => this.ask(this.origin, wanted);
  stop = (): Promise<void> => this.ask(`${this.path}/stop`, {});

  /** Looks for work that was asked for before. */
  look = (): Promise<void> => this.ask(this.path);

  protected get origin(): string {
    return this.path;
  }

  /** Called with each report. */
  protected came(_shown: Shown): void {}

  protected async ask(path: string, body?: unknown): Promise<void> {
    clearTimeout(this.timer);
    this.error = null;
    try {
      const shown = await call<Shown>(path, { token: this.token, body });
      this.came(shown);
      this.shown = shown.of ? shown : null;
    } catch (caught) {
      this.error = caught;
    }
    if (!this.isClosed && !this.error && this.shown?.is_running) this.timer = setTimeout(() => void this.ask(this.path), PAUSE);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }
}
