import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Keyring } from '../application/tenancy.ports.js';

const KEY_BYTES = 32;
/** How long the ring is kept before the keyring is read again. */
const KEPT_MS = 1_000;
/** From when a new key is written with: every other process has read it by then. */
const SETTLED_MS = 3 * KEPT_MS;

export interface DerivedKey {
  readonly id: string;
  readonly key: KeyObject;
}

interface Ring {
  readonly current: string;
  readonly master: ReadonlyMap<string, Uint8Array>;
  readonly derived: Map<string, KeyObject>;
  readonly readAt: number;
}

/**
 * Keys for one purpose each, derived from the master keys by HKDF-SHA-256 (RFC 5869; the purpose is its info). The keyring is
 * read at most once a second, and a key derived once each time.
 */
export class DerivedKeys {
  #ring: Promise<Ring> | null = null;
  #readAt = -Infinity;
  #writing: { id: string; next: string; since: number } | null = null;

  constructor(
    private readonly keyring: Keyring,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** The key to write with. */
  async current(purpose: string): Promise<DerivedKey> {
    const ring = await this.#read();
    return keyOf(ring, this.#writingKey(ring), purpose);
  }

  /** Every key, the one to write with first. */
  async all(purpose: string): Promise<readonly DerivedKey[]> {
    const ring = await this.#read();
    const first = this.#writingKey(ring);
    return [first, ...[...ring.master.keys()].filter((id) => id !== first)].map((id) => keyOf(ring, id, purpose));
  }

  /** @returns null for a key that the keyring does not hold. */
  async byId(id: string, purpose: string): Promise<DerivedKey | null> {
    const ring = await this.#read();
    return ring.master.has(id) ? keyOf(ring, id, purpose) : null;
  }

  #read(): Promise<Ring> {
    if (this.#ring === null || this.monotonicMs() - this.#readAt > KEPT_MS) {
      const readAt = this.monotonicMs();
      this.#readAt = readAt;
      this.#ring = this.keyring
        .ring()
        .then(({ current, keys }) => ({ current, master: keys, derived: new Map(), readAt }));
      this.#ring.catch(() => {
        this.#ring = null;
      });
    }
    return this.#ring;
  }

  #writingKey({ current, master, readAt }: Ring): string {
    const before = this.#writing;
    if (before === null || !master.has(before.id)) this.#writing = { id: current, next: current, since: readAt };
    else if (before.next !== current) this.#writing = { ...before, next: current, since: readAt };
    else if (readAt - before.since >= SETTLED_MS) this.#writing = { ...before, id: current };
    return this.#writing?.id ?? current;
  }
}

function keyOf(ring: Ring, id: string, purpose: string): DerivedKey {
  const name = `${id} ${purpose}`;
  let key = ring.derived.get(name);
  if (key === undefined) {
    const master = ring.master.get(id);
    if (master === undefined) throw new Error(`The keyring has no key "${id}".`);
    key = createSecretKey(Buffer.from(hkdfSync('sha256', master, '', `countersign:${purpose}:v1`, KEY_BYTES)));
    ring.derived.set(name, key);
  }
  return { id, key };
}
