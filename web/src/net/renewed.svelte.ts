/** Whether the server now has a newer page than this one, whose parts may be gone there. */

export const renewed = $state({ is: false });

/** The first script of a page, as its document has it. */
export function entryOf(page: { querySelector(what: string): { getAttribute(name: string): string | null } | null }): string {
  return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
}

/** Asks the server for its page: a newer one names another first script. If no server answers, nothing is known. */
export async function look(own: string = entryOf(document)): Promise<void> {
  if (!own || renewed.is) return;
  try {
    const found = await fetch('/', { cache: 'no-store' });
    renewed.is = found.ok && !(await found.text()).includes(`"${own}"`);
  } catch {
    // The line itself says that it is down.
  }
}
