import { describe, expect, test } from 'vitest';
import { parse, type Command } from '../src/lib/command';

const ALL: [string, Command | null][] = [
  ['', null],
  ['/', null],
  ['/ 3', { do: 'choose', number: 3 }],
  ['choose 2', { do: 'choose', number: 2 }],
  ['scegli due', { do: 'words', words: 'due' }],
  ['move 7 to 24,13', { do: 'move', row: 7, points: [[24, 13]], facing: null }],
  ['muovi 7 a 24,13 26.5,14 fronte 90', { do: 'move', row: 7, points: [[24, 13], [26.5, 14]], facing: 90 }],
  ['move to 24, 13', { do: 'move', row: null, points: [[24, 13]], facing: null }],
  ['move 7 facing s', { do: 'face', row: 7, degrees: 180 }],
  ['facing 45', { do: 'face', row: null, degrees: 45 }],
  ['6 n', { do: 'shift', far: 6, degrees: 0 }],
  ['move 5,5″ so', { do: 'shift', far: 5.5, degrees: 225 }],
  ['6 45', { do: 'shift', far: 6, degrees: 45 }],
  ['stay', { do: 'stay', row: null }],
  ['7 resta', { do: 'stay', row: 7 }],
  ['towards 12', { do: 'towards', row: null, words: '12' }],
  ['move 7 verso Reed folk', { do: 'towards', row: 7, words: 'reed folk' }],
  ['place 3 at 10,12', { do: 'place', row: 3, at: [10, 12], facing: null }],
  ['metti 3 a 10,12 fronte e', { do: 'place', row: 3, at: [10, 12], facing: 90 }],
  ['place 10,12,270', { do: 'place', row: null, at: [10, 12], facing: 270 }],
  ['form line', { do: 'form', name: 'line', at: null, facing: null, spacing: null }],
  ['form two ranks at 30,6 facing 90 spaced 1.5', { do: 'form', name: 'two-ranks', at: [30, 6], facing: 90, spacing: 1.5 }],
  ['schiera cuneo a 30,6 fronte n spazio 1,5', { do: 'form', name: 'wedge', at: [30, 6], facing: 0, spacing: 1.5 }],
  ['form square', { do: 'words', words: 'form square' }],
  ['aim 10,12', { do: 'aim', at: [10, 12], facing: null }],
  ['shoot B at X', { do: 'shoot', who: 'b', at: 'x' }],
  ['spara contro Palude', { do: 'shoot', who: '', at: 'palude' }],
  ['los 7 12', { do: 'sight', from: 7, to: 12 }],
  ['vista #7 #12', { do: 'sight', from: 7, to: 12 }],
  ['look 7', { do: 'look', row: 7 }],
  ['set -3', { do: 'number', value: -3 }],
  ['allot 7 7 9', { do: 'allot', rows: [7, 7, 9] }],
  ['dadi 3 5', { do: 'faces', faces: [3, 5] }],
  ['Aiuto', { do: 'help' }],
  ['perché', { do: 'why' }],
  ['undo', { do: 'undo' }],
  ['No reaction', { do: 'words', words: 'No reaction' }],
  ['place nowhere', { do: 'words', words: 'place nowhere' }],
];

describe('the command line', () => {
  test.each(ALL)('%s', (typed, command) => expect(parse(typed)).toEqual(command));
});
