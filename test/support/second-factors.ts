import { generateSync } from 'otplib';
import type { PersonId } from '#lib/kernel';
import { expectStatus, type Answer, type HttpAs, type TestApi, type TestPerson } from './api.js';
import { softwareAuthenticator, type SoftwareAuthenticator } from './virtual-authenticator.js';

/** The address of the tests' API, for passkeys: loopback addresses are localhost to a browser. */
export const SITE = { origin: 'http://localhost:8420', rpId: 'localhost' };

/** A person's authenticator app. */
export interface TestTotp {
  readonly id: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The code of this step, or of one that many steps from it. Whether it was used is the caller's to know. */
  code(steps?: number): string;
  /** A code that is good for sure: used codes are forgotten. */
  freshCode(): Promise<string>;
}

/** Enrols and confirms an authenticator app for somebody who has no factor. */
export async function enrolTotp(api: TestApi, person: TestPerson): Promise<TestTotp> {
  const http = api.http(person.token);
  const offer = expectStatus(await http.post('/v1/factors/totp', {}), 201).body as { id: string; secret: string };
  const code = (steps = 0): string =>
    generateSync({ secret: offer.secret, epoch: Math.floor(Date.now() / 1000) + 30 * steps });
  const confirmed = expectStatus(await http.post(`/v1/factors/totp/${offer.id}/confirm`, { code: code() }), 200)
    .body as {
    recovery_codes: string[];
  };
  return {
    ...offer,
    recoveryCodes: confirmed.recovery_codes,
    code,
    freshCode: async () => {
      await api.db.owner.query('update factor set last_step = null where id = $1', [offer.id]);
      return code();
    },
  };
}

/** Registers a passkey for somebody who has no factor. */
export async function enrolPasskey(api: TestApi, person: TestPerson, site = SITE): Promise<SoftwareAuthenticator> {
  const http = api.http(person.token);
  const passkey = softwareAuthenticator(site);
  const { options } = expectStatus(await http.post('/v1/factors/passkeys/options', {}), 201).body as {
    options: { challenge: string };
  };
  expectStatus(await http.post('/v1/factors/passkeys', { registration: passkey.register(options.challenge) }), 201);
  return passkey;
}

/** An operation for tests about other things than operations. */
const someOperation = { kind: 'factor_change', change: 'renew_recovery_codes' } as const;

interface Started {
  readonly id: string;
  readonly challenge: string;
  readonly methods: readonly string[];
}

/** Begins a step-up. */
export async function startStepUp(http: HttpAs, operation: object = someOperation): Promise<Started> {
  const {
    id,
    methods,
    passkey_options: options,
  } = expectStatus(await http.post('/v1/step-ups', { operation }), 201).body as {
    id: string;
    methods: string[];
    passkey_options: { challenge: string } | null;
  };
  return { id, methods, challenge: options?.challenge ?? '' };
}

export const prove = (http: HttpAs, id: string, proof: object): Promise<Answer> =>
  http.post(`/v1/step-ups/${id}/proof`, proof);

/** A proved step-up's id, by an authenticator app. */
export async function steppedUp(http: HttpAs, totp: TestTotp, operation: object): Promise<string> {
  const { id } = await startStepUp(http, operation);
  expectStatus(await prove(http, id, { method: 'totp', code: await totp.freshCode() }), 200);
  return id;
}

/** A proved step-up's id, by a passkey. */
export async function signed(http: HttpAs, passkey: SoftwareAuthenticator, operation: object): Promise<string> {
  const { id, challenge } = await startStepUp(http, operation);
  expectStatus(await prove(http, id, { method: 'passkey', assertion: passkey.assert(challenge) }), 200);
  return id;
}

/** The audit payloads of a person's actions, oldest first. */
export async function auditedOf(api: TestApi, action: string, by: PersonId): Promise<Record<string, unknown>[]> {
  const { rows } = await api.db.owner.query<{ payload: string }>(
    `select entry.payload from audit_entry entry
     where entry.action = $1 and entry.actor ->> 'id' = $2 order by entry.entry_number`,
    [action, by],
  );
  return rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
}
