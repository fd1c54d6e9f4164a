import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { EndHooksForRestore } from './end-hooks-for-restore.js';
import { FakeHookExecutions, sampleExecution } from './fake-hook-executions.js';

it('T30: a restore from a backup ends executions that may have started after it, and leaves ended ones alone', async () => {
  const { uow, home } = fakeWorld();
  const executions = new FakeHookExecutions(uow);
  const [sent, pending, told] = [sampleExecution(), sampleExecution(), sampleExecution({ state: 'succeeded' })];
  await uow.run(home.tenantId, async (tx) => {
    await executions.write(tx, [sent, pending, told]);
    await executions.claim(tx, sent.id, 90_000);
    await new EndHooksForRestore(executions).execute(tx, { reason: 'Epoch 2 began.' });
    const ended = await executions.list(tx, {}, { after: null, limit: 3 });
    const fault = { code: 'lifecycle_hook.restored', message: 'Epoch 2 began.' };
    expect(new Map(ended.map((each) => [each.id, [each.state, each.fault]]))).toEqual(
      new Map([
        [sent.id, ['failed', fault]],
        [pending.id, ['expired', fault]],
        [told.id, ['succeeded', null]],
      ]),
    );
    expect(await executions.claim(tx, sent.id, 90_000)).toBeNull();
  });
});
