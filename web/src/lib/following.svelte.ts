/** Long work that the server does: asked for, followed while it goes on, stopped. */

import { call } from './api';

const PAUSE = 700;

/** Where work for a battle is asked for. */
export const workOf = (battle: string, work: 'trials' | 'analysis'): string => `/api/battles/${encodeURIComponent(battle)}/${work}`;

export class Following<Shown extends { is_running: boolean; of: number }> {
  /** What is told of it; null where it was never asked for. */
  shown = $state.raw<Shown | null>(null);
  error = $state.raw<unknown>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  /** `path`: where it is followed, and, unless `origin` says otherwise, where it is asked for. */
  constructor(
    protected path: string,
    private readonly token = '',
  ) {}

  begin = (wanted: object = {}): Promise<void> => this.ask(this.origin, wanted);
  stop = (): Promise<void> => this.ask(`${this.path}/stop`, {});

  /** What was asked for before, if anything was. */
  look = (): Promise<void> => this.ask(this.path);

  protected get origin(): string {
    return this.path;
  }

  /** What was told of it came. */
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
