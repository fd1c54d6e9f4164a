import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { cameIn } from '../support/passkey-accounts.js';

let api: TestApi;
let without: TestApi;
let mail: LocalMail;
let tenant: TestTenant;
let asAda: HttpAs;

beforeAll(async () => {
  mail = await localMail();
  api = await testApi({ config: { mail: mail.config } });
  without = await testApi();
  tenant = await api.tenant();
  asAda = api.http(tenant.admin.token);
}, 60_000);
afterAll(async () => {
  await api.close();
  await without.close();
  await mail.close();
});

/** The secret in the last mail to an address. */
function secretMailedTo(to: string): string {
  const text = mail.mails.filter((one) => one.to === to).at(-1)?.text ?? '';
  // Quoted-printable folds long lines.
  return /invitation#(cs_[A-Za-z0-9_-]+)/.exec(text.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='))?.[1] ?? '';
}

const person = async (email: string): Promise<Record<string, unknown>> =>
  ((await asAda.get('/v1/people')).body.items as Record<string, unknown>[]).find((one) => one.email === email) ?? {};

const refusal = ({ status, body }: Answer): unknown[] => [status, body.code];

describe('T39: an invitation that the server mails', () => {
  it('T39 is never shown to the inviting admin, and makes its person known otherwise', async () => {
    expect((await asAda.get('/v1/invitations')).body).toMatchObject({ can_mail: true });
    const body = { email: 'sam@elsewhere.example', display_name: 'Sam' };
    const answer = expectStatus(await asAda.post('/v1/invitations/mailed', body), 201);
    expect(answer.body).toEqual({
      person_id: expect.any(String),
      mailed_to: body.email,
      expires_at: expect.any(String),
    });
    const secret = secretMailedTo(body.email);
    expect(secret).not.toBe('');
    expect(answer.text).not.toContain(secret);
    const open = await asAda.get('/v1/invitations');
    expect(open.body.items).toMatchObject([{ channel: 'mailed', person: { email: body.email } }]);
    expect(open.text).not.toContain(secret);
    await cameIn(api, secret);
    expect(await person(body.email)).toMatchObject({
      standing: { known: true, known_by: [{ basis: 'mailed_invitation', counts: true }], shares_vote_with: [] },
    });
    const id = (await person(body.email)).id as string;
    expect(refusal(await asAda.post(`/v1/people/${id}/enrolment/mailed`))).toEqual([409, 'enrolment.came_in_before']);
  });

  it('T39 to the mailbox of the inviting admin leaves the two with one vote', async () => {
    const email = tenant.admin.email.replace('@', '+sam@');
    expectStatus(await asAda.post('/v1/invitations/mailed', { email, display_name: 'Puppet' }), 201);
    await cameIn(api, secretMailedTo(email));
    expect(await person(email)).toMatchObject({
      standing: { known: false, shares_vote_with: [{ id: tenant.admin.id }] },
    });
  });

  it('T39 to the mailbox of somebody who was here before gives no further vote, and takes none away', async () => {
    const first = { email: 'olga.k@elsewhere.example', display_name: 'Olga' };
    expectStatus(await asAda.post('/v1/invitations/mailed', first), 201);
    await cameIn(api, secretMailedTo(first.email));
    const second = { email: 'OlgaK+2@elsewhere.example', display_name: 'Inga' };
    expectStatus(await asAda.post('/v1/invitations/mailed', second), 201);
    await cameIn(api, secretMailedTo(second.email));
    expect(await person(first.email)).toMatchObject({ standing: { known: true, shares_vote_with: [] } });
    expect(await person(second.email)).toMatchObject({
      standing: { known: false, shares_vote_with: [{ id: tenant.admin.id }] },
    });
  });

  it('T39 that was first shown to the hand counts as shown, also if it is mailed afterwards', async () => {
    const body = { email: 'lea@elsewhere.example', display_name: 'Lea' };
    const shown = expectStatus(await asAda.post('/v1/invitations', body), 201).body as {
      person_id: string;
      enrolment_token: string;
    };
    expectStatus(await asAda.post(`/v1/people/${shown.person_id}/enrolment/mailed`), 201);
    const used = await api.http().post('/v1/enrolment', { enrolment_token: shown.enrolment_token, name: 'x' });
    expect(refusal(used)).toEqual([401, 'enrolment.refused']);
  });

  it('T39 that no mail server takes is withdrawn, and can be mailed again', async () => {
    const body = { email: 'mia@elsewhere.example', display_name: 'Mia' };
    mail.refuse(body.email);
    const refused = await asAda.post('/v1/invitations/mailed', body);
    expect(refusal(refused)).toEqual([409, 'invitation.not_mailed']);
    const open = (await asAda.get('/v1/invitations')).body.items as { person: { email: string } }[];
    expect(open.map(({ person: { email } }) => email)).not.toContain(body.email);
    mail.accept(body.email);
    const id = (await person(body.email)).id as string;
    expectStatus(await asAda.post(`/v1/people/${id}/enrolment/mailed`), 201);
    expect(secretMailedTo(body.email)).not.toBe('');
  });

  it('T39 waits with its roles for a second person, and opens nothing before', async () => {
    await api.person(tenant, 'PlatformAdmin');
    const body = { email: 'kim@elsewhere.example', display_name: 'Kim', roles: ['SRELead'] };
    const answer = expectStatus(await asAda.post('/v1/invitations/mailed', body), 202);
    expect(answer.body).toMatchObject({ kind: 'enrolment', state: 'open', mailed_to: body.email });
    expect(answer.body.what).toContain('mailed to them');
    const secret = secretMailedTo(body.email);
    expect(answer.text).not.toContain(secret);
    const early = await api.http().post('/v1/enrolment/passkey/options', { enrolment_token: secret });
    expect(refusal(early)).toEqual([401, 'enrolment.refused']);
  });

  it('T39 is refused if the operator set no mail server', async () => {
    const there = await without.tenant();
    const asAdmin = without.http(there.admin.token);
    expect((await asAdmin.get('/v1/invitations')).body).toMatchObject({ can_mail: false });
    const body = { email: 'sam@elsewhere.example', display_name: 'Sam' };
    expect(refusal(await asAdmin.post('/v1/invitations/mailed', body))).toEqual([409, 'invitation.no_mail_server']);
    expect((await asAdmin.get('/v1/people')).body.items).toHaveLength(1);
  });
});
