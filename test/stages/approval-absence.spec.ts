import { SqlAbsences } from '#lib/approval';
import { newId, type PersonPrincipal, type Result } from '#lib/kernel';
import { approvalWorld, valueOf, type ApprovalWorld } from '../support/approval-world.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { testSeals } from '../support/seals.js';

let db: TestDatabase;
let world: ApprovalWorld;
let ada: PersonPrincipal;
let ben: PersonPrincipal;
/** Holds no role of their own. */
let dan: PersonPrincipal;

const DAY = 86_400_000;

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  world = await approvalWorld(db);
  [ada, ben, dan] = [await world.person('SRELead'), await world.person('SRELead'), await world.person()];
});

/** `ok`, or the code of the refusal with those of the policy's reasons. */
const codeOf = (result: Result<unknown>): string =>
  result.ok ? 'ok' : [result.error.code, ...new Set((result.error.reasons ?? []).map(({ code }) => code))].join(' ');

const away = async (
  who: PersonPrincipal,
  delegate: PersonPrincipal,
  more: { roles?: string[]; from?: number; until?: number } = {},
): Promise<string> => {
  const begun = await world.absences.begin(who, {
    delegateId: delegate.personId,
    roles: more.roles ?? null,
    from: more.from ?? null,
    until: more.until ?? Date.now() + DAY,
  });
  return valueOf(begun).absence.id;
};

const state = async (request: Awaited<ReturnType<ApprovalWorld['asked']>>): Promise<string> =>
  (await world.find(request)).state;

describe('an absence', () => {
  it('lets the delegate fill a place with the roles of whoever is away', async () => {
    await away(ada, dan);
    const request = await world.asked();
    expect((await world.queue.execute(dan, { limit: 10, after: null })).items).toHaveLength(1);
    expect(valueOf(await world.review(dan, request)).review).toMatchObject({
      onLoanFrom: ada.personId,
      roles: [{ role: 'SRELead' }],
    });
    expect(codeOf(await world.review(ben, request))).toBe('ok');
    expect(await state(request)).toBe('granted');
    expect(await world.tryToStart(request.planId)).toBe('approved');
    expect(world.audited.find(({ action }) => action === 'absence.begun')).toMatchObject({
      payload: { person_id: ada.personId, delegate_id: dan.personId, roles: ['SRELead'] },
    });
    expect(
      world.audited.findLast(({ action, actor }) => action === 'review.submitted' && actor.id === dan.personId),
    ).toMatchObject({
      payload: { on_loan_from: ada.personId },
    });
  });

  it('makes delegate and delegator one approver, whoever comes first, and further delegates too', async () => {
    const eve = await world.person();
    await away(ada, dan);
    await away(ada, eve);
    const request = await world.asked();
    for (const reviewer of [dan, ada, eve]) expect(codeOf(await world.review(reviewer, request))).toBe('ok');
    expect(await state(request)).toBe('open');
    expect(codeOf(await world.review(ben, request))).toBe('ok');
    expect(await state(request)).toBe('granted');
  });

  it('counts for nothing on requests that were open before it', async () => {
    const request = await world.asked();
    await away(ada, dan);
    expect(codeOf(await world.review(dan, request))).toBe('policy.denied review.delegation');
  });

  it('counts on its dates only', async () => {
    await away(ada, dan, { from: Date.now() + DAY, until: Date.now() + 2 * DAY });
    const early = await world.asked();
    expect(codeOf(await world.review(dan, early))).toBe('policy.denied review.delegation');
    const now = Date.now();
    const over = { from: now - 2 * DAY, until: now - DAY, createdAt: now - 3 * DAY, endedAt: null, endedBy: null };
    const who = { id: newId(), personId: ada.personId, delegateId: dan.personId, roles: ['SRELead'] };
    await db.uow.run(world.stages.tenantId, (tx) => new SqlAbsences(testSeals()).insert(tx, { ...who, ...over }));
    const late = await world.asked();
    expect(codeOf(await world.review(dan, late))).toBe('policy.denied review.delegation');
  });

  it('of somebody excluded gives nothing: whom the agent answers to stays out, and so does who stands in (T03)', async () => {
    await world.grantRole(world.stages.owner, 'SRELead');
    await away(world.stages.owner, dan);
    const request = await world.asked();
    expect(codeOf(await world.review(dan, request))).toBe('policy.denied review.separation_of_duties');
  });

  it('hands over roles that one holds, to somebody else, for dates to come', async () => {
    const wish = { delegateId: dan.personId, roles: null, from: null, until: Date.now() + DAY };
    expect(codeOf(await world.absences.begin(ada, { ...wish, delegateId: ada.personId }))).toBe('absence.self');
    expect(codeOf(await world.absences.begin(ada, { ...wish, roles: ['PlatformAdmin'] }))).toBe(
      'absence.role_not_held',
    );
    expect(codeOf(await world.absences.begin(dan, { ...wish, delegateId: ada.personId }))).toBe(
      'absence.role_not_held',
    );
    expect(codeOf(await world.absences.begin(ada, { ...wish, until: Date.now() - 1 }))).toBe('absence.dates');
    expect(codeOf(await world.absences.begin(ada, { ...wish, until: Date.now() + 91 * DAY }))).toBe('absence.dates');
    await world.disable(dan);
    expect(codeOf(await world.absences.begin(ada, wish))).toBe('absence.delegate_disabled');
  });

  it('is worth no more than what whoever is away still holds, nor after it is taken back', async () => {
    const id = await away(ada, dan);
    const [lost, taken] = [await world.asked(), await world.asked()];
    for (const request of [lost, taken]) {
      valueOf(await world.review(dan, request));
      valueOf(await world.review(ben, request));
    }
    expect(codeOf(await world.absences.end(ben, id))).toBe('absence.not_yours');
    valueOf(await world.absences.end(ada, id));
    expect(await world.tryToStart(taken.planId)).toBe('policy.denied approval.role_lost');
    expect(await state(taken)).toBe('voided');

    await away(ada, dan);
    const next = await world.asked();
    await world.revokeRole(ada, 'SRELead');
    expect(codeOf(await world.review(dan, next))).toBe('policy.denied review.role');
  });

  it('leaves one’s own roles first: with them one stands in for nobody', async () => {
    await away(ada, ben);
    const request = await world.asked();
    expect(valueOf(await world.review(ben, request)).review.onLoanFrom).toBeNull();
    valueOf(await world.review(ada, request));
    expect(await state(request)).toBe('granted');
  });
});
