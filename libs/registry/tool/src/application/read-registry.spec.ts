import { sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeToolWorld, looking, rolling } from './fake-tool-world.js';

const missing = { ok: false, error: { kind: 'not_found', code: 'resource.not_found' } };

describe('reading the registry', () => {
  it('shows the tools that count now, and the history of each', async () => {
    const world = new FakeToolWorld();
    await world.put({ look: looking(), roll: rolling() });
    await world.put({ roll: rolling({ description: 'Rolls it out gently.' }) });
    await world.catalog.remove(world.admin, 'roll');
    const agent = sampleAgent(world.home.owner);
    expect(await world.reading.list(agent)).toMatchObject([{ name: 'look', version: 1 }]);
    expect(await world.reading.history(agent, 'roll')).toMatchObject({
      ok: true,
      value: { removed: true, versions: [{ version: 2 }, { version: 1 }] },
    });
    expect(await world.reading.history(agent, 'never')).toMatchObject(missing);
  });

  it('says the level of each version, also of one that no longer counts', async () => {
    const world = new FakeToolWorld();
    await world.put({ look: looking(), roll: rolling() });
    await world.put({ roll: rolling({ description: 'Rolls it out gently.' }) });
    const asked = [
      { name: 'roll', version: 1 },
      { name: 'look', version: 1 },
      { name: 'roll', version: 3 },
      { name: 'roll', version: 1 },
    ];
    const [old, look, never, again] = await world.reading.levels(world.admin, asked);
    expect([look, never]).toEqual(['low', null]);
    expect([old, again]).toEqual(['high', 'high']);
  });

  it('shows the executors of an environment with their destinations', async () => {
    const world = new FakeToolWorld();
    const { admin, putting, reading } = world;
    await putting.execute(admin, 'production', 'fleet', { kind: 'http', url: 'https://tools.example.com/fleet' });
    await putting.execute(admin, 'production', 'agents', { kind: 'agent' });
    expect(await reading.executorsOf(admin, 'production')).toMatchObject({
      ok: true,
      value: [
        { environment: 'production', executor: { name: 'agents' } },
        {
          environment: 'production',
          executor: { name: 'fleet', version: 1, updatedAt: world.uow.now },
          destination: expect.stringContaining('tools.example.com') as string,
        },
      ],
    });
    expect(await reading.executor(admin, 'production', 'agents')).toMatchObject({
      ok: true,
      value: { executor: { kind: 'agent', url: null } },
    });
    expect(await reading.executorsOf(admin, 'staging')).toEqual({ ok: true, value: [] });
    expect(await reading.executorsOf(admin, 'nowhere')).toMatchObject(missing);
    expect(await reading.executor(admin, 'nowhere', 'fleet')).toMatchObject(missing);
    expect(await reading.executor(admin, 'staging', 'fleet')).toMatchObject(missing);
  });

  it('shows nothing of another tenant', async () => {
    const world = new FakeToolWorld();
    const { admin, other, putting, reading } = world;
    await world.put({ look: looking() });
    await putting.execute(admin, 'production', 'agents', { kind: 'agent' });
    expect(await reading.list(other.admin)).toEqual([]);
    expect(await reading.history(other.admin, 'look')).toMatchObject(missing);
    expect(await reading.executorsOf(other.admin, 'production')).toEqual({ ok: true, value: [] });
  });
});
