import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SealedRow } from '#lib/kernel';
import { createKeys } from '../create-tenancy.js';
import { openKeyring, type FileKeyring } from './file-keyring.js';
import { keysToHandOver } from './keys-to-hand-over.js';

const rowOf = (tenantId: string): SealedRow => ({
  table: 'review',
  tenantId,
  id: '1',
  columns: { verdict: 'approve' },
});

describe('keys that come with a tenant', () => {
  let folder: string;
  let source: FileKeyring;
  let target: FileKeyring;

  const at = (keyring: FileKeyring) => createKeys(keyring);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'moved-keys-'));
    source = await openKeyring({}, join(folder, 'source'));
    target = await openKeyring({}, join(folder, 'target'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it('check the seals of its rows, and of no other tenant', async () => {
    const seal = await at(source).seals.seal(rowOf('acme'));
    const other = await at(source).seals.seal(rowOf('globex'));
    expect(await at(target).seals.holds(rowOf('acme'), seal)).toBe(false);
    await target.addMoved(await keysToHandOver(source, 'acme'));
    expect(await at(target).seals.holds(rowOf('acme'), seal)).toBe(true);
    expect(await at(target).seals.holds(rowOf('globex'), other)).toBe(false);
  });

  it('find its tokens, also under keys from before a rotation', async () => {
    const old = await at(source).digests.digest('credential', 'token');
    await source.addKey();
    await target.addMoved(await keysToHandOver(source, 'acme'));
    expect(await at(target).digests.candidates('credential', 'token')).toContainEqual(old);
    expect(await at(target).digests.digest('credential', 'token')).not.toEqual(old);
  });

  it('go on with it to the next installation', async () => {
    const seal = await at(source).seals.seal(rowOf('acme'));
    await target.addMoved(await keysToHandOver(source, 'acme'));
    const third = await openKeyring({}, join(folder, 'third'));
    await third.addMoved(await keysToHandOver(target, 'acme'));
    expect(await at(third).seals.holds(rowOf('acme'), seal)).toBe(true);
  });

  it('are kept once, and stay if a master key is added', async () => {
    const keys = await keysToHandOver(source, 'acme');
    await target.addMoved(keys);
    await target.addMoved(keys);
    await target.addKey();
    expect((await target.ring()).moved).toHaveLength(2);
  });

  it('are no master key', async () => {
    const keys = await keysToHandOver(source, 'acme');
    const file = await readFile(join(folder, 'source', 'keyring.json'), 'utf8');
    for (const { key } of keys) expect(file).not.toContain(Buffer.from(key).toString('base64'));
  });
});
