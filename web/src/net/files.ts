/** Files that a player brings along or takes away. */

import { ApiError } from './api';

const LARGEST = 25_000_000;

/** The contents of a JSON file. Throws an ApiError if it is not one. */
export async function readJson(file: Pick<File, 'size' | 'text'>): Promise<unknown> {
  if (file.size > LARGEST) throw new ApiError('error.large', '', 0);
  try {
    const found: unknown = JSON.parse(await file.text());
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return found;
  } catch {
    // Told below: not JSON, or not an object.
  }
  throw new ApiError('error.file', '', 0);
}

/** Has the browser save a value as a JSON file. */
export function saveJson(value: unknown, name: string): void {
  saveText(JSON.stringify(value), name, 'application/json');
}

/** Has the browser save a text as a file. */
export function saveText(text: string, name: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
