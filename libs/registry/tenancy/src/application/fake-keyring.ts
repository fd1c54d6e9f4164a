import { randomBytes } from 'node:crypto';
import type { Keyring } from './tenancy.ports.js';

const KEY_BYTES = 32;

/** Master keys in memory: `k1` at first. */
export class FakeKeyring implements Keyring {
  readonly #keys = new Map<string, Uint8Array>();
  #current = '';

  constructor() {
    this.addKey();
  }

  current(): Promise<{ readonly id: string; readonly key: Uint8Array }> {
    const key = this.#keys.get(this.#current);
    return key === undefined
      ? Promise.reject(new Error('The current key is gone.'))
      : Promise.resolve({ id: this.#current, key });
  }

  byId(id: string): Promise<Uint8Array | null> {
    return Promise.resolve(this.#keys.get(id) ?? null);
  }

  ring(): Promise<{ readonly current: string; readonly keys: ReadonlyMap<string, Uint8Array> }> {
    return Promise.resolve({ current: this.#current, keys: new Map(this.#keys) });
  }

  /** Makes a new current key; the old ones stay. @returns its id. */
  addKey(): string {
    this.#current = `k${String(this.#keys.size + 1)}`;
    this.#keys.set(this.#current, randomBytes(KEY_BYTES));
    return this.#current;
  }

  /** Takes a key away, as an operator does who edits the file. */
  removeKey(id: string): void {
    this.#keys.delete(id);
  }
}
