import { testApi } from '../support/api.js';
import { changesCounted, type CountedRequest } from '../support/counted-change.js';
import { testDatabase } from '../support/database.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { onBenchDatabase } from './bench-database.js';
import { measurementOf, type Measurement } from './measurement.js';

const ROUNDS = 5;

/**
 * How many statements and transactions a request costs, counted in the process that serves it. The measurement is the count itself.
 * docs/performance.md has the rule.
 */
export const requestStatements = (name: CountedRequest) => (): Promise<readonly Measurement[]> =>
  onBenchDatabase(async ({ postgres, stop }, started) => {
    try {
      return await count(name, postgres, started);
    } finally {
      await stop();
    }
  });

async function count(
  name: CountedRequest,
  postgres: Parameters<typeof testDatabase>[0],
  started: (stop: () => Promise<unknown>) => void,
): Promise<readonly Measurement[]> {
  const fleet = await predictingToolServer();
  started(() => fleet.close());
  const db = await testDatabase(postgres);
  started(() => db.close());
  const api = await testApi({ db, config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`] } });
  started(() => api.close());
  const change = await changesCounted(api, fleet.port);
  await change(); // reads everything that a process reads once
  const [statements, transactions]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const { [name]: counted } = await change();
    statements.push(counted.statements.length);
    transactions.push(counted.transactions);
  }
  return [measurementOf(`${name}/statements`, statements), measurementOf(`${name}/transactions`, transactions)];
}
