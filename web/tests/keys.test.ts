import { describe, expect, test, vi } from 'vitest';
import { ACTIONS, conflicts, isTyping, Keys, keysOf, legible, written, type Action } from '../src/lib/keys';

const press = (key: string, more: object = {}) =>
  ({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, target: null, preventDefault: vi.fn(), ...more }) as unknown as KeyboardEvent;
const element = (tagName: string, type = '', more: object = {}) => ({ tagName, type, closest: () => null, ...more });

describe('the registry', () => {
  test('no key has two meanings at the same time', () => expect(conflicts(ACTIONS)).toEqual([]));

  test('no two actions have one name', () => expect(new Set(ACTIONS.map((one) => one.id)).size).toBe(ACTIONS.length));

  test('every action has a key', () => expect(ACTIONS.filter((one) => !one.keys.length)).toEqual([]));

  test('a key bound twice is found', () => {
    expect(conflicts(ACTIONS, { rings: 'c' })).toContainEqual(['rings', 'card', 'c']);
  });

  test('a replay and a question are never on the same page', () => {
    const some: Action[] = [
      { id: 'a', keys: ['.'], where: 'board', words: 'a' },
      { id: 'b', keys: ['.'], where: 'replay', words: 'b' },
      { id: 'c', keys: ['.'], where: 'anywhere', words: 'c' },
    ];
    expect(conflicts(some)).toEqual([['a', 'c', '.'], ['b', 'c', '.']]);
  });

  test('a player’s own key replaces all the defaults', () => {
    const undo = ACTIONS.find((one) => one.id === 'undo')!;
    expect(keysOf(undo)).toEqual(['u', 'Ctrl+z']);
    expect(keysOf(undo, { undo: 'x' })).toEqual(['x']);
  });
});

describe('written', () => {
  test.each([
    [{ key: 'u' }, 'u'],
    [{ key: 'U', shiftKey: true }, 'Shift+u'],
    [{ key: 'z', ctrlKey: true }, 'Ctrl+z'],
    [{ key: 'z', metaKey: true }, 'Ctrl+z'],
    [{ key: '?', shiftKey: true }, '?'],
    [{ key: 'Tab', shiftKey: true }, 'Shift+Tab'],
    [{ key: ' ' }, ' '],
  ])('%o', (event, text) => expect(written(press('', event))).toBe(text));
});

test.each([[' ', 'Space'], ['Shift+ArrowLeft', 'Shift+←'], ['Escape', 'Esc'], ['Ctrl+z', 'Ctrl+z'], ['Shift+Tab', 'Shift+Tab']])('%s is legible', (key, text) =>
  expect(legible(key, 'Space')).toBe(text),
);

describe('pressing', () => {
  const some: Action[] = [
    { id: 'go', keys: ['g'], where: 'battle', words: 'go' },
    { id: 'cancel', keys: ['Escape'], where: 'anywhere', words: 'cancel' },
    { id: 'confirm', keys: ['Enter'], where: 'battle', words: 'confirm' },
  ];

  test('runs the action, and keeps the key from the browser', () => {
    const keys = new Keys(some);
    const go = vi.fn();
    keys.does('go', go);
    const event = press('g');
    expect(keys.pressed(event)).toBe(true);
    expect(go).toHaveBeenCalledOnce();
    expect(event.preventDefault).toHaveBeenCalledOnce();
  });

  test('a key without an action is left to the browser', () => {
    const event = press('g');
    expect(new Keys(some).pressed(event)).toBe(false);
    expect(event.preventDefault).not.toHaveBeenCalled();
  });

  test('the last part to register goes first, and may pass the key on', () => {
    const keys = new Keys(some);
    const done: string[] = [];
    keys.does('go', () => void done.push('first'));
    keys.does('go', () => {
      done.push('second');
      return false;
    });
    keys.pressed(press('g'));
    expect(done).toEqual(['second', 'first']);
  });

  test('an action taken back does not run', () => {
    const keys = new Keys(some);
    const go = vi.fn();
    keys.do({ go })();
    expect(keys.pressed(press('g'))).toBe(false);
    expect(go).not.toHaveBeenCalled();
  });

  test.each([element('INPUT', 'text'), element('TEXTAREA'), element('SELECT'), element('DIV', '', { isContentEditable: true })])(
    'a letter typed into a field sets nothing off',
    (target) => {
      const keys = new Keys(some);
      keys.does('go', () => {});
      expect(isTyping(target as unknown as EventTarget)).toBe(true);
      expect(keys.pressed(press('g', { target }))).toBe(false);
    },
  );

  test('a key with Ctrl held does not either: it belongs to the field', () => {
    const keys = new Keys([{ id: 'undo', keys: ['Ctrl+z'], where: 'battle', words: 'undo' }]);
    keys.does('undo', () => {});
    expect(keys.pressed(press('z', { ctrlKey: true, target: element('INPUT', 'text') }))).toBe(false);
    expect(keys.pressed(press('z', { ctrlKey: true, target: element('DIV') }))).toBe(true);
  });

  test('Escape works, even in a field', () => {
    const keys = new Keys(some);
    keys.does('cancel', () => {});
    expect(keys.pressed(press('Escape', { target: element('INPUT', 'text') }))).toBe(true);
  });

  test('Enter on a button presses the button', () => {
    const keys = new Keys(some);
    keys.does('confirm', () => {});
    const button = element('BUTTON', '', { closest: () => ({}) });
    expect(keys.pressed(press('Enter', { target: button }))).toBe(false);
    expect(keys.pressed(press('Enter', { target: element('DIV') }))).toBe(true);
  });

  test('a tick box is no text field', () => expect(isTyping(element('INPUT', 'checkbox') as unknown as EventTarget)).toBe(false));

  test('a player’s own keys work and are shown', () => {
    const keys = new Keys(some, () => ({ go: 'x' }));
    keys.does('go', () => {});
    expect([keys.pressed(press('g')), keys.pressed(press('x')), keys.shown('go')]).toEqual([false, true, 'x']);
  });

  test('an unknown action cannot be registered', () => expect(() => new Keys(some).does('fly', () => {})).toThrow('fly'));
});
