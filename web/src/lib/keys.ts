/** The keys of the page, all in one place: no key has two meanings at the same time. */

/** Where an action is available. `anywhere` overlaps with all the others. */
export type Where = 'anywhere' | 'battle' | 'board' | 'ask' | 'replay';

export interface Action {
  id: string;
  /** As in `KeyboardEvent.key`, after `Ctrl+`, `Alt+` and, for named keys and letters, `Shift+`. */
  keys: string[];
  where: Where;
  /** The key of its words. */
  words: string;
  /** Returns whether it did something; false leaves the key to the browser. */
  run?: (event: KeyboardEvent) => boolean | void;
}

type Does = (event: KeyboardEvent) => boolean | void;

/** Every action that has a key. The parts of the page say what their actions do (`does`). */
export const ACTIONS: Action[] = [
  { id: 'help', keys: ['?'], where: 'anywhere', words: 'keys.help' },
  { id: 'cancel', keys: ['Escape'], where: 'anywhere', words: 'keys.cancel' },
  { id: 'unit.next', keys: ['Tab'], where: 'board', words: 'keys.unit.next' },
  { id: 'unit.previous', keys: ['Shift+Tab'], where: 'board', words: 'keys.unit.previous' },
  { id: 'model.previous', keys: ['['], where: 'battle', words: 'keys.model.previous' },
  { id: 'model.next', keys: [']'], where: 'battle', words: 'keys.model.next' },
  { id: 'nudge.left', keys: ['ArrowLeft'], where: 'board', words: 'keys.nudge.left' },
  { id: 'nudge.right', keys: ['ArrowRight'], where: 'board', words: 'keys.nudge.right' },
  { id: 'nudge.up', keys: ['ArrowUp'], where: 'board', words: 'keys.nudge.up' },
  { id: 'nudge.down', keys: ['ArrowDown'], where: 'board', words: 'keys.nudge.down' },
  { id: 'push.left', keys: ['Shift+ArrowLeft'], where: 'board', words: 'keys.push.left' },
  { id: 'push.right', keys: ['Shift+ArrowRight'], where: 'board', words: 'keys.push.right' },
  { id: 'push.up', keys: ['Shift+ArrowUp'], where: 'board', words: 'keys.push.up' },
  { id: 'push.down', keys: ['Shift+ArrowDown'], where: 'board', words: 'keys.push.down' },
  { id: 'turn.left', keys: [','], where: 'board', words: 'keys.turn.left' },
  { id: 'turn.right', keys: ['.'], where: 'board', words: 'keys.turn.right' },
  { id: 'formation', keys: ['f'], where: 'battle', words: 'keys.formation' },
  { id: 'waypoint', keys: ['w'], where: 'board', words: 'keys.waypoint' },
  { id: 'ruler', keys: ['r'], where: 'battle', words: 'keys.ruler' },
  { id: 'rings', keys: ['g'], where: 'battle', words: 'keys.rings' },
  { id: 'sight', keys: ['l'], where: 'battle', words: 'keys.sight' },
  { id: 'eye', keys: ['v'], where: 'battle', words: 'keys.eye' },
  { id: 'card', keys: ['c'], where: 'battle', words: 'keys.card' },
  { id: 'odds', keys: ['o'], where: 'battle', words: 'keys.odds' },
  { id: 'confirm', keys: ['Enter'], where: 'battle', words: 'keys.confirm' },
  { id: 'advance', keys: [' '], where: 'battle', words: 'keys.advance' },
  { id: 'end', keys: ['e'], where: 'battle', words: 'keys.end' },
  { id: 'option', keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], where: 'ask', words: 'keys.option' },
  { id: 'undo', keys: ['u', 'Ctrl+z'], where: 'battle', words: 'keys.undo' },
  { id: 'command', keys: ['/'], where: 'battle', words: 'keys.command' },
  { id: 'motion.pause', keys: ['p'], where: 'anywhere', words: 'keys.motion.pause' },
  { id: 'motion.skip', keys: ['s'], where: 'anywhere', words: 'keys.motion.skip' },
  { id: 'zoom.in', keys: ['+', '='], where: 'anywhere', words: 'keys.zoom.in' },
  { id: 'zoom.out', keys: ['-'], where: 'anywhere', words: 'keys.zoom.out' },
  { id: 'zoom.all', keys: ['0'], where: 'anywhere', words: 'keys.zoom.all' },
  { id: 'replay.back', keys: [',', 'ArrowLeft'], where: 'replay', words: 'keys.replay.back' },
  { id: 'replay.on', keys: ['.', 'ArrowRight'], where: 'replay', words: 'keys.replay.on' },
  { id: 'replay.phase.back', keys: ['<', 'Shift+ArrowLeft'], where: 'replay', words: 'keys.replay.phase.back' },
  { id: 'replay.phase.on', keys: ['>', 'Shift+ArrowRight'], where: 'replay', words: 'keys.replay.phase.on' },
  { id: 'replay.start', keys: ['Home'], where: 'replay', words: 'keys.replay.start' },
  { id: 'replay.end', keys: ['End'], where: 'replay', words: 'keys.replay.end' },
  { id: 'replay.play', keys: [' '], where: 'replay', words: 'keys.replay.play' },
];

/** Whether two actions can be available at the same time. */
function meet(one: Where, other: Where): boolean {
  if (one === other || one === 'anywhere' || other === 'anywhere') return true;
  return one !== 'replay' && other !== 'replay';
}

/** The keys of an action: the player's own, or the default ones. */
export function keysOf(action: Action, bound: Record<string, string> = {}): string[] {
  const own = bound[action.id];
  return own ? [own] : action.keys;
}

/** Pairs of actions that share a key while both are available. */
export function conflicts(actions: Action[], bound: Record<string, string> = {}): [string, string, string][] {
  const found: [string, string, string][] = [];
  for (const [place, one] of actions.entries())
    for (const other of actions.slice(place + 1))
      for (const key of keysOf(one, bound))
        if (meet(one.where, other.where) && keysOf(other, bound).includes(key)) found.push([one.id, other.id, key]);
  return found;
}

/** A key with its modifiers. A sign that needs Shift is written as the sign alone. */
export function written(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>): string {
  const held = `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}`;
  const key = /^[A-Z]$/.test(event.key) ? event.key.toLowerCase() : event.key;
  const isNamed = key.length > 1 || /^[a-z ]$/.test(key);
  return held + (event.shiftKey && isNamed ? 'Shift+' : '') + key;
}

const SIGNS: Record<string, string> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
};

/** A key as shown to the player. */
export function legible(key: string, space: string): string {
  if (key === ' ') return space;
  return key.replace(/[A-Z]\w+$/, (name) => SIGNS[name] ?? name);
}

/** Whether typing goes into a text field. */
export function isTyping(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (!element?.tagName) return false;
  if (element.isContentEditable || element.tagName === 'TEXTAREA' || element.tagName === 'SELECT') return true;
  const kind = element.tagName === 'INPUT' ? (element as HTMLInputElement).type : '';
  return Boolean(kind) && !['checkbox', 'radio', 'button', 'submit', 'range', 'file', 'color'].includes(kind);
}

/** Whether the element has its own use for the key: buttons and links for Enter and Space, sliders for arrows. */
function isOwn(key: string, target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (!element?.tagName) return false;
  if (key === 'Enter' || key === ' ') return Boolean(element.closest('button, a[href], summary, input, [role="tab"]'));
  const isSlider = element.tagName === 'INPUT' && ['range', 'radio'].includes((element as HTMLInputElement).type);
  if (key.includes('Arrow') || key === 'Home' || key === 'End') return isSlider || element.role === 'tab';
  return false;
}

export class Keys {
  private readonly doing = new Map<string, Does[]>();

  constructor(
    private readonly actions: Action[],
    private readonly bound: () => Record<string, string> = () => ({}),
  ) {}

  /** Says what an action does, for as long as that part of the page exists. Returns a function to unsay it. */
  does(id: string, run: Does): () => void {
    if (!this.actions.some((action) => action.id === id)) throw new Error(`no action ${id}`);
    this.doing.set(id, [run, ...(this.doing.get(id) ?? [])]);
    return () => {
      this.doing.set(
        id,
        (this.doing.get(id) ?? []).filter((one) => one !== run),
      );
    };
  }

  /** Several actions at once, for an effect of a component. */
  do(all: Record<string, Does>): () => void {
    const undone = Object.entries(all).map(([id, run]) => this.does(id, run));
    return () => undone.forEach((one) => one());
  }

  /** The key of an action as a button shows it. */
  shown(id: string): string {
    const action = this.actions.find((one) => one.id === id);
    return action ? (keysOf(action, this.bound())[0] ?? '') : '';
  }

  /** Runs the action of a pressed key. The part of the page that registered last goes first; false passes the key on. */
  pressed(event: KeyboardEvent): boolean {
    const key = written(event);
    if (event.defaultPrevented) return false;
    if (key !== 'Escape' && (isTyping(event.target) || isOwn(key, event.target))) return false;
    const bound = this.bound();
    const found = this.actions.filter((action) => keysOf(action, bound).includes(key));
    for (const action of found)
      for (const run of this.doing.get(action.id) ?? [])
        if (run(event) !== false) {
          event.preventDefault();
          return true;
        }
    return false;
  }
}
