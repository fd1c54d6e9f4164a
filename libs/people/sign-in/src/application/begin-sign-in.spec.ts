import { signInWorld } from '../fake-sign-in-world.js';
import type { WantedSignIn } from './begin-sign-in.js';
import { sampleIssuer } from './fake-issuer.js';

const MINUTE_MS = 60_000;

/** A browser that may begin sign-ins. @param publicUrl where Countersign is reached. */
async function browserAt(publicUrl = 'https://countersign.example') {
  const world = await signInWorld({ publicUrl });
  const { sealed } = world;
  const { beginSignIn: use } = world.parts;
  const begin = (wanted: Partial<WantedSignIn> = {}) =>
    use.execute({
      tenant: 'acme',
      issuer: undefined,
      returnTo: undefined,
      prompt: null,
      browserToken: undefined,
      ...wanted,
    });
  const begun = async (wanted: Partial<WantedSignIn> = {}) => {
    const answer = await begin(wanted);
    if (!answer.ok) throw new Error(answer.error.code);
    const { location, browserToken } = answer.value;
    const asked = new URL(location).searchParams;
    const opened = await sealed.open(asked.get('state') ?? '');
    if (opened === null) throw new Error('the state does not open');
    return { location, browserToken, asked, ...opened };
  };
  return { ...world, begin, begun };
}

describe('beginning a sign-in', () => {
  it('sends the browser to the issuer, with everything that its return has to fit sealed in the state', async () => {
    const { begun, putInForce, home, uow, digests, audited } = await browserAt();
    const [issuer] = await putInForce();
    const committed = uow.committed;
    const { location, browserToken, asked, tenantId, underWay } = await begun({ returnTo: '/inbox' });
    expect(location).toMatch(/^https:\/\/issuer\.example\.com\//);
    expect(Object.fromEntries(asked)).toMatchObject({
      redirect_uri: `https://countersign.example/sign-in/callback/${home.tenantId}/${issuer?.name ?? ''}`,
      nonce: underWay.nonce,
      max_age: '3600',
    });
    expect(tenantId).toBe(home.tenantId);
    expect(underWay).toMatchObject({
      issuerId: issuer?.id,
      returnTo: '/inbox',
      maxAgeSeconds: 3_600,
      expiresAt: uow.now + 10 * MINUTE_MS,
      browserDigest: Buffer.from(await digests.digest('sign_in_browser', browserToken)).toString('base64'),
    });
    expect(location).not.toContain(underWay.codeVerifier);
    expect(uow.committed).toBe(committed + 1);
    expect(audited()).toEqual([]);
  });

  it('gives each sign-in secrets of its own, and keeps the token that the browser has', async () => {
    const { begun, putInForce } = await browserAt();
    await putInForce();
    const first = await begun();
    const second = await begun({ browserToken: first.browserToken, prompt: 'login' });
    expect(second.browserToken).toBe(first.browserToken);
    expect(second.asked.get('prompt')).toBe('login');
    expect(first.asked.has('prompt')).toBe(false);
    for (const member of ['id', 'nonce', 'codeVerifier'] as const)
      expect(second.underWay[member]).not.toBe(first.underWay[member]);
    expect((await begun()).browserToken).not.toBe(first.browserToken);
  });

  it('leads back to no page of another site', async () => {
    const { begun, putInForce } = await browserAt();
    await putInForce();
    expect((await begun({ returnTo: '//evil.example' })).underWay.returnTo).toBe('/');
  });

  it('asks for a name if there are several issuers, and takes no other name', async () => {
    const { begin, begun, putInForce } = await browserAt();
    const other = sampleIssuer({ name: 'other', url: 'https://other.example.com' });
    const [, second] = await putInForce({ issuers: [sampleIssuer(), other] });
    expect(await begin()).toMatchObject({ ok: false, error: { code: 'sign_in.choose_issuer' } });
    expect((await begun({ issuer: 'other' })).underWay.issuerId).toBe(second?.id);
    expect(await begin({ issuer: 'third' })).toMatchObject({ ok: false, error: { code: 'sign_in.no_issuer' } });
  });

  it('tells a tenant that is not there from none that has an issuer', async () => {
    const { begin, putInForce } = await browserAt();
    const none = { ok: false, error: { code: 'sign_in.no_issuer' } };
    expect(await begin()).toMatchObject(none);
    await putInForce();
    expect(await begin({ tenant: 'globex' })).toMatchObject(none);
    expect(await begin({ tenant: 'initech' })).toMatchObject(none);
    // Of two tenants, none is meant.
    expect(await begin({ tenant: undefined })).toMatchObject(none);
  });

  it('hands the client secret to the issuer, and goes nowhere without it', async () => {
    const { begin, begun, putInForce, gateway, vault, atHome, home } = await browserAt();
    const by = home.admin.personId;
    const clientSecret = await atHome((tx) => vault.keep(tx, 'oidc', 'hunter2', 'sign_in', by));
    await putInForce({ issuers: [sampleIssuer({ clientSecret })] });
    const { location } = await begun();
    expect(gateway.clients.at(-1)).toMatchObject({ tenantId: home.tenantId, clientSecret: 'hunter2' });
    expect(location).not.toContain('hunter2');
    const paging = await atHome((tx) => vault.keep(tx, 'paging', 'x', 'incidents', by));
    await putInForce({ issuers: [sampleIssuer({ clientSecret: paging })] });
    expect(await begin()).toMatchObject({ ok: false, error: { code: 'secret.not_bound' } });
  });

  it('says that the issuer is out of reach', async () => {
    const { begin, putInForce, gateway } = await browserAt();
    await putInForce();
    gateway.reachable = false;
    expect(await begin()).toMatchObject({ ok: false, error: { code: 'issuer.unreachable' } });
  });

  it('is refused over an address at which browsers keep no cookie of a sign-in', async () => {
    const { begin, putInForce, gateway } = await browserAt('http://countersign.example');
    await putInForce();
    expect(await begin()).toMatchObject({ ok: false, error: { code: 'sign_in.insecure_address' } });
    expect(gateway.clients).toEqual([]);
  });
});
