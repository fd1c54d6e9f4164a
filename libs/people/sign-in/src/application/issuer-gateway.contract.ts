import { newId, ok, type TenantId } from '#lib/kernel';
import type { IssuerClaims, IssuerDescription } from '../domain/issuer.js';
import { sampleIssuer } from './fake-issuer.js';
import type { IssuerClient, IssuerGateway } from './sign-in.ports.js';

const AUDIENCE = 'https://countersign.example/tenants/t';
const REDIRECT = 'https://countersign.example/sign-in/callback';
const BACK_TO = 'https://countersign.example/welcome';

/** A gateway, and an issuer that it reaches. */
export interface IssuerSide {
  readonly gateway: IssuerGateway;
  readonly url: string;
  /** Somebody signs in at the address that a browser was sent to. @returns the address that it comes back to. */
  readonly signIn: (location: string, claims: IssuerClaims) => Promise<string>;
  readonly accessToken: (subject: string, audience: string) => Promise<string>;
  /** The clock of the issuer, epoch milliseconds. */
  readonly now: number;
  /** Takes it out of reach. */
  readonly stop: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The contract of a gateway to issuers. @param open with an issuer that has one key, and a page for signing out or none. */
export function describeIssuerGateway(name: string, open: (offersSignOut: boolean) => Promise<IssuerSide>): void {
  describe(`${name} keeps the contract of IssuerGateway`, () => {
    let side: IssuerSide;
    beforeEach(async () => {
      side = await open(true);
    });
    afterEach(() => side.close());

    const clientOf = (members: Partial<IssuerDescription> = {}): IssuerClient => ({
      tenantId: newId<TenantId>(),
      issuer: sampleIssuer({ url: side.url, ...members }),
      clientSecret: null,
    });
    const checks = { state: 'state-1', nonce: 'nonce-1', codeVerifier: 'v'.repeat(43), maxAgeSeconds: 600 };
    const request = { ...checks, redirectUri: REDIRECT, prompt: null };
    const claims = (members: Partial<IssuerClaims> = {}): IssuerClaims => ({
      subject: 'ada',
      email: 'ada@example.com',
      emailVerified: true,
      displayName: 'Ada',
      groups: ['sre'],
      authenticatedAt: Math.floor(side.now / 1_000) * 1_000 - 60_000,
      ...members,
    });
    const sentTo = async (client: IssuerClient): Promise<string> => {
      const sent = await side.gateway.authorizationUrl(client, request);
      if (!sent.ok) throw new Error(sent.error.code);
      return sent.value;
    };
    const refused = (code: string) => ({ ok: false, error: { code } });

    it('reaches an issuer, and counts its keys', async () => {
      expect(await side.gateway.check(clientOf())).toEqual(ok(undefined));
      expect(await side.gateway.countKeys(clientOf())).toEqual(ok(1));
    });

    it('sends a browser with the checks, and keeps the verifier back', async () => {
      const sent = new URL(await sentTo(clientOf()));
      expect(sent.href.startsWith(side.url)).toBe(true);
      expect(Object.fromEntries(sent.searchParams)).toMatchObject({
        client_id: 'countersign',
        response_type: 'code',
        redirect_uri: REDIRECT,
        scope: 'openid profile email groups',
        state: checks.state,
        nonce: checks.nonce,
        code_challenge_method: 'S256',
        max_age: '600',
      });
      expect(sent.searchParams.has('prompt')).toBe(false);
      expect(sent.href).not.toContain(checks.codeVerifier);
      const again = await side.gateway.authorizationUrl(clientOf(), {
        ...request,
        maxAgeSeconds: null,
        prompt: 'login',
      });
      const asked = again.ok ? new URL(again.value).searchParams : null;
      expect([asked?.get('prompt'), asked?.has('max_age')]).toEqual(['login', false]);
    });

    it('gives the claims of a person who signed in, and their ID token', async () => {
      const client = clientOf();
      const back = await side.signIn(await sentTo(client), claims());
      const redeemed = await side.gateway.redeem(client, back, checks);
      expect(redeemed).toMatchObject(ok({ claims: claims() }));
      expect(redeemed.ok && redeemed.value.idToken.length > 0).toBe(true);
    });

    it('gives the claims that an issuer leaves out as unknown', async () => {
      const client = clientOf();
      const silent = claims({
        email: null,
        emailVerified: null,
        displayName: null,
        groups: [],
        authenticatedAt: null,
      });
      const back = await side.signIn(await sentTo(client), silent);
      expect(await side.gateway.redeem(client, back, checks)).toMatchObject(ok({ claims: silent }));
    });

    it.each<[string, Partial<typeof checks>]>([
      ['state', { state: 'state-2' }],
      ['nonce', { nonce: 'nonce-2' }],
    ])('refuses a sign-in with another %s', async (_what, members) => {
      const client = clientOf();
      const back = await side.signIn(await sentTo(client), claims());
      const redeemed = await side.gateway.redeem(client, back, { ...checks, ...members });
      expect(redeemed).toMatchObject(refused('sign_in.token_refused'));
    });

    it('refuses a sign-in that is older than it asked for', async () => {
      const client = clientOf();
      const back = await side.signIn(await sentTo(client), claims({ authenticatedAt: side.now - 632_000 }));
      expect(await side.gateway.redeem(client, back, checks)).toMatchObject(refused('sign_in.token_refused'));
      const asked = { ...checks, maxAgeSeconds: null };
      expect(await side.gateway.redeem(client, back, asked)).toMatchObject(ok({ claims: { subject: 'ada' } }));
    });

    it.each([['a\0'], ['a\n'], ['a'.repeat(256)]])('refuses a subject that cannot be kept: %j', async (subject) => {
      const client = clientOf();
      const back = await side.signIn(await sentTo(client), claims({ subject }));
      expect(await side.gateway.redeem(client, back, checks)).toMatchObject(refused('sign_in.token_refused'));
      const token = await side.accessToken(subject, AUDIENCE);
      expect(await side.gateway.verifyBearer(client, token, AUDIENCE)).toMatchObject(refused('bearer.refused'));
    });

    it.each<[string | null, string | null]>([
      ['ada\0@example.com', null],
      [`${'a'.repeat(250)}@example.com`, null],
      ['ada', null],
      ['ada@example.com', 'ada@example.com'],
    ])('gives the e-mail address %j as %j', async (sent, email) => {
      const client = clientOf();
      const back = await side.signIn(await sentTo(client), claims({ email: sent, displayName: 'Ada\0' }));
      const given = claims({ email, displayName: 'Ada\uFFFD' });
      expect(await side.gateway.redeem(client, back, checks)).toMatchObject(ok({ claims: given }));
    });

    it('says that the issuer did not let a person in', async () => {
      const back = `${REDIRECT}?error=access_denied&state=${checks.state}`;
      expect(await side.gateway.redeem(clientOf(), back, checks)).toMatchObject(refused('sign_in.refused_by_issuer'));
    });

    it('verifies an access token for its audience, and no other text', async () => {
      const client = clientOf();
      const token = await side.accessToken('ada', AUDIENCE);
      expect(await side.gateway.verifyBearer(client, token, AUDIENCE)).toEqual(ok('ada'));
      const elsewhere = `${AUDIENCE}-2`;
      expect(await side.gateway.verifyBearer(client, token, elsewhere)).toMatchObject(refused('bearer.refused'));
      expect(await side.gateway.verifyBearer(client, 'eyJh.eyJi.c', AUDIENCE)).toMatchObject(refused('bearer.refused'));
    });

    it('names the page for signing out, with the ID token and the way back', async () => {
      const out = new URL((await side.gateway.signOutUrl(clientOf(), 'an ID token', BACK_TO)) ?? '');
      expect(out.href.startsWith(side.url)).toBe(true);
      expect(Object.fromEntries(out.searchParams)).toMatchObject({
        id_token_hint: 'an ID token',
        post_logout_redirect_uri: BACK_TO,
      });
    });

    it('names no page for signing out if the issuer has none', async () => {
      await side.close();
      side = await open(false);
      expect(await side.gateway.signOutUrl(clientOf(), 'an ID token', BACK_TO)).toBeNull();
    });

    it('says that an issuer is out of reach', async () => {
      await side.stop();
      const unreachable = refused('issuer.unreachable');
      const { gateway } = side;
      expect(await gateway.check(clientOf())).toMatchObject(unreachable);
      expect(await gateway.countKeys(clientOf())).toMatchObject(unreachable);
      expect(await gateway.authorizationUrl(clientOf(), request)).toMatchObject(unreachable);
      expect(await gateway.redeem(clientOf(), `${REDIRECT}?code=c`, checks)).toMatchObject(unreachable);
      expect(await gateway.verifyBearer(clientOf(), 'eyJh.eyJi.c', AUDIENCE)).toMatchObject(unreachable);
      expect(await gateway.signOutUrl(clientOf(), 'an ID token', BACK_TO)).toBeNull();
    });
  });
}
