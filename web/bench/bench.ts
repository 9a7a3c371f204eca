/**
 * The board by itself, to be looked at and measured: 200 bases of its own, or the state at `?state=`.
 *
 * `window.measured()` drags a whole unit to and fro for two seconds and tells how long the frames took.
 */

import { mount } from 'svelte';
import { Scene } from '../src/battle/battle.svelte';
import { Draft } from '../src/battle/draft.svelte';
import { keys } from '../src/lib/keyboard';
import { view } from '../src/battle/view.svelte';
import type { Look, ModelShown, State } from '../src/net/wire';
import '../src/page.css';
import Bench from './Bench.svelte';

class Still extends Scene {
  looks = new Map<number, Look>();

  show(state: State): void {
    for (const key of ['table', 'pieces', 'models', 'units', 'tokens', 'side', 'title', 'moment'] as const) {
      Object.assign(this, { [key]: state[key] });
    }
    this.isLoaded = true;
  }

  override ask(request: Parameters<Scene['ask']>[0]): ReturnType<Scene['ask']> {
    const look = request.do === 'look' ? this.looks.get(request.model) : undefined;
    return Promise.resolve(look ? { is: 'looked', re: 1, look } : null);
  }

  answer(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

function crowd(count: number): State {
  const models = Array.from({ length: count }, (_, row): ModelShown => ({
    row,
    side: row % 2,
    unit: Math.floor(row / 20) * 2 + (row % 2),
    name: `Model ${row}`,
    kind: 'model',
    where: 'table',
    x: 3 + (row % 20) * 3.4,
    y: 3 + Math.floor(row / 20) * 4,
    shape: { radius: 0.63, height: 1.5 },
    wounds: [2, 3],
  }));
  const units = Array.from({ length: Math.ceil(count / 10) }, (_, row) => ({
    row,
    side: row % 2,
    name: `Unit ${row}`,
    models: models.filter((one) => one.unit === row).map((one) => one.row),
  }));
  const own = models.filter((one) => one.unit === 0).map((one) => one.row);
  const sheet = {
    kind: 'move',
    prompt: '',
    side: 0,
    title: '',
    models: own,
    several: true,
    shown: { allowance: 6, coherency: 2, clear_of_enemies: 1 },
  };
  return {
    is: 'state',
    seq: 1,
    battle: '',
    book: '',
    title: '',
    side: 0,
    language: 'en',
    pieces: [],
    tokens: [],
    lines: [],
    table: { width: 72, depth: 48, unit: 'inch', grid: 6 },
    models,
    units,
    moment: { stage: 'playing', question: 1, sheet },
  };
}

/** The times between frames while a unit is dragged, in milliseconds: the median, the 95th of a hundred, the longest. */
async function measured(seconds = 2): Promise<{ median: number; p95: number; longest: number; frames: number }> {
  const svg = document.querySelector<SVGSVGElement>('.board > svg')!;
  const handle = document.querySelector('[data-handle]')!;
  const box = handle.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const send = (target: Element, type: string, dx: number, dy: number) =>
    target.dispatchEvent(
      new PointerEvent(type, {
        bubbles: true,
        pointerId: 1,
        button: 0,
        isPrimary: true,
        clientX: x + dx,
        clientY: y + dy,
      }),
    );
  svg.setPointerCapture = () => undefined;
  send(handle, 'pointerdown', 0, 0);
  const times: number[] = [];
  const start = performance.now();
  let last = start;
  while (last - start < seconds * 1000) {
    const now = await new Promise<number>(requestAnimationFrame);
    times.push(now - last);
    last = now;
    const turn = (now - start) / 300;
    send(svg, 'pointermove', 120 * Math.sin(turn), 60 * Math.cos(turn));
  }
  send(svg, 'pointerup', 0, 0);
  const sorted = times.slice(2).sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { median: at(0.5), p95: at(0.95), longest: at(1), frames: sorted.length };
}

const asked = new URLSearchParams(location.search);
const battle = new Still();
const from = asked.get('state');
const state = (from ? await (await fetch(from)).json() : crowd(Number(asked.get('bases') ?? 200))) as State & {
  looks?: Look[];
};
battle.show(state);
for (const look of state.looks ?? []) battle.looks.set(look.model, look);
const draft = new Draft(battle);
draft.follow();
addEventListener('keydown', (event) => keys.pressed(event));
document.documentElement.dataset.theme = asked.get('theme') ?? 'light';
mount(Bench, { target: document.getElementById('page')!, props: { battle, draft } });
Object.assign(window, { measured, view, draft, battle });
