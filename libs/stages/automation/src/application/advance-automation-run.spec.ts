import { MAX_QUEUED, MAX_EXECUTING } from '../domain/automation.js';
import { sampleAutomationRun } from './fake-automation-run.repository.js';
import {
  automationSource,
  callStep,
  FakeAutomationWorld,
  notifyStep,
  outcomes,
  valueOf,
} from './fake-automation-world.js';

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

const STEPS = callStep('look') + callStep('restart') + notifyStep('tell');

it('a run fails if this version cannot read its source, and the automation is paused at once', async () => {
  const automation = await world.unreadable(await world.enabled(automationSource('heal', STEPS)));
  const { version, revision } = automation;
  const run = { ...sampleAutomationRun(automation), version, revision: revision.number };
  await world.tx((tx) => world.runs.insert(tx, run));
  await world.work(automation);
  expect((await world.last(automation)).run).toMatchObject({
    state: 'failed',
    fault: { code: 'automation.unreadable' },
  });
  expect((await world.find(automation.id)).state).toBe('paused');
  expect(world.outbox.of(world.tenant)).toMatchObject([{ topic: 'automation.paused' }]);
});

describe('a run during a change of its automation, while its call is in flight', () => {
  it('is stopped with the steps of its own source: no failure is counted, and no notice is sent', async () => {
    const automation = await world.enabled(automationSource('heal', STEPS, 'pause_after: 1\n'));
    await world.tick(automation);
    await world.work(automation);
    const { sha256 } = automation.revision;
    const source = automationSource('heal', callStep('first') + callStep('second'), 'pause_after: 1\n');
    valueOf(await world.change.change(world.ada, automation.id, sha256, source));
    world.end();
    await world.work(automation);
    const { run, steps } = await world.last(automation);
    expect(run).toMatchObject({ state: 'failed', revision: 1, fault: { code: 'automation.changed' } });
    expect(outcomes(steps)).toEqual(['look succeeded', 'restart skipped', 'tell skipped']);
    expect(await world.find(automation.id)).toMatchObject({ state: 'enabled', failures: 0 });
    expect(world.outbox.of(world.tenant)).toEqual([]);
    await world.tick(automation);
    await world.work(automation);
    expect((await world.last(automation)).run).toMatchObject({ state: 'executing', revision: 2 });
  });
});

describe('a run of a stopped automation', () => {
  it('goes no further, although the automation is enabled again while its call is in flight', async () => {
    const automation = await world.enabled(automationSource('heal', STEPS));
    await world.tick(automation);
    await world.work(automation);
    valueOf(await world.change.disable(world.ada, automation.id));
    expect(world.takenBack).toEqual([{ kind: 'agent', agentId: automation.identity?.agentId }]);
    valueOf(await world.change.enable(world.ada, automation.id, automation.revision.sha256));
    world.end();
    await world.work(automation);
    const { run, steps } = await world.last(automation);
    expect(run).toMatchObject({ state: 'failed', fault: { code: 'automation.not_enabled' } });
    expect(outcomes(steps)).toEqual(['look succeeded', 'restart skipped', 'tell skipped']);
    expect(world.made).toHaveLength(1);
  });

  it('does not begin, although the automation is enabled again before its turn', async () => {
    const automation = await world.enabled(automationSource('heal', STEPS));
    await world.tick(automation);
    valueOf(await world.change.disable(world.ada, automation.id));
    valueOf(await world.change.enable(world.ada, automation.id, automation.revision.sha256));
    await world.work(automation);
    expect((await world.last(automation)).run).toMatchObject({
      state: 'failed',
      fault: { code: 'automation.not_enabled' },
    });
    expect(world.made).toEqual([]);
  });
});

describe('a run that a full hour keeps from its call', () => {
  it.each(['tool_call.expired', 'tool_call.budget_spent', 'tool_call.turn_full'])(
    'fails with %s, which counts as no failure of the automation',
    async (code) => {
      const automation = await world.enabled(automationSource('heal', STEPS, 'pause_after: 1\n'));
      await world.tick(automation);
      await world.work(automation);
      world.end({ kind: 'failed', fault: { code, message: 'It is full' } });
      await world.work(automation);
      expect((await world.last(automation)).run).toMatchObject({ state: 'failed', fault: { code } });
      expect(await world.find(automation.id)).toMatchObject({ state: 'enabled', failures: 0 });
    },
  );

  it('stays queued while as many runs of its tenant go on as may', async () => {
    const automations = [];
    for (let each = 0; each <= MAX_EXECUTING; each += 1)
      automations.push(await world.enabled(automationSource(`heal-${String(each)}`, STEPS)));
    for (const automation of automations) await world.tick(automation);
    for (const automation of automations) await world.work(automation);
    const [first] = automations;
    const last = automations.at(-1);
    if (first === undefined || last === undefined) throw new Error('there are automations');
    expect(world.made).toHaveLength(MAX_EXECUTING);
    expect((await world.last(last)).run.state).toBe('queued');
    const [made] = world.made;
    if (made === undefined) throw new Error('a call was made');
    world.ends.set(made.id, {
      kind: 'failed',
      fault: { code: 'a.code', message: 'It failed' },
    });
    await world.work(first);
    await world.work(last);
    expect((await world.last(last)).run.state).toBe('executing');
  });
});

describe('a run after a call without an answer', () => {
  it('goes no further, says why, and counts as a failure of the automation', async () => {
    const automation = await world.enabled(automationSource('heal', STEPS, 'pause_after: 1\n'));
    await world.tick(automation);
    await world.work(automation);
    world.end({ kind: 'failed', fault: { code: 'tool_call.lost', message: 'Its answer did not come' } });
    await world.work(automation);
    const { run, steps } = await world.last(automation);
    expect(run).toMatchObject({ state: 'failed', fault: { code: 'tool_call.lost' } });
    expect(outcomes(steps)).toEqual(['look failed', 'restart skipped', 'tell succeeded']);
    expect(world.made).toHaveLength(1);
    expect(await world.find(automation.id)).toMatchObject({ state: 'paused', failures: 1 });
  });
});

describe('a run that is due behind others', () => {
  it('is left out once as many wait as may, and the next one waits again after one began', async () => {
    const automation = await world.enabled(automationSource('heal', STEPS, 'overlap: queue\n'));
    await world.tick(automation);
    await world.work(automation);
    for (let each = 0; each < MAX_QUEUED; each += 1) await world.tick(automation);
    expect((await world.last(automation)).run.state).toBe('queued');
    await world.tick(automation);
    expect((await world.last(automation)).run).toMatchObject({
      state: 'skipped',
      fault: { code: 'automation.queue_full' },
    });
    world.end({ kind: 'failed', fault: { code: 'tool_call.expired', message: 'It is late' } });
    await world.work(automation);
    await world.tick(automation);
    expect((await world.last(automation)).run.state).toBe('queued');
  });
});
