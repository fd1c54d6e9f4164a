import { randomBytes } from 'node:crypto';
import type { Keyring } from '../application/tenancy.ports.js';
import { DerivedKeys } from './derived-keys.js';
import { KeyringSecretDigests } from './keyring-secret-digests.js';

/** A keyring. The test adds keys, and moves the clock by which it is read again. */
function world(): {
  digests: KeyringSecretDigests;
  add: (id: string) => void;
  later: (ms: number) => void;
  reads: () => number;
} {
  const keys = new Map([['k1', randomBytes(32)]]);
  let [current, now, reads] = ['k1', 0, 0];
  const keyring: Keyring = {
    current: () => Promise.reject(new Error('not asked')),
    byId: () => Promise.reject(new Error('not asked')),
    ring: () => {
      reads += 1;
      return Promise.resolve({ current, keys: new Map(keys) });
    },
  };
  return {
    digests: new KeyringSecretDigests(new DerivedKeys(keyring, () => now)),
    add: (id) => {
      keys.set(id, randomBytes(32));
      current = id;
    },
    later: (ms) => {
      now += ms;
    },
    reads: () => reads,
  };
}

describe('the digest of a secret', () => {
  it('is 32 bytes, the same each time, and another for another kind, secret or keyring', async () => {
    const { digests } = world();
    const digest = await digests.digest('credential', 'a');
    expect(digest).toHaveLength(32);
    expect(await digests.digest('credential', 'a')).toEqual(digest);
    expect(await digests.candidates('credential', 'a')).toEqual([digest]);
    expect(await digests.digest('enrolment', 'a')).not.toEqual(digest);
    expect(await digests.digest('credential', 'b')).not.toEqual(digest);
    expect(await world().digests.digest('credential', 'a')).not.toEqual(digest);
  });

  it('is found under the former key once there is a new one, which writes when every process has it', async () => {
    const { digests, add, later } = world();
    const before = await digests.digest('credential', 'a');
    add('k2');
    later(1_001);
    expect(await digests.digest('credential', 'a')).toEqual(before);
    expect(await digests.candidates('credential', 'a')).toHaveLength(2);
    later(1_001);
    await digests.digest('credential', 'a');
    later(2_000);
    const after = await digests.digest('credential', 'a');
    expect(after).not.toEqual(before);
    expect(await digests.candidates('credential', 'a')).toEqual([after, before]);
  });

  it('reads the keyring at most once a second', async () => {
    const { digests, later, reads } = world();
    await Promise.all([digests.digest('credential', 'a'), digests.candidates('credential', 'b')]);
    later(1_000);
    await digests.digest('bootstrap', 'a');
    expect(reads()).toBe(1);
    later(1);
    await digests.digest('bootstrap', 'a');
    expect(reads()).toBe(2);
  });
});
