import { countedStatements } from '../../../../../test/support/counted-statements.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testKeys, testSeals } from '../../../../../test/support/seals.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { NOTHING_HELD } from '../domain/call-output.js';
import { describeCallOutputStore } from '../application/call-output.store.contract.js';
import { sampleToolCall } from '../application/fake-tool-call.js';
import { SqlCallOutputStore } from './sql-call-output.store.js';
import { SqlToolCallRepository } from './sql-tool-call.repository.js';

describeCallOutputStore('SqlCallOutputStore', async () => {
  const world = await postgresWorld();
  const calls = new SqlToolCallRepository(testSeals());
  const decisionId = await new StageRows(world).newDecision();
  const newCall = async () => {
    const call = sampleToolCall(world.home, { decisionId });
    await world.uow.run(world.home.tenantId, (tx) => calls.insert(tx, call));
    return call.id;
  };
  return { world, output: new SqlCallOutputStore(testKeys().texts), newCall };
});

it('T32: holds output back as ciphertext', async () => {
  const world = await postgresWorld();
  const decisionId = await new StageRows(world).newDecision();
  const call = sampleToolCall(world.home, { decisionId });
  const output = new SqlCallOutputStore(testKeys().texts);
  const held = { stdout: ['ghp_the_beginning'], stderr: [] };
  const standing = await world.uow.run(world.home.tenantId, async (tx) => {
    await new SqlToolCallRepository(testSeals()).insert(tx, call);
    await output.append(tx, call.id, [], held);
    return output.standing(tx, call.id);
  });
  expect(standing).toMatchObject({ held });
  const { rows } = await world.db.owner.query('select * from tool_call_output_pending where call_id = $1', [call.id]);
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain('ghp_');
  await world.close();
});

it('keeps any number of chunks by the same statement', async () => {
  const world = await postgresWorld();
  const call = sampleToolCall(world.home, { decisionId: await new StageRows(world).newDecision() });
  const output = new SqlCallOutputStore(testKeys().texts);
  const chunk = (seq: number) => ({ seq, stream: 'stdout', text: 'a', cut: false }) as const;
  const { statements } = await countedStatements(() =>
    world.uow.run(world.home.tenantId, async (tx) => {
      await new SqlToolCallRepository(testSeals()).insert(tx, call);
      await output.append(tx, call.id, [chunk(1)], NOTHING_HELD);
      await output.append(tx, call.id, [chunk(2), chunk(3)], NOTHING_HELD);
    }),
  );
  const inserts = statements.filter((text) => /^insert into "?tool_call_output"? ?\(/i.test(text));
  expect(inserts).toHaveLength(2);
  expect(new Set(inserts).size).toBe(1);
  await world.close();
});
