/** Long work that is done for a battle: asked for, followed while it goes on, stopped. */

import { call } from './api';

const PAUSE = 700;

export class Following<Shown extends { is_running: boolean; of: number }> {
  /** What is told of it; null where it was never asked for. */
  shown = $state.raw<Shown | null>(null);
  error = $state.raw<unknown>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  private readonly path: string;

  constructor(
    battle: string,
    work: 'trials' | 'analysis',
    private readonly token: string,
  ) {
    this.path = `/api/battles/${encodeURIComponent(battle)}/${work}`;
  }

  begin = (wanted: object = {}): Promise<void> => this.ask(this.path, wanted);
  stop = (): Promise<void> => this.ask(`${this.path}/stop`, {});

  /** What was asked for before, if anything was. */
  look = (): Promise<void> => this.ask(this.path);

  private async ask(path: string, body?: unknown): Promise<void> {
    clearTimeout(this.timer);
    this.error = null;
    try {
      const shown = await call<Shown>(path, { token: this.token, body });
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
