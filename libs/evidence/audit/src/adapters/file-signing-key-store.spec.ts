import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId, type TenantId } from '#lib/kernel';
import { createKeys, openKeyring } from '#lib/tenancy';
import type { NoteKey } from '#lib/verifier';
import { describeSigningKeyStore } from '../application/signing-key-store.contract.js';
import { FileSigningKeyStore } from './file-signing-key-store.js';

describeSigningKeyStore('FileSigningKeyStore', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'audit-keys-'));
  const store = new FileSigningKeyStore(directory, createKeys(await openKeyring({}, directory)).wrapping);
  return { store, close: () => rm(directory, { recursive: true }) };
});

const message = Buffer.from('a checkpoint');

describe('the files of audit keys', () => {
  let directory: string;
  let tenant: TenantId;
  let folder: string;
  let name: string;
  const file = (ending: string): string => join(folder, `audit-1.${ending}`);

  /** A process of its own: nothing is loaded yet. */
  const store = async (keyring = directory): Promise<FileSigningKeyStore> =>
    new FileSigningKeyStore(directory, createKeys(await openKeyring({}, keyring)).wrapping);

  const expectSigns = async (key: NoteKey, by: FileSigningKeyStore): Promise<void> => {
    const signer = await by.signer(tenant, key);
    const x = Buffer.from(key.publicKey).toString('base64url');
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    expect(signer !== null && verify(null, message, publicKey, signer.sign(message))).toBe(true);
  };

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'audit-keys-'));
    tenant = newId<TenantId>();
    folder = join(directory, tenant);
    name = `countersign/${tenant}/audit-1`;
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('hold no key that could be read without the master key', async () => {
    const key = await (await store()).create(tenant, name);
    expect(await readdir(folder)).toEqual(['audit-1.key']);
    expect((await stat(file('key'))).mode & 0o777).toBe(0o600);
    const { ciphertext } = JSON.parse(await readFile(file('key'), 'utf8')) as { ciphertext: string };
    expect(() => createPrivateKey(Buffer.from(ciphertext, 'base64'))).toThrow();
    expect(Buffer.from(ciphertext, 'base64').toString('latin1')).not.toContain('PRIVATE KEY');
    await expectSigns(key, await store());
    const elsewhere = await mkdtemp(join(directory, 'other-'));
    await expect((await store(elsewhere)).signer(tenant, key)).rejects.toThrow('The keyring has no key');
  });

  it('stay readable after the master key was replaced', async () => {
    const key = await (await store()).create(tenant, name);
    await (await openKeyring({}, directory)).addKey();
    await expectSigns(key, await store());
  });

  it('leave with their tenant, and come back with it', async () => {
    const [mine, here] = [await (await store()).create(tenant, name), await store()];
    const other = newId<TenantId>();
    const kept = await here.create(other, `countersign/${other}/audit-1`);
    const pem = await here.handOver(tenant, name);
    await here.forget(tenant);
    await here.forget(tenant);
    expect(await (await store()).signer(tenant, mine)).toBeNull();
    expect(await (await store()).signer(other, kept)).not.toBeNull();
    await here.takeOver(tenant, name, pem);
    await expectSigns(mine, await store());
  });

  it('are never overwritten', async () => {
    await (await store()).create(tenant, name);
    await expect((await store()).create(tenant, name)).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readdir(folder)).toEqual(['audit-1.key']);
  });

  it('do not open in the place of another key', async () => {
    const keys = await store();
    const key = await keys.create(tenant, name);
    const other = await keys.create(tenant, `countersign/${tenant}/audit-2`);
    await rename(join(folder, 'audit-2.key'), file('key'));
    await expect((await store()).signer(tenant, { ...key, publicKey: other.publicKey })).rejects.toThrow();
  });
});
