/** The parts of a browser missing in Node that the tested modules use. */

class Kept {
  private readonly kept = new Map<string, string>();
  getItem = (key: string) => this.kept.get(key) ?? null;
  setItem = (key: string, value: string) => void this.kept.set(key, String(value));
  removeItem = (key: string) => void this.kept.delete(key);
  clear = () => this.kept.clear();
}

const given = { localStorage: new Kept(), navigator: { language: 'en-GB' } };
for (const [name, value] of Object.entries(given))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

if (!('document' in globalThis))
  Object.defineProperty(globalThis, 'document', {
    value: { documentElement: { dataset: {}, lang: '' } },
    configurable: true,
    writable: true,
  });

const { tongue } = await import('../src/lib/words.svelte');
await tongue.ready;

export {};
