import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { describeCallOutputStore } from '../application/call-output.store.contract.js';
import { sampleToolCall } from '../application/fake-tool-call.js';
import { SqlCallOutputStore } from './sql-call-output.store.js';
import { TypeormToolCallRepository } from './typeorm-tool-call.repository.js';

describeCallOutputStore('SqlCallOutputStore', async () => {
  const world = await postgresWorld();
  const calls = new TypeormToolCallRepository(testSeals());
  const decisionId = await new StageRows(world).newDecision();
  const newCall = async () => {
    const call = sampleToolCall(world.home, { decisionId });
    await world.uow.run(world.home.tenantId, (tx) => calls.insert(tx, call));
    return call.id;
  };
  return { world, output: new SqlCallOutputStore(), newCall };
});
