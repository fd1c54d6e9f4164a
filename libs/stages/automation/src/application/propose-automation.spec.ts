import { newId, type AgentId, type AgentPrincipal } from '#lib/kernel';
import { automationSource, callStep, FakeAutomationWorld, valueOf } from './fake-automation-world.js';

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

const source = (name: string): string => automationSource(name, callStep('look'));
const other = (): AgentPrincipal => ({ ...world.tenant.agent, agentId: newId<AgentId>() });

async function propose(count: number, by: AgentPrincipal, prefix = 'a'): Promise<void> {
  for (let each = 0; each < count; each += 1)
    valueOf(await world.propose.execute(by, source(`${prefix}${String(each)}`)));
}

describe('T09: proposals', () => {
  it('are at most ten of a caller that wait, and one that is withdrawn or rejected makes room', async () => {
    const { agent } = world.tenant;
    await propose(10, agent);
    const refused = await world.propose.execute(agent, source('more'));
    expect(refused).toMatchObject({ ok: false, error: { code: 'automation.too_many_of_yours' } });
    const { automation } = valueOf(await world.propose.execute(other(), source('theirs')));
    valueOf(await world.change.disable(world.ada, automation.id));
    expect((await world.propose.execute(agent, source('more'))).ok).toBe(false);
    const mine = await world.tx((tx) => world.automations.list(tx, { limit: 100, after: null }));
    const first = mine.find(({ name }) => name === 'a0');
    if (first === undefined) throw new Error('it was proposed');
    valueOf(await world.withdraw.execute(agent, first.id));
    expect((await world.propose.execute(agent, source('more'))).ok).toBe(true);
  });

  it('are at most thirty of a caller within an hour, also if each is withdrawn', async () => {
    const { agent } = world.tenant;
    const proposeAndWithdraw = async (name: string) => {
      const proposed = await world.propose.execute(agent, source(name));
      if (proposed.ok) valueOf(await world.withdraw.execute(agent, proposed.value.automation.id));
      return proposed;
    };
    for (let each = 0; each < 30; each += 1) expect((await proposeAndWithdraw('again')).ok).toBe(true);
    expect(await proposeAndWithdraw('again')).toMatchObject({ error: { code: 'automation.too_many_per_hour' } });
    expect((await world.propose.execute(other(), source('again'))).ok).toBe(true);
    world.uow.now += 3_600_000;
    expect((await proposeAndWithdraw('later')).ok).toBe(true);
  });

  it('are at most a hundred in all, but for those of admins', async () => {
    for (let each = 0; each < 10; each += 1) await propose(10, other(), `b${String(each)}-`);
    const refused = await world.propose.execute(other(), source('more'));
    expect(refused).toMatchObject({ ok: false, error: { code: 'automation.too_many_proposed' } });
    await Promise.all([1, 2].map(async (each) => world.propose.execute(world.ada, source(`ada${String(each)}`))));
    expect((await world.propose.execute(world.ada, source('more'))).ok).toBe(true);
  });

  it('are withdrawn by their proposer alone, and as long as they wait', async () => {
    const { agent } = world.tenant;
    const { automation } = valueOf(await world.propose.execute(agent, source('mine')));
    const withdraw = (by: AgentPrincipal) => world.withdraw.execute(by, automation.id);
    expect(await withdraw(other())).toMatchObject({ ok: false, error: { code: 'automation.not_yours' } });
    expect(await world.withdraw.execute(world.ada, automation.id)).toMatchObject({
      ok: false,
      error: { code: 'automation.not_yours' },
    });
    expect(valueOf(await withdraw(agent))).toMatchObject({ state: 'disabled', version: 2 });
    expect(await withdraw(agent)).toMatchObject({ ok: false, error: { code: 'automation.not_proposed' } });
    expect(world.audit.of(world.tenant).at(-1)).toMatchObject({ action: 'automation.withdrawn' });
  });

  it('free their name if they were never enabled, and are not enabled once another one has it', async () => {
    const { agent } = world.tenant;
    const { automation: first } = valueOf(await world.propose.execute(agent, source('same')));
    expect(await world.propose.execute(agent, source('same'))).toMatchObject({
      error: { code: 'automation.name_taken' },
    });
    valueOf(await world.withdraw.execute(agent, first.id));
    const { automation: second } = valueOf(await world.propose.execute(agent, source('same')));
    expect(await world.change.enable(world.ada, first.id, first.revision.sha256)).toMatchObject({
      error: { code: 'automation.name_taken' },
    });
    valueOf(await world.change.enable(world.ada, second.id, second.revision.sha256));
    valueOf(await world.change.disable(world.ada, second.id));
    expect(await world.propose.execute(agent, source('same'))).toMatchObject({
      error: { code: 'automation.name_taken' },
    });
  });
});

describe('the person who answers for an automation', () => {
  it('is told that another admin changed, disabled or enabled it, and not of their own acts', async () => {
    const [automation, grace] = [await world.enabled(source('mine')), await world.admin()];
    const { id, revision } = automation;
    valueOf(await world.change.disable(world.ada, id));
    valueOf(await world.change.enable(world.ada, id, revision.sha256));
    expect(world.outbox.of(world.tenant)).toEqual([]);
    const { automation: changed } = valueOf(
      await world.change.change(grace, id, revision.sha256, `${source('mine')}# again\n`),
    );
    valueOf(await world.change.disable(grace, id));
    valueOf(await world.change.enable(grace, id, changed.revision.sha256));
    const read = await Promise.all(
      world.outbox
        .of(world.tenant)
        .flatMap(({ topic, payload }) =>
          topic === 'automation.changed' ? [world.tx((tx) => world.changed.read(tx, payload))] : [],
        ),
    );
    expect(world.outbox.of(world.tenant)).toHaveLength(read.length);
    expect(read.map((notice) => notice?.title)).toEqual(
      ['changed', 'disabled', 'enabled'].map((done) => `${grace.displayName} ${done} the automation mine`),
    );
    expect(read[0]?.people).toEqual([world.ada.personId]);
    const own = { automation_id: id, done: 'changed', by_id: world.ada.personId, by: 'Ada' };
    expect(await world.tx((tx) => world.changed.read(tx, own))).toBeNull();
  });
});
