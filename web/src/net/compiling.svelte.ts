/** How much of its geometry the server has compiled: until it has finished, it is slower, and thinking bots wait. */

import { api } from './api';

export const compiling = $state({ done: 0, of: 0 });

const PAUSE = 1500;

/** Asks the server until everything is compiled. A server that does not say is not asked again. */
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
