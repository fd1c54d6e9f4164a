import { createAutonomyStore } from '#lib/autonomy';
import { createHaltStore } from '#lib/halt';
import type { RowSeals } from '#lib/kernel';
import { createToolStore } from '#lib/tool';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { describeCallFacts } from '../application/call-facts.contract.js';
import { SqlCallFacts } from './sql-call-facts.js';

const seals = testSeals();
const forging: RowSeals = { seal: () => Promise.resolve(FORGED_SEAL), holds: () => Promise.resolve(true) };

describeCallFacts('SqlCallFacts', async () => ({
  world: await postgresWorld(),
  facts: new SqlCallFacts(seals),
  ...createToolStore(),
  revisions: createAutonomyStore(seals).revisions,
  forge: (tx, revision) => createAutonomyStore(forging).revisions.put(tx, revision),
  // The store alone is used; no use case of halts runs here.
  halts: createHaltStore(),
}));
