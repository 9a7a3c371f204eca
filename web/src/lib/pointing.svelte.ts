/** The line of the journal that was asked for from elsewhere; it is new until the journal has shown it. */
export const pointing = $state({ line: -1, isNew: false });

export function pointAt(line: number): void {
  pointing.line = line;
  pointing.isNew = true;
}
