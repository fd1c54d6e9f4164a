import { newId, ok, type TenantId } from '#lib/kernel';
import { FakeKeyring } from '../application/fake-keyring.js';
import type { SecretContext, WrappedBytes } from '../application/tenancy.ports.js';
import { AesGcmSecretCipher } from './aes-gcm-secret-cipher.js';

const context: SecretContext = { tenantId: newId<TenantId>(), name: 'deploy-key', version: 1 };

/** A value, encrypted, and the cipher with its keyring. */
async function sealed(value = 'a long enough värde') {
  const keyring = new FakeKeyring();
  const cipher = new AesGcmSecretCipher(keyring);
  return { keyring, cipher, value, secret: await cipher.seal(context, value) };
}

const flipped = (bytes: Uint8Array, at = 0): Uint8Array => bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));

describe('the cipher of secrets', () => {
  it('opens its own ciphertext, which is unreadable and another each time', async () => {
    const { cipher, value, secret } = await sealed();
    expect(await cipher.open(context, secret)).toEqual(ok(value));
    expect(Buffer.from(secret.ciphertext).toString('utf8')).not.toContain('enough');
    const again = await cipher.seal(context, value);
    expect([again.nonce, again.ciphertext]).not.toEqual([secret.nonce, secret.ciphertext]);
  });

  it.each<[string, Partial<SecretContext>]>([
    ['tenant', { tenantId: newId() }],
    ['name', { name: 'other' }],
    ['version', { version: 2 }],
  ])('does not open a secret under another %s', async (_what, members) => {
    const { cipher, secret } = await sealed();
    expect(await cipher.open({ ...context, ...members }, secret)).toMatchObject({
      ok: false,
      error: { code: 'secret.corrupt' },
    });
  });

  it.each<[string, (secret: WrappedBytes) => Partial<WrappedBytes>]>([
    ['a changed byte', ({ ciphertext }) => ({ ciphertext: flipped(ciphertext) })],
    ['a changed tag', ({ ciphertext }) => ({ ciphertext: flipped(ciphertext, ciphertext.length - 1) })],
    ['a tag too short', ({ ciphertext }) => ({ ciphertext: ciphertext.slice(0, -1) })],
    ['nothing but a part of a tag', ({ ciphertext }) => ({ ciphertext: ciphertext.slice(-8) })],
    ['another nonce', ({ nonce }) => ({ nonce: flipped(nonce) })],
  ])('does not open %s', async (_what, changed) => {
    const { cipher, secret } = await sealed();
    expect(await cipher.open(context, { ...secret, ...changed(secret) })).toMatchObject({
      ok: false,
      error: { code: 'secret.corrupt' },
    });
  });

  it('opens a secret under its old key after a new one came, and seals under the new one', async () => {
    const { keyring, cipher, value, secret } = await sealed();
    const current = keyring.addKey();
    expect(await cipher.open(context, secret)).toEqual(ok(value));
    expect((await cipher.seal(context, value)).keyId).toBe(current);
  });

  it('says which key is missing', async () => {
    const { keyring, cipher, secret } = await sealed();
    keyring.addKey();
    keyring.removeKey(secret.keyId);
    const opened = await cipher.open(context, secret);
    expect(opened).toMatchObject({ ok: false, error: { code: 'secret.key_missing' } });
    expect(JSON.stringify(opened)).toContain(secret.keyId);
  });
});
