import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Keyring, MovedKey } from '../application/tenancy.ports.js';

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
  readonly moved: ReadonlyMap<string, readonly MovedKey[]>;
  readonly derived: Map<string, KeyObject>;
  readonly readAt: number;
}

/** Seals the rows of one tenant, or with null those of the installation. */
export const rowSealPurpose = (tenantId: string | null): string => `row-seal:${tenantId ?? 'installation'}`;
/** The root of the keys that digest secrets, one a kind. */
export const DIGEST_PURPOSE = 'secret-digest';

/**
 * Keys for one purpose each, derived from the master keys by HKDF-SHA-256 (RFC 5869; the purpose is its info). The keyring is
 * read at most once a second, and a key derived once each time. Keys that came with tenants from another installation check
 * values of that installation, and make none.
 */
export class DerivedKeys {
  #ring: Promise<Ring> | null = null;
  #readAt = -Infinity;
  #writing: { id: string; next: string; since: number } | null = null;

  constructor(
    private readonly keyring: Keyring,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** The key to write with. @param part a second step of derivation. */
  async current(purpose: string, part?: string): Promise<DerivedKey> {
    const ring = await this.#read();
    return ownKey(ring, this.#writingKey(ring), purpose, part);
  }

  /** Every key, the one to write with first. */
  async all(purpose: string, part?: string): Promise<readonly DerivedKey[]> {
    const ring = await this.#read();
    const first = this.#writingKey(ring);
    const ids = [first, ...[...ring.master.keys()].filter((id) => id !== first)];
    return [...ids.map((id) => ownKey(ring, id, purpose, part)), ...movedKeys(ring, purpose, part)];
  }

  /** Those of this id: of another installation there may be one of the same. */
  async byId(id: string, purpose: string): Promise<readonly DerivedKey[]> {
    const ring = await this.#read();
    return [
      ...(ring.master.has(id) ? [ownKey(ring, id, purpose)] : []),
      ...movedKeys(ring, purpose).filter((key) => key.id === id),
    ];
  }

  #read(): Promise<Ring> {
    if (this.#ring === null || this.monotonicMs() - this.#readAt > KEPT_MS) {
      const readAt = this.monotonicMs();
      this.#readAt = readAt;
      this.#ring = this.keyring.ring().then(({ current, keys, moved = [] }) => ({
        current,
        master: keys,
        moved: byPurpose(moved),
        derived: new Map(),
        readAt,
      }));
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

/** The bytes by which another installation checks values that this one made for the purpose. */
export const derivedBytes = (master: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', master, '', `countersign:${purpose}:v1`, KEY_BYTES));

function ownKey(ring: Ring, id: string, purpose: string, part?: string): DerivedKey {
  return keyOf(ring, id, `${purpose} ${part ?? ''} ${id}`, part, () => {
    const master = ring.master.get(id);
    if (master === undefined) throw new Error(`The keyring has no key "${id}".`);
    return derivedBytes(master, purpose);
  });
}

const movedKeys = (ring: Ring, purpose: string, part?: string): DerivedKey[] =>
  (ring.moved.get(purpose) ?? []).map(({ id, key }, index) =>
    keyOf(ring, id, `${purpose} ${part ?? ''} moved ${String(index)}`, part, () => key),
  );

function byPurpose(moved: readonly MovedKey[]): ReadonlyMap<string, readonly MovedKey[]> {
  const keys = new Map<string, MovedKey[]>();
  for (const key of moved) keys.set(key.purpose, [...(keys.get(key.purpose) ?? []), key]);
  return keys;
}

function keyOf(ring: Ring, id: string, name: string, part: string | undefined, root: () => Uint8Array): DerivedKey {
  let key = ring.derived.get(name);
  if (key === undefined) {
    const bytes = root();
    key = createSecretKey(part === undefined ? bytes : derivedBytes(bytes, part));
    ring.derived.set(name, key);
  }
  return { id, key };
}
