import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartStepUpBody } from '#lib/api-schemas';
import { CountersignClient, type BodyOf } from '#lib/sdk';
import { DemoBrowser } from './browser.js';
import { PEOPLE, ROLE_MAPPINGS, type DemoPerson } from './people.js';
import { challengeOf, softwareAuthenticator, type SoftwareAuthenticator } from './software-authenticator.js';

type Scopes = BodyOf<'post', '/v1/enrolment'>['scopes'];

/** Somebody of the demo's tenant, and a client that acts as them. */
export interface Player {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly client: CountersignClient;
  /** The authenticator is software, since the demo has no finger; null for people without one. */
  readonly passkey: SoftwareAuthenticator | null;
}

/** A person who signs their approvals. */
export interface Signer extends Player {
  readonly passkey: SoftwareAuthenticator;
  /** Shown once, as the passkey was registered. */
  readonly recoveryCodes: readonly string[];
}

/** Everybody who plays a part. */
export interface Cast {
  readonly ada: Player;
  readonly noor: Player;
  readonly olga: Player;
  readonly dev: Player;
  readonly sam: Signer;
  readonly lea: Signer;
  readonly rita: Player;
  readonly agent: Player;
}

/** Everybody while Ada is the only admin. From Noor's first sign-in on, a change of Ada's that loosens waits for her. */
export interface FirstCast {
  readonly alone: Omit<Cast, 'noor'>;
  readonly joinedByNoor: () => Promise<Cast>;
}

export interface TenantSetting {
  readonly baseUrl: string;
  readonly bootstrapToken: string;
  /** Holds the catalog and the autonomy document. */
  readonly catalogDirectory: string;
  readonly fleetUrl: string;
  readonly issuerUrl: string;
  /** The operator's act on the server: a one-time token for a person, which no admin sees. */
  readonly letIn: (email: string) => Promise<string>;
}

export const TENANT = { slug: 'acme', name: 'Acme' };

const REVIEWER: Scopes = ['read', 'submit', 'run', 'review', 'halt'];
const ADMIN: Scopes = ['read', 'run', 'halt', 'audit', 'admin'];

/**
 * Founds the demo's tenant through the public API, as any operator would: its issuer, an agent, tools, autonomy. People
 * come in through the issuer, in a browser; the tokens they play with here they mint there.
 */
export async function castOf(setting: TenantSetting): Promise<FirstCast> {
  const { baseUrl, bootstrapToken, catalogDirectory, fleetUrl, issuerUrl } = setting;
  const anonymous = new CountersignClient({ baseUrl });
  const founded = await anonymous.post('/v1/bootstrap', {
    body: {
      bootstrap_token: bootstrapToken,
      tenant: TENANT,
      admin: { email: PEOPLE.ada.email, display_name: PEOPLE.ada.name },
    },
  });
  const { token: first } = await anonymous.post('/v1/enrolment', {
    body: {
      enrolment_token: founded.enrolment.enrolment_token,
      name: 'demo',
      scopes: ['admin'],
    },
  });
  await registerIssuer(baseUrl, first, issuerUrl);

  const comeIn = async (
    { sub, name }: DemoPerson,
    scopes: Scopes,
    registered: (browser: DemoBrowser) => Promise<void> = () => Promise.resolve(),
  ): Promise<Player> => {
    const browser = new DemoBrowser(baseUrl);
    const { id } = await browser.signIn(TENANT.slug, sub);
    const { token } = await browser.api.post('/v1/tokens', { body: { name: 'demo', scopes } });
    await registered(browser);
    await browser.api.post('/v1/browser-sessions/current/sign-out');
    return { id, name, token, client: new CountersignClient({ baseUrl, token }), passkey: null };
  };
  const comeInAndSign = async (person: DemoPerson): Promise<Signer> => {
    const { origin, hostname } = new URL(baseUrl);
    const passkey = softwareAuthenticator({ origin, rpId: hostname });
    let recoveryCodes: readonly string[] = [];
    const player = await comeIn(person, REVIEWER, async ({ api }) => {
      const { options } = await api.post('/v1/factors/passkeys/options', { body: {} });
      const registration = passkey.register(challengeOf(options));
      const enrolled = await api.post('/v1/factors/passkeys', { body: { registration } });
      recoveryCodes = enrolled.recovery_codes ?? [];
    });
    return { ...player, passkey, recoveryCodes };
  };
  const ada = await comeIn(PEOPLE.ada, ADMIN);
  const olga = await comeIn(PEOPLE.olga, REVIEWER);
  const dev = await comeIn(PEOPLE.dev, REVIEWER);
  const sam = await comeInAndSign(PEOPLE.sam);
  const lea = await comeInAndSign(PEOPLE.lea);
  const rita = await comeIn(PEOPLE.rita, ['read', 'audit']);

  for (const environment of ['production', 'staging', 'development']) {
    await ada.client.put('/v1/environments/{environment}/executors/{name}', {
      path: { environment, name: 'fleet' },
      body: { kind: 'http', url: `${fleetUrl}/tools` },
    });
  }
  await ada.client.put('/v1/tools', { yaml: readFileSync(join(catalogDirectory, 'adr-009.yaml'), 'utf8') });
  await ada.client.put('/v1/autonomy', {
    yaml: readFileSync(join(catalogDirectory, 'autonomy.yaml'), 'utf8'),
  });

  const registered = await ada.client.post('/v1/agents', { body: { name: 'drift-bot', owner_id: olga.id } });
  const { token } = await olga.client.post('/v1/agents/{id}/tokens', {
    path: { id: registered.id },
    body: {
      name: 'demo',
      scopes: ['read', 'submit', 'run'],
    },
  });
  const agent = {
    id: registered.id,
    name: 'drift-bot',
    token,
    client: new CountersignClient({ baseUrl, token }),
    passkey: null,
  };
  const alone = { ada, olga, dev, sam, lea, rita, agent };
  const joinedByNoor = async (): Promise<Cast> => {
    await letInNoor(setting, ada.client);
    return { ...alone, noor: await comeIn(PEOPLE.noor, ADMIN) };
  };
  return { alone, joinedByNoor };
}

/**
 * Ada set the issuer up alone: it makes no person known until a person of another hand confirms it. The operator lets Noor
 * in, and Noor confirms it. Until then everybody shares one vote with Ada.
 */
async function letInNoor({ baseUrl, letIn }: TenantSetting, ada: CountersignClient): Promise<void> {
  const { email, name } = PEOPLE.noor;
  const noor = await ada.post('/v1/people', { body: { email, display_name: name } });
  await ada.post('/v1/people/{id}/roles', { path: { id: noor.id }, body: { role: 'PlatformAdmin' } });
  const anonymous = new CountersignClient({ baseUrl });
  const { token } = await anonymous.post('/v1/enrolment', {
    body: {
      enrolment_token: await letIn(email),
      name: 'demo',
      // Her factor and her step-ups take `review`.
      scopes: ['review', 'admin'],
    },
  });
  await confirmIssuer(new CountersignClient({ baseUrl, token }), baseUrl);
}

/** Registers a passkey; she removes it again, so that a visitor who plays her registers their own. */
async function confirmIssuer(noor: CountersignClient, baseUrl: string): Promise<void> {
  const passkey = softwareAuthenticator({ origin: baseUrl, rpId: new URL(baseUrl).hostname });
  const { options } = await noor.post('/v1/factors/passkeys/options', { body: {} });
  const registration = passkey.register(challengeOf(options));
  const { factor } = await noor.post('/v1/factors/passkeys', { body: { name: 'Passkey', registration } });
  const stepUp = async (operation: StartStepUpBody['operation']): Promise<string> => {
    const { id, passkey_options: asked } = await noor.post('/v1/step-ups', { body: { operation } });
    const assertion = passkey.assert(challengeOf(asked ?? {}));
    return (await noor.post('/v1/step-ups/{id}/proof', { path: { id }, body: { method: 'passkey', assertion } })).id;
  };
  const { revision: settings_revision, issuers } = await noor.get('/v1/issuers');
  for (const { id: issuer_id, name } of issuers) {
    const step_up_id = await stepUp({ kind: 'issuer_confirm', issuer_id, settings_revision });
    await noor.post('/v1/issuers/{name}/confirm', { path: { name }, body: { settings_revision, step_up_id } });
  }
  await noor.delete('/v1/factors/{id}', {
    path: { id: factor.id },
    query: { step_up_id: await stepUp({ kind: 'factor_removal', factor_id: factor.id }) },
  });
}

/** Acme's people sign in at the demo's issuer, and hold the roles that their groups there give. */
async function registerIssuer(baseUrl: string, token: string, issuerUrl: string): Promise<void> {
  const answer = await fetch(new URL('/v1/issuers', baseUrl), {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      issuers: [
        {
          name: 'acme',
          display_name: 'Acme',
          issuer_url: issuerUrl,
          client_id: 'countersign',
          extra_scopes: ['groups'],
          role_mappings: ROLE_MAPPINGS,
          // Ada was founded with her address, before there was an issuer.
          link_by_verified_email: true,
        },
      ],
    }),
  });
  if (!answer.ok) throw new Error(`The issuer was not accepted: ${await answer.text()}`);
}
