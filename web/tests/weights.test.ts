import { describe, expect, it } from 'vitest';
import { briefly } from '../src/answers/whole';
import type { Asked } from '../src/battle/judging.svelte';
import type { Reply, Request } from '../src/net/socket';
import { Weights } from '../src/battle/weights.svelte';
import type { Forecast, Plain } from '../src/net/wire';
import { tongue } from '../src/lib/words.svelte';

const HALF: Forecast = {
  title: 'Musket',
  stages: [
    { title: 'Hits', mean: 0.5, chances: [[0, 0.5], [1, 0.5]] },
    { title: 'Models out of action', mean: 0.25, chances: [[0, 0.75], [1, 0.25]], is_main: true },
    { title: 'Pinned', mean: 0.1, chances: [[0, 0.9], [1, 0.1]] },
  ],
};

function table(reply: (answer: Plain) => Partial<Reply>): { battle: Asked; asked: Plain[] } {
  const asked: Plain[] = [];
  const ask = (request: Request): Promise<Reply | null> => {
    if (request.do !== 'weigh') return Promise.resolve(null);
    asked.push(request.answer as Plain);
    return Promise.resolve({ is: 'weighed', re: 1, ...reply(request.answer as Plain) } as Reply);
  };
  return { battle: { ask } as unknown as Asked, asked };
}

const rest = () => new Promise((done) => setTimeout(done, 5));

describe('weights', () => {
  it('asks for each option once, and keeps the reply', async () => {
    const { battle, asked } = table((answer) => (answer === 1 ? { forecast: HALF } : answer === 2 ? { too_long: true } : {}));
    const weights = new Weights(battle);
    weights.ask(7, [[0]], [1, 2, 3]);
    await rest();
    weights.ask(7, [[0]], [1, 2, 3]);
    await rest();
    expect(asked).toEqual([1, 2, 3]);
    expect(weights.of([[0]], 1)).toEqual(HALF);
    expect(weights.of([[0]], 2)).toBe('long');
    expect(weights.of([[0]], 3)).toBeNull();
    expect(weights.of([[9]], 1)).toBeUndefined();
  });

  it('puts what the player looks at before what still waits, and forgets with the question', async () => {
    const { battle, asked } = table(() => ({ forecast: HALF }));
    const weights = new Weights(battle);
    weights.ask(7, [[0]], [1, 2, 3]);
    weights.ask(7, [[1]], [8]);
    await rest();
    expect(asked).toEqual([1, 8, 2, 3]);
    weights.ask(8, [[0]], []);
    expect(weights.of([[0]], 1)).toBeUndefined();
  });
});

describe('an option’s odds in short', () => {
  it('give the chances of its first and its main stage', () => {
    expect(briefly(HALF)).toBe('hits 50% · models out of action 25%');
    expect(briefly({ ...HALF, stages: HALF.stages.slice(0, 1) })).toBe('hits 50%');
    expect(briefly({ ...HALF, stages: [] })).toBe('');
  });

  it('tell what the shooter himself risks', () => {
    const own = { title: 'Own models out of action', mean: 0.2, chances: [[0, 0.8], [1, 0.2]] as [number, number][], is_risk: true };
    const told = 'hits 50% · models out of action 25% · own models out of action 20%';
    expect(briefly({ ...HALF, stages: [...HALF.stages, own] })).toBe(told);
  });

  it('give the average of an event that may happen several times', async () => {
    await tongue.choose('en');
    const killed = { title: 'Killed', mean: 0.7, chances: [[0, 0.5], [1, 0.3], [2, 0.2]] as [number, number][], is_main: true };
    expect(briefly({ ...HALF, stages: [HALF.stages[0]!, killed] })).toBe('hits 50% · avg 0.7 killed');
  });
});
