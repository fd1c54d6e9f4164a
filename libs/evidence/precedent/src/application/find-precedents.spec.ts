import { newId, type AgentId, type ApprovalRequestId, type Principal } from '#lib/kernel';
import { fakeWorld, sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakePrecedents, type InventedPrecedent } from './fake-precedents.js';
import { FindPrecedents } from './find-precedents.js';

const SHAPE = { tools: ['rollout_prod'], environment: 'production', argumentKeys: ['image'], targets: [] };
const OPEN = { text: '', tools: [], environment: null, argumentKeys: [], targets: [] };

/** @param alike the ids that an embedder finds, if there is one. */
function world(alike: readonly string[] | null = null) {
  const { uow, home } = fakeWorld();
  const precedents = new FakePrecedents(uow);
  const meaning = { generation: 1, vector: Float32Array.of(1), least: 0.5 };
  const byMeaning = (ids: readonly string[]) => ({
    meanings: { execute: () => Promise.resolve(meaning) },
    vectors: { alike: () => Promise.resolve(ids.map((id, at) => ({ id, rank: at + 1 }))) },
  });
  const finding = new FindPrecedents(uow, precedents, alike === null ? null : byMeaning(alike));
  const keep = (...all: readonly Partial<InventedPrecedent>[]) =>
    uow.run(home.tenantId, (tx) =>
      precedents.keep(
        tx,
        all.map((one) => ({
          ...{ goal: 'patch', tools: SHAPE.tools, environment: SHAPE.environment, arguments: SHAPE.argumentKeys },
          ...one,
        })),
      ),
    );
  const open = (id: ApprovalRequestId, agentId: AgentId) =>
    uow.run(home.tenantId, (tx) => precedents.open(tx, id, { ...SHAPE, text: 'patch', except: null }, agentId));
  return { uow, home, finding, keep, open };
}
const hitsOf = async (finding: FindPrecedents, by: Principal, question: Partial<typeof SHAPE & { text: string }>) =>
  (await finding.search(by, { ...OPEN, ...question }, 5)).hits;

describe('a search of the past', () => {
  it('puts one bad outcome above ten newer good ones', async () => {
    const { home, finding, keep } = world();
    const bad = newId();
    await keep({ id: bad, endedAs: 'rolled_back', goal: 'other words' }, ...Array.from({ length: 10 }, () => ({})));
    const hits = await hitsOf(finding, home.owner, { ...SHAPE, text: 'patch' });
    expect(hits[0]).toMatchObject({ precedent: { id: bad }, ending: 'bad' });
    expect(hits.map(({ ending }) => ending)).toEqual(['bad', 'good', 'good', 'good', 'good']);
  });

  it('puts one bad outcome that is found by meaning alone above fifty good ones with every word', async () => {
    const bad = newId();
    const { home, finding, keep } = world([bad]);
    await keep(
      { id: bad, endedAs: 'rolled_back', goal: 'other words', tools: ['update_host'], environment: 'staging' },
      ...Array.from({ length: 50 }, () => ({ goal: 'patch the kernel' })),
    );
    const hits = await hitsOf(finding, home.owner, { text: 'patch the kernel' });
    expect(hits[0]).toMatchObject({ precedent: { id: bad }, ending: 'bad', equal: ['a similar meaning'] });
    expect(hits.map(({ ending }) => ending)).toEqual(['bad', 'good', 'good', 'good', 'good']);
  });

  it('shows an agent its own words, and of others structure and outcome alone', async () => {
    const { home, finding, keep } = world();
    const { agentId } = home.agent;
    await keep(
      { agentId, targets: ['web-01'] },
      { agentId: newId(), targets: ['web-01', 'web-02'], endedAs: 'failed' },
    );
    const hits = await hitsOf(finding, home.agent, { ...SHAPE, text: 'patch web-01' });
    expect(hits).toMatchObject([
      {
        ...{ ending: 'bad', equal: expect.arrayContaining(['the target web-01']) as unknown },
        precedent: { id: null, requestId: null, taskId: null, goal: null, targets: ['web-01'], targetCount: 2 },
      },
      { ending: 'good', precedent: { goal: 'patch', targets: ['web-01'], id: expect.any(String) as unknown } },
    ]);
    expect(JSON.stringify(hits)).not.toContain('web-02');
  });

  it('answers an agent about its own requests alone', async () => {
    const { home, finding, keep, open } = world();
    await keep({});
    const id = newId<ApprovalRequestId>();
    await open(id, home.agent.agentId);
    expect(await finding.ofRequest(home.agent, id, 5)).toMatchObject({ value: { hits: [{ ending: 'good' }] } });
    expect(await finding.ofRequest(home.owner, id, 5)).toMatchObject({ value: { hits: [{ ending: 'good' }] } });
    expect(await finding.ofRequest(sampleAgent(home.owner), id, 5)).toMatchObject({
      error: { code: 'resource.not_found' },
    });
  });

  it('tells the past of a whole shape in one line, and of nothing less', async () => {
    const { uow, home, finding, keep, open } = world();
    await keep({}, { endedAs: 'failed' });
    const told =
      'Asked 2 times before with the same tools, environment and arguments: 1 failed (last on 2026-11-03), 1 completed.';
    expect((await finding.search(home.owner, { ...SHAPE, text: '' }, 5)).line).toBe(told);
    for (const part of [{ tools: [] }, { environment: null }, { argumentKeys: [] }])
      expect((await finding.search(home.owner, { ...SHAPE, text: '', ...part }, 5)).line).toBeNull();
    const id = newId<ApprovalRequestId>();
    await open(id, home.agent.agentId);
    expect(await uow.run(home.tenantId, (tx) => finding.lineOf(tx, id))).toBe(told);
    expect(await uow.run(home.tenantId, (tx) => finding.lineOf(tx, newId()))).toBeNull();
  });

  it('tells the past from counts that the caller has', async () => {
    const { uow, home, finding } = world();
    const counts = [{ endedAs: 'denied', unknownEffects: 0, effects: 0, count: 1, lastAt: 0 }];
    const line = (counted: unknown) => uow.run(home.tenantId, (tx) => finding.lineOf(tx, newId(), counted));
    expect(await line(counts)).toBe('Asked once before with the same tools, environment and arguments: 1 denied.');
    expect(await line(null)).toBeNull();
    await expect(line([{ count: 1 }])).rejects.toThrow('endedAs');
  });
});
