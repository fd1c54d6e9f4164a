import { expectStatus, testApi, type Answer, type TestApi, type TestTenant } from '../support/api.js';
import { cameIn } from '../support/passkey-accounts.js';

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await testApi();
}, 60_000);
afterAll(() => api.close());
beforeEach(async () => {
  tenant = await api.tenant();
});

const admin = () => api.http(tenant.admin.token);
const outcome = ({ status, body }: Answer): unknown[] => [status, (body as { code?: string } | undefined)?.code];
const leave = async (): Promise<readonly unknown[]> => [
  outcome(await admin().patch(`/v1/people/${tenant.admin.id}`, { disabled: true })),
  outcome(await admin().delete(`/v1/people/${tenant.admin.id}/roles/PlatformAdmin`)),
];

/** Somebody who is invited as the next admin, with the token of their invitation. */
async function nextAdmin(): Promise<{ readonly id: string; readonly token: string }> {
  const body = { email: 'next@example.com', display_name: 'Next', roles: ['PlatformAdmin'] };
  const invited = expectStatus(await admin().post('/v1/invitations', body), 201).body as {
    person_id: string;
    enrolment_token: string;
  };
  return { id: invited.person_id, token: invited.enrolment_token };
}

const LOCKED_IN = [
  [409, 'identity.last_admin'],
  [409, 'identity.last_admin'],
];

describe('T46: the last admin hands over to somebody who never came in', () => {
  it('and is refused, until they came in', async () => {
    const next = await nextAdmin();
    expect(await leave()).toEqual(LOCKED_IN);
    await cameIn(api, next.token);
    expect(outcome(await admin().delete(`/v1/people/${tenant.admin.id}/roles/PlatformAdmin`))).toEqual([
      204,
      undefined,
    ]);
  });

  it.each([
    [
      'with a dormant account',
      `update person set created_at = created_at - interval '92 days', enrolled_at = enrolled_at - interval '91 days',
       passkey_signed_in_at = passkey_signed_in_at - interval '91 days' where id = $1`,
    ],
    ['who was disabled', 'update person set disabled_at = clock_timestamp() where id = $1'],
    [
      'with a removed passkey',
      `update factor set state = 'removed', removed_at = clock_timestamp() where person_id = $1`,
    ],
  ])('or to somebody %s', async (_who, undone) => {
    const next = await nextAdmin();
    await cameIn(api, next.token);
    await api.db.owner.query(undone, [next.id]);
    expect(await leave()).toEqual(LOCKED_IN);
  });
});
