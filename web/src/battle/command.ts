/** The command line: turns typed text into a command. It understands the words of both languages at all times. */

import { direction } from '../answers/ways';

export type Command =
  | { do: 'choose'; number: number }
  | { do: 'words'; words: string }
  | { do: 'shoot'; who: string; at: string }
  | { do: 'move'; row: number | null; points: [number, number][]; facing: number | null }
  | { do: 'place'; row: number | null; at: [number, number]; facing: number | null }
  | { do: 'form'; name: string; at: [number, number] | null; facing: number | null; spacing: number | null }
  | { do: 'shift'; far: number; degrees: number }
  | { do: 'towards'; row: number | null; words: string }
  | { do: 'face'; row: number | null; degrees: number }
  | { do: 'stay'; row: number | null }
  | { do: 'point'; at: [number, number] }
  | { do: 'aim'; at: [number, number]; facing: number | null }
  | { do: 'number'; value: number }
  | { do: 'allot'; rows: number[] }
  | { do: 'faces'; faces: number[] }
  | { do: 'sight'; from: number; to: number }
  | { do: 'look'; row: number }
  | { do: Simple };

export type Simple = 'help' | 'confirm' | 'cancel' | 'back' | 'undo' | 'propose' | 'pass' | 'why' | 'options' | 'roll' | 'orders';

const SIMPLE: Record<string, Simple> = {
  help: 'help',
  aiuto: 'help',
  '?': 'help',
  ok: 'confirm',
  yes: 'confirm',
  si: 'confirm',
  confirm: 'confirm',
  conferma: 'confirm',
  cancel: 'cancel',
  reset: 'cancel',
  back: 'back',
  indietro: 'back',
  undo: 'undo',
  annulla: 'undo',
  propose: 'propose',
  proponi: 'propose',
  pass: 'pass',
  passa: 'pass',
  why: 'why',
  perche: 'why',
  options: 'options',
  opzioni: 'options',
  roll: 'roll',
  tira: 'roll',
  orders: 'orders',
  ordini: 'orders',
};

const N = String.raw`[+-]?\d+(?:\.\d+)?`;
const POINT = new RegExp(String.raw`(${N})\s*[,;]\s*(${N})`, 'g');
/** A point as the page itself writes it in Italian: `(16,5; 20)`. */
const DECIMALS = /[+-]?\d+(?:,\d+)?\s*;\s*[+-]?\d+(?:,\d+)?/g;
const FACING = new RegExp(String.raw`\s+(?:facing|face|fronte|verso)\s+(\S+)$`);

type Read = (words: RegExpMatchArray) => Command | null;

/** What a line means, by its first word. `t` stands for to, at, a, in. */
const FORMS: [RegExp, Read][] = [
  [/^(?:choose|pick|scegli)\s+(\d+)$/, ([, one]) => ({ do: 'choose', number: Number(one) })],
  [/^(?:choose|pick|scegli)\s+(.+)$/, ([, words]) => ({ do: 'words', words: words ?? '' })],
  [/^(?:shoot|fire|spara)\s+(?:(.*?)\s+)?(?:at|a|contro)\s+(.+)$/, ([, who, at]) => ({ do: 'shoot', who: who ?? '', at: at ?? '' })],
  [/^(?:los|sight|vista)\s+#?(\d+)\s+#?(\d+)$/, ([, from, to]) => ({ do: 'sight', from: Number(from), to: Number(to) })],
  [/^(?:look|card|guarda|scheda)\s+#?(\d+)$/, ([, row]) => ({ do: 'look', row: Number(row) })],
  [/^(?:place|put|posa|metti)\s+(?:#?(\d+)\s+)?(?:(?:at|to|a|in)\s+)?(.+)$/, ([, row, rest]) => placed(row, rest ?? '')],
  [/^(?:form|formation|schiera|formazione)\s+(.+)$/, ([, rest]) => formed(rest ?? '')],
  [/^(?:aim|mira|point|punto)\s+(?:(?:at|a)\s+)?(.+)$/, ([, rest]) => aimed(rest ?? '')],
  [/^(?:move|muovi)\s+(.+)$/, ([, rest]) => moved(rest ?? '')],
  [new RegExp(String.raw`^\(?(${N})\s*[,;]\s*(${N})\)?$`), ([, x, y]) => ({ do: 'point', at: [Number(x), Number(y)] })],
  [/^(?:(?:set|number|numero)\s+)(-?\d+)$/, ([, value]) => ({ do: 'number', value: Number(value) })],
  [/^(?:allot|assegna)\s+([\d\s,#]+)$/, ([, rows]) => ({ do: 'allot', rows: whole(rows ?? '') })],
  [/^(?:faces|dice|dadi|facce)\s+([\d\s,]+)$/, ([, faces]) => ({ do: 'faces', faces: whole(faces ?? '') })],
];

function whole(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

function pointsIn(text: string): [number, number][] {
  return [...text.matchAll(POINT)].map((match): [number, number] => [Number(match[1]), Number(match[2])]);
}

function rowOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

/** A text without the facing at its end, and that facing. */
function turned(text: string): [string, number | null] {
  const match = FACING.exec(text);
  const degrees = match ? direction(match[1] ?? '') : null;
  return match && degrees !== null ? [text.slice(0, match.index), degrees] : [text, null];
}

function placed(row: string | undefined, text: string): Command | null {
  const [rest, facing] = turned(text);
  const numbers = [...rest.matchAll(new RegExp(N, 'g'))].map((match) => Number(match[0]));
  const [x, y, third] = numbers;
  if (x === undefined || y === undefined || numbers.length > 3) return null;
  return { do: 'place', row: rowOf(row), at: [x, y], facing: facing ?? third ?? null };
}

const FORMS_TYPED: [RegExp, string][] = [
  [/^(?:line|linea)\b/, 'line'],
  [/^(?:two(?:\s+|-)ranks|ranks|due\s+righe|righe)\b/, 'two-ranks'],
  [/^(?:block|blocco)\b/, 'block'],
  [/^(?:wedge|cuneo)\b/, 'wedge'],
  [/^(?:loose|sparsi|rada)\b/, 'loose'],
];

/** `two ranks at 30,6 facing 90 spaced 1.5`: everything after the formation may be left out. */
function formed(text: string): Command | null {
  const found = FORMS_TYPED.find(([form]) => form.test(text));
  const [, gap] = /\s(?:spaced|gap|spazio)\s+(\d+(?:[.,]\d+)?)/.exec(text) ?? [];
  const [rest, facing] = turned(text.replace(/\s(?:spaced|gap|spazio)\s+\S+/, ''));
  const at = pointsIn(rest)[0] ?? null;
  return found ? { do: 'form', name: found[1], at, facing, spacing: gap ? Number(gap.replace(',', '.')) : null } : null;
}

function aimed(text: string): Command | null {
  const found = placed(undefined, text);
  return found?.do === 'place' ? { do: 'aim', at: found.at, facing: found.facing } : null;
}

/** The text after `move`, or typed alone: `7 to 24,13 26,14 facing 90`, `6 n`, `towards 7`, `stay`, `facing s`. */
function moved(text: string): Command | null {
  const along = /^(\d+(?:[.,]\d+)?)\s*(?:″|"|cm)?\s+([a-z]{1,2}|\d{1,3})$/.exec(text);
  const degrees = along ? direction(along[2] ?? '') : null;
  if (along && degrees !== null) return { do: 'shift', far: Number(along[1]?.replace(',', '.')), degrees };
  const [, number, rest = ''] = /^(?:#?(\d+)\s+(?=[a-z]))?(.*)$/.exec(text) ?? [];
  const row = rowOf(number);
  if (/^(?:stay|resta|fermo)$/.test(rest)) return { do: 'stay', row };
  const towards = /^(?:towards|verso)\s+#?(.+)$/.exec(rest);
  if (towards) return { do: 'towards', row, words: towards[1] ?? '' };
  const facing = /^(?:facing|face|fronte)\s+(\S+)$/.exec(rest);
  const turn = facing ? direction(facing[1] ?? '') : null;
  if (facing && turn !== null) return { do: 'face', row, degrees: turn };
  const [way, end] = turned(rest);
  const to = /^(?:to|a)\s+(.+)$/.exec(way);
  const points = pointsIn(to?.[1] ?? '');
  return points.length ? { do: 'move', row, points, facing: end } : null;
}

/** The text after `/`. If it is no command, it is taken as the words of an option. */
export function parse(text: string): Command | null {
  const typed = text.trim().replace(/^\//, '').trim();
  const plain = typed
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(DECIMALS, (point) => point.replaceAll(',', '.'));
  if (!plain) return null;
  const simple = SIMPLE[plain];
  if (simple) return { do: simple };
  if (/^\d+$/.test(plain)) return { do: 'choose', number: Number(plain) };
  for (const [form, read] of FORMS) {
    const match = form.exec(plain);
    const command = match ? read(match) : null;
    if (command) return command;
  }
  return moved(plain) ?? { do: 'words', words: typed };
}
