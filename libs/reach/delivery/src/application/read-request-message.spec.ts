import { boundDigest } from '#lib/approval';
import { newId, type ApprovalRequestId, type PersonPrincipal, type SessionId, type Tx } from '#lib/kernel';
import { FakeApprovalWorld, rules, valueOf } from '../../../../stages/approval/src/application/fake-approval-world.js';
import { callRules } from '../../../../stages/approval/src/application/fake-call.js';
import { revised } from '../../../../stages/approval/src/application/fake-notified-request.js';
import type { MessageRecipients, RequestContext } from './delivery.ports.js';
import type { PlanMessage } from '../domain/request-message.js';
import { ReadRequestMessage } from './read-request-message.js';

let world: FakeApprovalWorld;
/** The facts that the approval library does not read; null for a request that is gone. */
let context: RequestContext | null;
beforeEach(() => {
  world = new FakeApprovalWorld();
  context = { requesterName: 'drift-bot', onBehalfOfName: 'Olga', approvedBefore: true, run: null };
});
/** Reads the request in the transaction that encloses the reads of the approval library. */
const PAST = 'Asked once before: 1 rolled back.';

const readerOf = (): ReadRequestMessage => {
  const directory = { context: () => Promise.resolve(context) };
  return new ReadRequestMessage(world.telling, world.reading, directory, {
    lineOf: () => Promise.resolve(PAST),
  });
};
const read = (id: ApprovalRequestId) => {
  const tx: Tx = { tenantId: world.tenant.tenantId, now: () => Promise.resolve(world.uow.now) };
  return readerOf().execute(tx, id);
};
/** The same of a request about a plan. */
const readPlan = async (id: ApprovalRequestId): Promise<PlanMessage | null> => {
  const message = await read(id);
  return message?.type === 'plan' ? message : null;
};
const lead = (displayName: string): PersonPrincipal => {
  const person = world.person('SRELead');
  world.changePerson(person, () => ({ displayName, nameForAgents: displayName }));
  return person;
};

describe('a request as channels show it', () => {
  it('has the names around it, and counts the approvals for each slot', async () => {
    const request = await world.asked();
    valueOf(await world.review(lead('Ada'), request));
    expect(await readPlan(request.id)).toMatchObject({
      id: request.id,
      type: 'plan',
      digest: boundDigest(request.binding),
      state: 'open',
      environment: { name: 'production', production: true },
      requester: { kind: 'agent', name: 'drift-bot', onBehalfOf: 'Olga' },
      asked: [{ count: 2, roles: ['SRELead'], filled: 1 }],
      reviews: [{ person: 'Ada', verdict: 'approve' }],
      deadline: request.expiresAt,
      past: PAST,
      changedSince: null,
      run: null,
    });
  });

  it('shows all of a call, and the words of its agent apart', async () => {
    world.autonomy(callRules());
    const request = await world.askedAboutCall();
    expect(await read(request.id)).toMatchObject({
      type: 'tool_call',
      digest: boundDigest(request.binding),
      environment: { name: 'staging', production: false },
      call: {
        tool: { name: 'restart_service' },
        arguments: { service: 'nginx', targets: ['web-01'] },
        level: 'medium',
      },
      reason: 'nginx does not answer',
      always: null,
      confirmWord: null,
    });
  });

  it.each<[string, () => Promise<{ readonly id: ApprovalRequestId }>]>([
    ['a plan', () => world.asked()],
    [
      'a call',
      () => {
        world.autonomy(callRules());
        return world.askedAboutCall();
      },
    ],
  ])('about %s is the same from the facts of the transaction that opened it', async (_what, ask) => {
    context = { requesterName: 'drift-bot', onBehalfOfName: 'Olga', approvedBefore: false, run: null };
    const { id } = await ask();
    const known = world.known.at(-1);
    if (known === undefined) throw new Error('nothing was handed over');
    const tx: Tx = { tenantId: world.tenant.tenantId, now: () => Promise.resolve(world.uow.now) };
    const told = { id, requesterName: 'drift-bot', onBehalfOfName: 'Olga' } as MessageRecipients;
    expect(await readerOf().opened(tx, known, told)).toEqual(await read(id));
  });

  it('shows the shape of an "always" if the session alone asks about a call', async () => {
    world.autonomy(callRules({ require_approval: false }));
    const session = { preset: 'tiers', level: 'SUPERVISED', mode: 'ask-on-write', trusted: false } as const;
    const request = await world.askedAboutCall({
      sessionId: newId<SessionId>(),
      change: ({ question }) => ({ question: { ...question, session } }),
    });
    expect(await read(request.id)).toMatchObject({ always: { '/targets': ['web-01'] }, confirmWord: null });
  });

  it('is not there for an unknown id, nor for a request without a context', async () => {
    expect(await readPlan(newId<ApprovalRequestId>())).toBeNull();
    const request = await world.asked();
    context = null;
    expect(await readPlan(request.id)).toBeNull();
  });
});

describe('the changes since an earlier approval', () => {
  /** A request for the next revision of a plan that these people approved, a second later. */
  const approvedThenRevised = async (...approvers: readonly PersonPrincipal[]) => {
    const first = await world.asked();
    for (const by of approvers) valueOf(await world.review(by, first));
    world.uow.now += 1_000;
    return world.asked(await revised(world, first));
  };

  it('name the people who approved', async () => {
    const again = await approvedThenRevised(lead('Ada'), lead('Ben'));
    expect((await readPlan(again.id))?.changedSince).toEqual({ people: ['Ada', 'Ben'], lines: [] });
  });

  it('are those since the last request with an approval, before this one', async () => {
    const [ada, ben] = [lead('Ada'), lead('Ben')];
    const second = await approvedThenRevised(ada);
    world.uow.now += 1_000;
    // Of another task.
    valueOf(await world.review(ben, await world.asked()));
    world.uow.now += 1_000;
    const third = await world.asked(await revised(world, second));
    expect((await readPlan(third.id))?.changedSince?.people).toEqual(['Ada']);
    valueOf(await world.review(ben, third));
    expect((await readPlan(third.id))?.changedSince?.people).toEqual(['Ada']);
  });

  it('name three of many people', async () => {
    world.autonomy(rules({ quorum: [{ count: 4, roles: ['SRELead'] }] }));
    const again = await approvedThenRevised(lead('Ada'), lead('Ben'), lead('Cleo'), lead('Dan'));
    expect((await readPlan(again.id))?.changedSince?.people).toEqual(['Ada', 'Ben', 'Cleo']);
  });

  it('are none without an earlier approval', async () => {
    const again = await approvedThenRevised();
    expect((await readPlan(again.id))?.changedSince).toBeNull();
  });

  it('are not looked for unless a request of the task was approved', async () => {
    const again = await approvedThenRevised(lead('Ada'));
    context = context && { ...context, approvedBefore: false };
    expect((await readPlan(again.id))?.changedSince).toBeNull();
  });
});
