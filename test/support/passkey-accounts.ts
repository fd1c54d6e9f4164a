import { expectStatus, type Answer, type TestApi } from './api.js';
import { SITE } from './second-factors.js';
import { softwareAuthenticator, type Behaviour, type SoftwareAuthenticator } from './virtual-authenticator.js';

/** As a page of ours sends it. */
export const OWN_PAGE = { origin: SITE.origin };

/** Somebody's passkey for an account of ours, and the cookie of the browser session that it opened. */
export interface PasskeyHolder {
  readonly authenticator: SoftwareAuthenticator;
  readonly userHandle: string;
  readonly cookie: string;
  readonly recoveryCodes: readonly string[];
}

/** Comes in by an invitation, as the page does. */
export async function acceptInvitation(
  api: Pick<TestApi, 'http'>,
  token: string,
  override: {
    readonly proof?: { method: string; code: string };
    readonly behaviour?: Partial<Behaviour>;
    readonly site?: typeof SITE;
  } = {},
): Promise<{ readonly answer: Answer; readonly holder: Omit<PasskeyHolder, 'cookie' | 'recoveryCodes'> }> {
  const http = api.http();
  const seen = expectStatus(await http.post('/v1/enrolment/passkey/options', { enrolment_token: token }), 200).body as {
    options: { challenge: string; user: { id: string } };
  };
  const { site = SITE } = override;
  const authenticator = softwareAuthenticator(site);
  const registration = authenticator.register(seen.options.challenge, override.behaviour);
  const body = {
    enrolment_token: token,
    name: 'Laptop',
    registration,
    ...(override.proof === undefined ? {} : { proof: override.proof }),
  };
  const answer = await http.post('/v1/enrolment/passkey', body, { origin: site.origin });
  return { answer, holder: { authenticator, userHandle: seen.options.user.id } };
}

/** The same, if it has to work. */
export async function cameIn(api: Pick<TestApi, 'http'>, token: string): Promise<PasskeyHolder> {
  const { answer, holder } = await acceptInvitation(api, token);
  const { recovery_codes: recoveryCodes } = expectStatus(answer, 201).body as { recovery_codes: string[] };
  return { ...holder, cookie: browserSessionCookieOf(answer), recoveryCodes };
}

/** Signs in by the passkey; `sent` replaces the message on the wire. */
export async function signInByPasskey(
  api: Pick<TestApi, 'http'>,
  holder: Pick<PasskeyHolder, 'authenticator' | 'userHandle'>,
  override: Partial<Behaviour> & { readonly challenge?: string; readonly userHandle?: string } = {},
): Promise<Answer> {
  const http = api.http();
  const { challenge: given, userHandle = holder.userHandle, ...behaviour } = override;
  const challenge = given ?? (await passkeyChallenge(api));
  const assertion = holder.authenticator.assert(challenge, behaviour) as { response: object };
  const sent = { ...assertion, response: { ...assertion.response, userHandle } };
  return http.post('/v1/sign-in/passkey', { assertion: sent }, OWN_PAGE);
}

export async function passkeyChallenge(api: Pick<TestApi, 'http'>): Promise<string> {
  const answer = expectStatus(await api.http().post('/v1/sign-in/passkey/options'), 200);
  return (answer.body as { options: { challenge: string } }).options.challenge;
}

export function browserSessionCookieOf(answer: Answer): string {
  const [cookie = ''] = String(answer.headers['set-cookie']).split(';');
  return cookie;
}

/** The headers that a page of a signed-in person sends with every change. */
export async function pageOf(api: Pick<TestApi, 'http'>, cookie: string): Promise<Record<string, string>> {
  const { body } = await api.http().get('/v1/browser-sessions/current', { cookie });
  return { cookie, ...OWN_PAGE, 'x-countersign-csrf': (body as { csrf_token: string }).csrf_token };
}
