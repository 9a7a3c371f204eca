/** The journal line that another part of the page asked for; it counts as new until the journal has shown it. */
export const pointing = $state({ line: -1, isNew: false });

export function pointAt(line: number): void {
  pointing.line = line;
  pointing.isNew = true;
}
