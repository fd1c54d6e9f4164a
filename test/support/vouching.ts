import type { ApproverKeyListView } from '#lib/api-schemas';
import { expectStatus, type HttpAs, type TestApi, type TestPerson } from './api.js';
import { pageOf, browserSessionCookieOf, signInByPasskey, type PasskeyHolder } from './passkey-accounts.js';
import { SITE, steppedUp, type TestTotp } from './second-factors.js';
import { softwareAuthenticator } from './virtual-authenticator.js';

/** A passkey with which somebody signs in. */
export type SignInPasskey = Pick<PasskeyHolder, 'authenticator' | 'userHandle'>;

/** Registers a passkey with a token of the person; `totp` proves a factor that is there already. */
export async function registerPasskey(api: TestApi, person: TestPerson, totp?: TestTotp): Promise<SignInPasskey> {
  const http = api.http(person.token);
  const operation = { kind: 'factor_change', change: 'add_passkey' };
  const proof = totp === undefined ? {} : { step_up_id: await steppedUp(http, totp, operation) };
  const { options } = expectStatus(await http.post('/v1/factors/passkeys/options', proof), 201).body as {
    options: { challenge: string; user: { id: string } };
  };
  const authenticator = softwareAuthenticator(SITE);
  const registration = authenticator.register(options.challenge);
  expectStatus(await http.post('/v1/factors/passkeys', { registration }), 201);
  return { authenticator, userHandle: options.user.id };
}

/** The line on the person's own page: the fingerprint of the passkey that they registered last. */
export async function fingerprintOf(api: TestApi, { id, token }: Pick<TestPerson, 'id' | 'token'>): Promise<string> {
  const { body } = expectStatus(await api.http(token).get(`/v1/approver-keys?person_id=${id}`), 200);
  return (body as ApproverKeyListView).items.at(-1)?.fingerprint ?? 'none';
}

/** The person with a new token, after a sign-in with the passkey. */
export async function signedInAgain(api: TestApi, person: TestPerson, passkey: SignInPasskey): Promise<TestPerson> {
  const signedIn = expectStatus(await signInByPasskey(api, passkey), 204);
  const page = await pageOf(api, browserSessionCookieOf(signedIn));
  const minted = await api.http().post('/v1/tokens', { name: 'new', scopes: ['read', 'submit', 'review'] }, page);
  return { ...person, token: expectStatus(minted, 201).body.token as string };
}

/** Vouches with an authenticator app. */
export async function vouched(
  by: HttpAs,
  totp: TestTotp,
  { id, fingerprint }: { readonly id: string; readonly fingerprint: string },
): Promise<unknown> {
  const step_up_id = await steppedUp(by, totp, { kind: 'vouch', person_id: id, fingerprint });
  return expectStatus(await by.post(`/v1/people/${id}/vouch`, { fingerprint, step_up_id }), 201).body as unknown;
}
