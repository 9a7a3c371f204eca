/** What to set down next at a test table, and whether a click on the ground does so. */

import type { XY } from '../lib/geometry';
import { freePlace, type ProfileKit } from '../lib/scenario';
import type { TestTable } from '../lib/testing.svelte';

const MOST_MODELS = 200;
const MOST_AT_ONCE = 30;

export class Palette {
  side = $state(1);
  name = $state('');
  count = $state(5);
  /** Whether a click on the ground sets down models. */
  isHeld = $state(true);

  constructor(private readonly test: TestTable) {
    this.name = test.kit.profiles[0]?.name ?? '';
    this.count = test.kit.alone ? 1 : 5;
  }

  get profile(): ProfileKit | undefined {
    return this.test.kit.profiles.find((one) => one.name === this.name);
  }

  /** How many more models the file has room for, up to the most at once. */
  get most(): number {
    return Math.min(MOST_AT_ONCE, MOST_MODELS - this.test.file.models.length);
  }

  tap(at: XY): boolean {
    return this.isHeld && this.setDown(at);
  }

  setDown(at: XY | null): boolean {
    const { profile, side } = this;
    const count = Math.max(1, Math.min(this.most, Math.round(this.count) || 1));
    const { width, depth } = this.test.table;
    if (!profile || this.most < 1) return false;
    const to = at ?? freePlace(this.test.file, this.test.kit, this.test.table, { profile, side, count });
    if (to[0] < 0 || to[1] < 0 || to[0] > width || to[1] > depth) return false;
    this.test.setDown({ profile, side, count }, to);
    return true;
  }
}
