import { ok } from '#lib/kernel';
import { signInWorld } from '../fake-sign-in-world.js';
import { sampleIssuer } from './fake-issuer.js';
import { TestIssuer } from './test-issuer.js';

/** An admin who tests the issuer of the tenant. */
async function testing(clientSecret: string | null = null) {
  const world = await signInWorld();
  const { uow, home, settings, vault, gateway, putInForce } = world;
  await putInForce({ issuers: [sampleIssuer({ clientSecret })] });
  const test = new TestIssuer(uow, settings, vault, gateway);
  const url = sampleIssuer().url;
  return { ...world, url, test: (name = 'acme', by = home.admin) => test.execute(by, name) };
}

describe('testing an issuer', () => {
  it('counts its keys, and changes nothing', async () => {
    const { test, gateway, url, audited } = await testing();
    gateway.keys = 2;
    expect(await test()).toEqual(ok({ url, keys: 2, problem: null }));
    expect(audited()).toEqual([]);
  });

  it('says that it publishes no key', async () => {
    const { test, gateway, url } = await testing();
    gateway.keys = 0;
    const problem = 'It publishes no key, so nothing that it signs can be verified.';
    expect(await test()).toEqual(ok({ url, keys: 0, problem }));
  });

  it('says why it does not answer', async () => {
    const { test, gateway, url } = await testing();
    gateway.reachable = false;
    expect(await test()).toEqual(ok({ url, keys: null, problem: 'issuer.unreachable issuer.unreachable.' }));
  });

  it('says that its client secret is missing, and does not ask it', async () => {
    const { test, gateway } = await testing('oidc@1');
    expect(await test()).toMatchObject(ok({ keys: null, problem: 'There is no secret oidc@1.' }));
    expect(gateway.clients).toEqual([]);
  });

  it('knows no other issuer, and none of another tenant', async () => {
    const { test, other } = await testing();
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await test('never')).toMatchObject(missing);
    expect(await test('acme', other.admin)).toMatchObject(missing);
  });
});
