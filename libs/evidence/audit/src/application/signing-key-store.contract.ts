import { createPublicKey, verify } from 'node:crypto';
import { newId, type TenantId } from '#lib/kernel';
import type { NoteKey, NoteSigner } from '#lib/verifier';
import type { SigningKeyStore } from './audit.ports.js';

const MESSAGE = Buffer.from('a checkpoint');

/** The contract of {@link SigningKeyStore}. */
export function describeSigningKeyStore(
  name: string,
  open: () => Promise<{ readonly store: SigningKeyStore; readonly close: () => Promise<void> }>,
): void {
  describe(`${name} keeps the contract of SigningKeyStore`, () => {
    const tenant = newId<TenantId>();
    let store: SigningKeyStore;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
    });
    afterEach(() => close());

    const create = (key = 'audit-1') => store.create(tenant, `countersign/${tenant}/${key}`);
    const verifies = ({ publicKey }: NoteKey, signer: NoteSigner | null): boolean => {
      const x = Buffer.from(publicKey).toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      return signer !== null && verify(null, MESSAGE, key, signer.sign(MESSAGE));
    };

    it('signs with a key that it made', async () => {
      const [one, other] = [await create(), await create('audit-2')];
      expect(one.name).toBe(`countersign/${tenant}/audit-1`);
      const signer = await store.signer(tenant, one);
      expect([verifies(one, signer), verifies(other, signer)]).toEqual([true, false]);
      expect(signer).toMatchObject({ name: one.name, publicKey: one.publicKey });
    });

    it('has no signer for a key that it did not make, or of which the public half is another', async () => {
      const [one, other] = [await create(), await create('audit-2')];
      expect(await store.signer(tenant, { ...one, name: `countersign/${tenant}/audit-3` })).toBeNull();
      expect(await store.signer(tenant, { ...one, publicKey: other.publicKey })).toBeNull();
      expect(await store.signer(newId<TenantId>(), one)).toBeNull();
    });
  });
}
