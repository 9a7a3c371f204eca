/** How much of the geometry the server has compiled: until all of it is, it is slower, and bots that think wait. */

import { api } from './api';

export const compiling = $state({ done: 0, of: 0 });

const PAUSE = 1500;

/** Ask the server until all is compiled. What it does not say is not asked again. */
export async function watch(pause: (ms: number) => Promise<unknown> = wait): Promise<void> {
  try {
    do {
      Object.assign(compiling, await api.compiling());
    } while (compiling.done < compiling.of && (await pause(PAUSE), true));
  } catch {
    Object.assign(compiling, { done: 0, of: 0 });
  }
}

function wait(ms: number): Promise<unknown> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
