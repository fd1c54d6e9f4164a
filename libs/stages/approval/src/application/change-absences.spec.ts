import { newId, type PersonPrincipal } from '#lib/kernel';
import { codeOf, FakeApprovalWorld, MINUTE, valueOf } from './fake-approval-world.js';

const DAY = 24 * 60 * MINUTE;

let world: FakeApprovalWorld;
let ada: PersonPrincipal;
/** Holds no role of their own. */
let dan: PersonPrincipal;
beforeEach(() => {
  world = new FakeApprovalWorld();
  [ada, dan] = [world.person('SRELead', 'DevOpsEngineer'), world.person()];
});

const wish = (more: Partial<Parameters<typeof world.absences.begin>[1]> = {}) => ({
  delegateId: dan.personId,
  roles: null,
  from: null,
  until: world.uow.now + DAY,
  ...more,
});
const begun = async (by: PersonPrincipal, more: Parameters<typeof wish>[0] = {}): Promise<string> =>
  codeOf(await world.absences.begin(by, wish(more)));

describe('handing roles over', () => {
  it('hands all of one’s own from now on, unless something else is said', async () => {
    expect(valueOf(await world.absences.begin(ada, wish())).absence).toMatchObject({
      personId: ada.personId,
      delegateId: dan.personId,
      roles: ['DevOpsEngineer', 'SRELead'],
      from: world.uow.now,
      endedAt: null,
    });
    expect(world.audited).toMatchObject([
      {
        action: 'absence.begun',
        level: 'full',
        payload: { person_id: ada.personId, delegate_id: dan.personId, roles: ['DevOpsEngineer', 'SRELead'] },
      },
    ]);
    const from = world.uow.now + DAY;
    const some = valueOf(await world.absences.begin(ada, wish({ roles: ['SRELead'], from, until: from + DAY })));
    expect(some.absence).toMatchObject({ roles: ['SRELead'], from });
  });

  it('is refused to oneself, for roles of others, and for invalid dates', async () => {
    expect(await begun(ada, { delegateId: ada.personId })).toBe('absence.self');
    expect(await begun(ada, { roles: ['SRELead', 'PlatformAdmin'] })).toBe('absence.role_not_held');
    expect(await begun(dan, { delegateId: ada.personId })).toBe('absence.role_not_held');
    expect(await begun(ada, { until: world.uow.now })).toBe('absence.dates');
    expect(await begun(ada, { from: world.uow.now + DAY, until: world.uow.now + DAY })).toBe('absence.dates');
    expect(await begun(ada, { until: world.uow.now + 90 * DAY + 1 })).toBe('absence.dates');
    expect(await begun(ada, { until: world.uow.now + 90 * DAY })).toBe('ok');
    expect(world.audited).toHaveLength(1);
  });

  it('ends with the credential by which it was asked for', async () => {
    world.people.endedCredentials.add(ada.credentialId);
    expect(await begun(ada)).toBe('credential.ended');
    expect(world.audited).toEqual([]);
  });

  it('goes to somebody who is there', async () => {
    expect(await begun(ada, { delegateId: new FakeApprovalWorld().person().personId })).toBe('resource.not_found');
    world.changePerson(dan, () => ({ disabled: true }));
    expect(await begun(ada)).toBe('absence.delegate_disabled');
  });

  it('hands over the roles held now, not those that the credential remembers', async () => {
    world.revokeRole(ada, 'SRELead');
    expect(await begun(ada, { roles: ['SRELead'] })).toBe('absence.role_not_held');
  });
});

describe('taking roles back', () => {
  it('is for the absent person, or an admin, once', async () => {
    const [mine, other] = [
      valueOf(await world.absences.begin(ada, wish())).absence,
      valueOf(await world.absences.begin(ada, wish())).absence,
    ];
    const end = async (by: PersonPrincipal, id: string) => codeOf(await world.absences.end(by, id));
    expect(await end(dan, mine.id)).toBe('absence.not_yours');
    expect(await end(ada, mine.id)).toBe('ok');
    expect(await end(ada, mine.id)).toBe('ok');
    expect(await end(world.tenant.admin, other.id)).toBe('ok');
    expect(await end(ada, newId())).toBe('resource.not_found');
    expect(world.audited.filter(({ action }) => action === 'absence.ended')).toHaveLength(2);
    const listed = await world.absences.list(ada, { limit: 10, after: null });
    expect(listed.map(({ absence }) => absence.endedBy).sort()).toEqual(
      [ada.personId, world.tenant.admin.personId].sort(),
    );
  });
});

it('lists the absent people of a delegate, present and future', async () => {
  const until = world.uow.now + DAY;
  const [now, later] = [
    valueOf(await world.absences.begin(ada, wish({ until }))).absence,
    valueOf(await world.absences.begin(ada, wish({ from: until, until: until + DAY }))).absence,
  ];
  const standingIn = async () => (await world.absences.standingIn(dan)).map(({ absence }) => absence.id).sort();
  expect(await standingIn()).toEqual([now.id, later.id].sort());
  world.uow.now = until;
  expect(await standingIn()).toEqual([later.id]);
  valueOf(await world.absences.end(ada, later.id));
  expect(await standingIn()).toEqual([]);
  expect(await world.absences.standingIn(ada)).toEqual([]);
});
