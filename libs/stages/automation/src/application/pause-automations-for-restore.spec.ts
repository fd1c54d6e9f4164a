import { automationSource, callStep, FakeAutomationWorld } from './fake-automation-world.js';

const reason = 'The database was restored from a backup; epoch 2 began.';

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

const restore = () => world.tx((tx) => world.restore.execute(tx, { reason }));

describe('T30: a restore from a backup', () => {
  it('pauses each enabled automation, and tells the person who answers for it why', async () => {
    const source = automationSource('heal', callStep('restart'));
    const automation = await world.enabled(source);
    const disabled = await world.enabled(source.replace('heal', 'off'));
    await world.change.disable(world.ada, disabled.id);
    await restore();
    expect(await world.find(automation.id)).toMatchObject({ state: 'paused', nextAt: null, lookedUntil: null });
    expect((await world.find(disabled.id)).state).toBe('disabled');
    const [message, ...others] = world.outbox.of(world.tenant);
    expect(others).toEqual([]);
    if (message?.topic !== 'automation.paused') throw new Error('nobody was told of the pause');
    const notice = await world.tx((tx) => world.paused.read(tx, message.payload));
    expect(JSON.stringify(notice)).toContain(reason);
    const paused = world.audit.of(world.tenant).filter(({ action }) => action === 'automation.paused');
    expect(paused).toMatchObject([{ payload: { error: { code: 'automation.restored' } } }]);
  });

  it('starts no run for a time that may have had one after the backup', async () => {
    const automation = await world.enabled(automationSource('heal', callStep('restart')));
    await restore();
    await world.tick(automation);
    expect(await world.tx((tx) => world.runs.open(tx, automation.id))).toEqual([]);
  });

  it('lets a run that is open make no further call, also once the automation is enabled again', async () => {
    const automation = await world.enabled(automationSource('heal', callStep('first') + callStep('second')));
    await world.tick(automation);
    await world.work(automation);
    await restore();
    await world.change.enable(world.ada, automation.id, automation.revision.sha256);
    world.end();
    await world.work(automation);
    expect((await world.last(automation)).run).toMatchObject({
      state: 'failed',
      fault: { code: 'automation.not_enabled' },
    });
    expect(world.made).toHaveLength(1);
  });
});
