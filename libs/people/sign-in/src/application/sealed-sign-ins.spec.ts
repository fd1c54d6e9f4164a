import { newId, type TenantId } from '#lib/kernel';
import { createKeys } from '#lib/tenancy';
import { FakeKeyring } from '../../../../registry/tenancy/src/application/fake-keyring.js';
import { SealedSignIns, type SignInUnderWay } from './sealed-sign-ins.js';

const tenantId = newId<TenantId>();
const underWay: SignInUnderWay = {
  id: newId(),
  issuerId: newId(),
  browserDigest: Buffer.alloc(32, 1).toString('base64'),
  nonce: 'nonce',
  codeVerifier: 'a verifier that the issuer is told later',
  maxAgeSeconds: 600,
  returnTo: '/inbox',
  expiresAt: 1,
};

/** A sign-in sealed into its state: tenant, name of the key, and the rest. */
async function sealing() {
  const keyring = new FakeKeyring();
  const sealed = new SealedSignIns(createKeys(keyring).wrapping);
  const state = await sealed.seal(tenantId, underWay);
  const [, keyId = '', rest = ''] = state.split('.');
  return { keyring, sealed, state, keyId, rest };
}

describe('a sign-in under way', () => {
  it('opens out of its own state, and shows nothing of itself there', async () => {
    const { sealed, state } = await sealing();
    expect(await sealed.open(state)).toEqual({ tenantId, underWay });
    expect(Buffer.from(state, 'base64url').toString('latin1')).not.toContain('verifier');
    expect(await sealed.seal(tenantId, underWay)).not.toBe(state);
  });

  it('opens after a new master key came, and no longer once its own is gone', async () => {
    const { keyring, sealed, state, keyId } = await sealing();
    keyring.addKey();
    expect(await sealed.open(state)).toMatchObject({ tenantId });
    keyring.removeKey(keyId);
    expect(await sealed.open(state)).toBeNull();
  });

  it.each<[string, (of: { state: string; keyId: string; rest: string }) => string]>([
    ['an empty text', () => ''],
    ['a text that is no state', () => 'never given'],
    ['a state without its end', ({ state }) => state.slice(0, -4)],
    [
      'a state with another character',
      ({ keyId, rest }) => `${tenantId}.${keyId}.${rest.slice(0, 20)}${rest[20] === 'A' ? 'B' : 'A'}${rest.slice(21)}`,
    ],
    ['a state of another tenant', ({ keyId, rest }) => `${newId()}.${keyId}.${rest}`],
    ['a state under another key', ({ rest }) => `${tenantId}.k9.${rest}`],
    ['a nonce and nothing else', ({ keyId, rest }) => `${tenantId}.${keyId}.${rest.slice(0, 16)}`],
    ['a nonce and a part of a tag', ({ keyId, rest }) => `${tenantId}.${keyId}.${rest.slice(0, 22)}`],
    ['one character', ({ keyId }) => `${tenantId}.${keyId}.A`],
  ])('does not open out of %s', async (_what, text) => {
    const { sealed, ...of } = await sealing();
    expect(await sealed.open(text(of))).toBeNull();
  });

  it('does not open out of a state that another installation sealed', async () => {
    const [{ state }, { sealed }] = [await sealing(), await sealing()];
    expect(await sealed.open(state)).toBeNull();
  });
});
