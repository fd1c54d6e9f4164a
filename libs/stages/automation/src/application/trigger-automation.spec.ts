import type { AutomationId } from '../domain/ids.js';
import { automationSource, callStep, FakeAutomationWorld, valueOf } from './fake-automation-world.js';

const DAY_MS = 86_400_000;

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

it('pauses an automation whose source this version cannot read, and tells why', async () => {
  const automation = await world.unreadable(await world.enabled(automationSource('heal', callStep('look'))));
  await world.tick(automation);
  const paused = await world.find(automation.id);
  expect(paused).toMatchObject({ state: 'paused', nextAt: null, failures: 0 });
  const [message] = world.outbox.of(world.tenant);
  if (message?.topic !== 'automation.paused') throw new Error('nobody was told of the pause');
  const notice = await world.tx((tx) => world.paused.read(tx, message.payload));
  expect(notice?.lines[0]).toMatch(/^This version of Countersign cannot read the automation\. .+ Line 1: /);
  expect(notice?.url).toContain(`/automations/${automation.id}`);
});

describe('missed times', () => {
  const minutely = automationSource('minutely', callStep('look')).replace(
    '"0 3 * * *", time_zone: Europe/Berlin, missed: run_once',
    '"* * * * *", time_zone: UTC',
  );
  const runsOf = (id: AutomationId) => world.tx((tx) => world.runs.list(tx, id, { limit: 100, after: null }));

  it('are one run that was left out, with their number and the latest one', async () => {
    const { id } = await world.enabled(minutely);
    world.uow.now += 10 * 60_000;
    await world.trigger.execute(world.tenant.tenantId, id);
    const [started, missed, ...others] = (await runsOf(id)).toSorted((a, b) => b.dueAt - a.dueAt);
    expect(others).toEqual([]);
    expect(started?.state).toBe('queued');
    const at = new Date(missed?.dueAt ?? 0).toISOString();
    expect(missed).toMatchObject({
      ...{ state: 'skipped', occurrence: `cron:${at}` },
      fault: {
        code: 'automation.missed',
        message: expect.stringMatching(/^[0-9]+ times of its schedules were found too late, the latest one is /),
      },
    });
    expect(world.audit.of(world.tenant).filter(({ action }) => action === 'automation.missed')).toHaveLength(1);
    world.uow.now += DAY_MS;
    await world.trigger.execute(world.tenant.tenantId, id);
    const [, latest] = (await runsOf(id)).toSorted((a, b) => b.dueAt - a.dueAt);
    expect(latest?.fault?.message).toMatch(/^100 or more times/);
  });

  it('T27: come once each if the clock goes back, even if the automation is changed meanwhile', async () => {
    const { id, revision } = await world.enabled(minutely);
    const tick = async (ms: number) => {
      world.uow.now += ms;
      await world.trigger.execute(world.tenant.tenantId, id);
    };
    await tick(60_000);
    const [first] = await runsOf(id);
    world.uow.now = (first?.dueAt ?? 0) - 30_000;
    await tick(0);
    valueOf(await world.change.change(world.ada, id, revision.sha256, `${minutely}# again\n`));
    await tick(60_000);
    await tick(60_000);
    const due = (await runsOf(id)).map(({ dueAt }) => dueAt - (first?.dueAt ?? 0));
    expect(due.sort((a, b) => a - b)).toEqual([0, 60_000]);
  });

  it('and times that are due are settled before another source is put in force', async () => {
    const { id, revision } = await world.enabled(minutely);
    world.uow.now += 10 * 60_000;
    valueOf(await world.change.change(world.ada, id, revision.sha256, minutely.replace('* * * * *', '0 3 * * *')));
    expect((await runsOf(id)).map(({ state }) => state).sort()).toEqual(['queued', 'skipped']);
    await world.work({ id });
    expect((await runsOf(id)).map(({ fault }) => fault?.code).sort()).toEqual([
      'automation.changed',
      'automation.missed',
    ]);
    expect(world.made).toEqual([]);
  });
});
