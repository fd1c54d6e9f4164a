import { readFileSync } from 'node:fs';
import type { ChangeKind } from '#lib/kernel';
import { expectStatus, type Answer, type HttpAs, type TestApi, type TestPerson, type TestTenant } from './api.js';
import { enrolTotp, steppedUp, type TestTotp } from './second-factors.js';
import { verifiedBy } from './verified-by.js';

/** A change that waits for a second person. */
export interface WaitingChange {
  readonly id: string;
  readonly kind: ChangeKind;
  readonly what: string;
  readonly reason: string;
  readonly change_digest: string;
  readonly loosens: readonly string[];
  readonly detail: Record<string, unknown>;
}

export const waits = (answer: Answer): WaitingChange => expectStatus(answer, 202).body as WaitingChange;

export const operationOf = ({ id, change_digest }: Pick<WaitingChange, 'id' | 'change_digest'>) => ({
  kind: 'change_confirm',
  change_id: id,
  change_digest,
});

/** Confirms with a fresh proof. */
export async function confirm(
  by: HttpAs,
  totp: TestTotp,
  change: Pick<WaitingChange, 'id' | 'change_digest'>,
): Promise<Answer> {
  const step_up_id = await steppedUp(by, totp, operationOf(change));
  return by.post(`/v1/change-requests/${change.id}/confirm`, { change_digest: change.change_digest, step_up_id });
}

export const outcome = ({ status, body }: Answer): unknown[] => [status, body?.code];

export const stateOf = async (by: HttpAs, { id }: Pick<WaitingChange, 'id'>): Promise<unknown> =>
  (await by.get(`/v1/change-requests/${id}`)).body.state as unknown;

/** A tenant that ada set up alone; then came ben, with a second factor. */
export interface TwoAdmins {
  readonly tenant: TestTenant;
  readonly ada: TestPerson;
  readonly ben: TestPerson;
  readonly asAda: HttpAs;
  readonly asBen: HttpAs;
  readonly totp: TestTotp;
  /** Ada's own proof, which confirms no change of hers. */
  readonly adas: TestTotp;
}

export async function twoAdmins(
  api: TestApi,
  setUp: (asAda: HttpAs, tenant: TestTenant) => Promise<void> = () => Promise.resolve(),
): Promise<TwoAdmins> {
  const tenant = await api.tenant();
  const asAda = api.http(tenant.admin.token);
  await setUp(asAda, tenant);
  const ben = await api.person(tenant, 'PlatformAdmin');
  const totp = await enrolTotp(api, ben);
  const adas = await enrolTotp(api, tenant.admin);
  return { tenant, ada: tenant.admin, ben, asAda, asBen: api.http(ben.token), totp, adas };
}

/** The same with the tools of the catalog and an autonomy document in force. */
export const twoAdminsWithRules = (api: TestApi): Promise<TwoAdmins> =>
  twoAdmins(api, async (asAda, tenant) => {
    expectStatus(await asAda.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
    for (const role of ['SRELead', 'SRELead']) await api.person(tenant, role);
    expectStatus(await asAda.put('/v1/autonomy', autonomyWith()), 200);
  });

const CARRIED_OUT =
  /^Asked for by .*, confirmed by .*, who is somebody else, and carried out on that word: exactly this change, \d+ actions?\.$/;
const NOTHING_DONE = /^Asked for by .*; (open|rejected|withdrawn|expired|voided), and nothing of it was carried out\.$/;

/** Assembles and verifies the evidence of the tenant's changes. @returns the kinds of those that were carried out, in order. */
export async function provedKinds(auditor: HttpAs, secret?: string): Promise<readonly string[]> {
  const { items } = expectStatus(await auditor.get('/v1/change-requests?limit=200'), 200).body as {
    items: { id: string; kind: string; state: string }[];
  };
  const kinds = new Set<string>();
  for (const { id, kind, state } of items) {
    const pack = expectStatus(await auditor.post(`/v1/change-requests/${id}/evidence`, {}), 200).text;
    if (secret !== undefined) expect(pack).not.toContain(secret);
    const report = await verifiedBy(auditor, pack);
    expect(report).toMatchObject({ failure: null, subject: { type: 'change_request', id } });
    const said = report.passed.at(state === 'applied' ? -2 : -1);
    expect(said).toMatch(state === 'applied' ? CARRIED_OUT : NOTHING_DONE);
    if (state === 'applied') expect(report.passed.at(-1)).toMatch(/^Known as it was confirmed: ./);
    if (state === 'applied') kinds.add(kind);
  }
  return [...kinds].sort();
}

/** Approvers of production, and more of an autonomy document. */
export const autonomyWith = (approvers = 'SRELead', more = ''): string => `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [${approvers}]
${more}`;

export const BREAK_GLASS = `emergency_override:
  enabled: true
  allowed_roles: [SRELead]
`;

/** The condition for another autonomy document: the one in force. */
export const inForce = async (by: HttpAs): Promise<Record<string, string>> => ({
  'if-match': String((await by.get('/v1/autonomy')).headers.etag),
});

export const toolOf = (risk: string, description = 'Restarts a service.') => ({
  description,
  risk,
  idempotent: true,
  scope: 'asset',
  parameters: {
    type: 'object',
    properties: { service: { type: 'string', maxLength: 100 } },
    required: ['service'],
    additionalProperties: false,
  },
  identity_fields: ['/service'],
});
