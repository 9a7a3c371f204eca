/** Whether the server has another page by now than this one, whose parts may be gone there. */

export const renewed = $state({ is: false });

/** The first script of the page as it stands in its document. */
export function entryOf(page: { querySelector(what: string): { getAttribute(name: string): string | null } | null }): string {
  return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
}

/** Ask the server for its page: another one names another first script. Where no server answers, nothing is known. */
export async function look(own: string = entryOf(document)): Promise<void> {
  if (!own || renewed.is) return;
  try {
    const found = await fetch('/', { cache: 'no-store' });
    renewed.is = found.ok && !(await found.text()).includes(`"${own}"`);
  } catch {
    // The line says that it is down.
  }
}
