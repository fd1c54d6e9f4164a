import { testApi, type TestApi } from '../support/api.js';
import { changesCounted, type CountedChange } from '../support/counted-change.js';
import { predictingToolServer } from '../support/equipped-tenant.js';

let api: TestApi;
let fleet: Awaited<ReturnType<typeof predictingToolServer>>;
let counted: CountedChange;

beforeAll(async () => {
  fleet = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`] } });
  const change = await changesCounted(api, fleet.port);
  await change(); // fills the caches of the process
  counted = await change();
}, 120_000);
afterAll(async () => {
  await api.close();
  await fleet.close();
});

describe('a request costs few statements and transactions', () => {
  it.each([
    ['submit-plan', 11, 1],
    ['start-simulation', 9, 1],
    ['execute-simulation', 93, 14],
    ['request-approval', 17, 1],
    ['same-question', 8, 1],
    ['claim-request', 17, 1],
    ['last-review', 14, 1],
    ['assemble-evidence', 52, 3],
    ['withdraw-plan', 15, 1],
  ] as const)('%s: at most %i and %i', (name, statements, transactions) => {
    expect(counted[name].statements.slice(statements)).toEqual([]);
    expect(counted[name].transactions).toBeLessThanOrEqual(transactions);
  });
});
