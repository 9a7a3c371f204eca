/** Whether and how the board plays events: the player loads when it is first wanted. */

import type { Scene } from '../battle/battle.svelte';
import { keys } from '../lib/keyboard';
import { settings } from '../lib/settings.svelte';
import type { ModelShown } from '../net/wire';
import type { Playing } from './playing.svelte';

type Parts = typeof import('./play');

/** Whether the viewer wants nothing to move. */
const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Showing {
  parts = $state.raw<Parts | null>(null);
  playing = $state.raw<Playing | null>(null);

  constructor(
    private readonly scene: () => Scene,
    private readonly svg: () => SVGSVGElement | undefined,
  ) {}

  /** The models as the board should show them. */
  get models(): ModelShown[] {
    return this.playing?.models ?? this.scene().models;
  }

  /** For an effect: watches the scene while the viewer wants to see events. */
  follow(): () => void {
    const scene = this.scene();
    let isOver = settings.likes.motion === 'off' || isStill();
    if (!isOver)
      void import('./play').then((parts) => {
        if (isOver) return;
        this.parts = parts;
        this.playing = scene.watcher = new parts.Playing({
          svg: this.svg,
          depth: () => scene.table.depth,
          pace: () => scene.pace,
        });
      });
    return () => {
      isOver = true;
      this.playing?.close();
      this.playing = scene.watcher = null;
    };
  }

  /** A click on the board, or a key, ends the play: all that was left has happened. */
  skip(): boolean {
    if (!this.playing?.isBusy) return false;
    this.playing.skip();
    return true;
  }

  does(): () => void {
    return keys.do({
      'motion.skip': () => this.skip(),
      'motion.pause': () => {
        if (!this.playing?.isBusy) return false;
        this.playing.pause();
        return true;
      },
    });
  }
}
