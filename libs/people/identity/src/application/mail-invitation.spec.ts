import { newId, type PersonId, type PersonPrincipal } from '#lib/kernel';
import { codeOf, FakeIdentityWorld, valueOf } from '../fake-identity-world.js';
import { ENROLMENT_LIFETIME_MS } from '../domain/lifetime.js';

const EMAIL = 'grace@example.com';
const wanted = (roles: readonly string[] = []) => ({ email: EMAIL, displayName: 'Grace', roles });

let world: FakeIdentityWorld;
let admin: PersonPrincipal;
beforeEach(async () => {
  world = await FakeIdentityWorld.open();
  ({ admin } = world);
});
const graceId = (): Promise<PersonId | null> => world.tx((tx) => world.people.findByEmail(tx, EMAIL));
const open = async (): Promise<readonly PersonId[]> =>
  (await world.invitations.list(world.tenant.tenantId)).map(({ person }) => person.id);
/** The token of the mail that was sent last. */
function mailedToken(): string {
  const token = world.mails.at(-1)?.url.split('#')[1];
  if (token === undefined) throw new Error('no mail was sent');
  return token;
}

describe('a mailed invitation', () => {
  it('goes to the person alone, with its author and its end', async () => {
    const mailed = valueOf(await world.mail.invite(admin, wanted()));
    const expiresAt = world.uow.now + ENROLMENT_LIFETIME_MS;
    expect(mailed).toMatchObject({ mailedTo: EMAIL, personId: await graceId(), guarded: { value: { expiresAt } } });
    expect(world.mails).toEqual([
      {
        to: EMAIL,
        displayName: 'Grace',
        invitedBy: admin.displayName,
        url: expect.stringMatching(/^https:\/\/countersign\.example\/join#/) as string,
        expiresAt,
      },
    ]);
    expect(JSON.stringify([mailed, world.audit.of(world.tenant)])).not.toContain(mailedToken());
    expect(world.audit.of(world.tenant).at(-1)).toMatchObject({
      action: 'enrolment.issued',
      payload: { channel: 'mailed' },
    });
  });

  it('makes its person known, with a vote of their own', async () => {
    const { personId } = valueOf(await world.mail.invite(admin, wanted()));
    world.uow.now += 1_000;
    expect(codeOf(await world.exchange.execute(mailedToken(), { name: 'laptop' }))).toBe('ok');
    const standings = await world.read.standings(world.tenant.tenantId, [personId]);
    expect(standings.get(personId)).toMatchObject({
      known: true,
      sharedWith: [],
      knownBy: [{ words: 'came in by an invitation from Ada the admin that the server mailed' }],
    });
  });

  it('tells of no moment while a second person has to confirm it, and opens nothing until then', async () => {
    world.twoPersonRule.secondAdmin = true;
    expect(valueOf(await world.mail.invite(admin, wanted(['SRELead'])))).toMatchObject({
      guarded: { outcome: 'waits' },
    });
    expect(world.mails).toMatchObject([{ to: EMAIL, expiresAt: null }]);
    expect(codeOf(await world.exchange.execute(mailedToken(), { name: 'laptop' }))).toBe('enrolment.refused');
  });

  it('adds no person without a mail server', async () => {
    world.mailServer.available = false;
    expect(codeOf(await world.mail.invite(admin, wanted()))).toBe('invitation.no_mail_server');
    expect([await graceId(), world.actions(), world.mails]).toEqual([null, [], []]);
  });

  it('is not sent if the invitation is refused', async () => {
    expect(codeOf(await world.mail.invite(admin, wanted(['no role!'])))).toBe('identity.role_name');
    valueOf(await world.mail.invite(admin, wanted()));
    expect(codeOf(await world.mail.invite(admin, wanted()))).toBe('identity.email_taken');
    expect(world.mails).toHaveLength(1);
  });

  it('is withdrawn if the mail server refuses it, and the person stays', async () => {
    world.mailServer.refuses = 'mailbox full';
    const refused = await world.mail.invite(admin, wanted());
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'invitation.not_mailed',
        message: `The invitation could not be mailed to ${EMAIL}: mailbox full`,
        action: expect.stringContaining('The person is added') as string,
      },
    });
    expect(await graceId()).not.toBeNull();
    expect(await open()).toEqual([]);
    expect(world.actions()).toEqual(['person.added', 'enrolment.issued', 'enrolment.withdrawn']);
  });

  it('names the change that is to be withdrawn if the refused mail was of one that waits', async () => {
    world.twoPersonRule.secondAdmin = true;
    world.mailServer.refuses = 'mailbox full';
    expect(await world.mail.invite(admin, wanted(['SRELead']))).toMatchObject({
      error: { code: 'invitation.not_mailed', action: expect.stringContaining('Withdraw the change') as string },
    });
  });
});

describe('an invitation that is mailed again', () => {
  it('replaces the one before', async () => {
    const { personId } = valueOf(await world.mail.invite(admin, wanted()));
    const former = mailedToken();
    expect(valueOf(await world.mail.again(admin, personId))).toMatchObject({ personId, mailedTo: EMAIL });
    expect(mailedToken()).not.toBe(former);
    const exchange = async (token: string): Promise<string> =>
      codeOf(await world.exchange.execute(token, { name: 'laptop' }));
    expect([await exchange(former), await exchange(mailedToken())]).toEqual(['enrolment.refused', 'ok']);
  });

  it('is for people of the tenant who never came in', async () => {
    const alan = await world.person('Alan');
    const again = async (id: PersonId): Promise<string> => codeOf(await world.mail.again(admin, id));
    expect(await again(newId<PersonId>())).toBe('resource.not_found');
    expect(await again(alan.personId)).toBe('enrolment.came_in_before');
    expect(world.mails).toEqual([]);
  });

  it('leaves the one before if there is no mail server', async () => {
    const { personId } = valueOf(await world.mail.invite(admin, wanted()));
    world.mailServer.available = false;
    expect(codeOf(await world.mail.again(admin, personId))).toBe('invitation.no_mail_server');
    expect(await open()).toEqual([personId]);
  });

  it('leaves no link if the mail server refuses it', async () => {
    const { personId } = valueOf(await world.mail.invite(admin, wanted()));
    const former = mailedToken();
    world.mailServer.refuses = 'mailbox full';
    expect(codeOf(await world.mail.again(admin, personId))).toBe('invitation.not_mailed');
    expect(await open()).toEqual([]);
    expect(codeOf(await world.exchange.execute(former, { name: 'laptop' }))).toBe('enrolment.refused');
  });
});
