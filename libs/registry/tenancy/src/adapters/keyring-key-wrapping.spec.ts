import { FakeKeyring } from '../application/fake-keyring.js';
import type { WrappedBytes } from '../application/tenancy.ports.js';
import { KeyringKeyWrapping } from './keyring-key-wrapping.js';

const plain = Buffer.from('a private key of the installation');

async function wrapped() {
  const keyring = new FakeKeyring();
  const wrapping = new KeyringKeyWrapping(keyring);
  return { keyring, wrapping, bytes: await wrapping.wrap('audit', plain) };
}

const flipped = (bytes: Uint8Array): Uint8Array => bytes.map((byte, index) => (index === 0 ? byte ^ 1 : byte));

describe('wrapping under the master keys', () => {
  it('gives the bytes back for their purpose, and hides them', async () => {
    const { wrapping, bytes } = await wrapped();
    expect(Buffer.from(await wrapping.unwrap('audit', bytes))).toEqual(plain);
    expect(Buffer.from(bytes.ciphertext).includes('private key')).toBe(false);
    const again = await wrapping.wrap('audit', plain);
    expect([again.nonce, again.ciphertext]).not.toEqual([bytes.nonce, bytes.ciphertext]);
  });

  it('gives nothing back for another purpose', async () => {
    const { wrapping, bytes } = await wrapped();
    await expect(wrapping.unwrap('grants', bytes)).rejects.toThrow('unable to authenticate');
  });

  it.each<[string, (bytes: WrappedBytes) => Partial<WrappedBytes>]>([
    ['changed bytes', ({ ciphertext }) => ({ ciphertext: flipped(ciphertext) })],
    ['another nonce', ({ nonce }) => ({ nonce: flipped(nonce) })],
  ])('gives nothing back for %s', async (_what, changed) => {
    const { wrapping, bytes } = await wrapped();
    await expect(wrapping.unwrap('audit', { ...bytes, ...changed(bytes) })).rejects.toThrow('unable to authenticate');
  });

  it('takes no tag that is too short, which is guessed sooner', async () => {
    const { wrapping } = await wrapped();
    const { ciphertext, ...bytes } = await wrapping.wrap('audit', Buffer.alloc(0));
    const short = wrapping.unwrap('audit', { ...bytes, ciphertext: ciphertext.slice(0, 4) });
    await expect(short).rejects.toThrow('Invalid authentication tag length');
  });

  it('wraps under the current key, and unwraps under each that the keyring has', async () => {
    const { keyring, wrapping, bytes } = await wrapped();
    const current = keyring.addKey();
    expect((await wrapping.wrap('audit', plain)).keyId).toBe(current);
    expect(Buffer.from(await wrapping.unwrap('audit', bytes))).toEqual(plain);
    keyring.removeKey(bytes.keyId);
    await expect(wrapping.unwrap('audit', bytes)).rejects.toThrow(`no key ${bytes.keyId}`);
  });
});
