import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { FACTOR_TRANSITIONS } from '../domain/factor-transitions.js';
import { STEP_UP_TRANSITIONS } from '../domain/step-up-transitions.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

it.each([
  ['factor_transition', FACTOR_TRANSITIONS],
  ['step_up_transition', STEP_UP_TRANSITIONS],
] as const)('%s holds the transitions of the domain', async (table, transitions) => {
  const { rows } = await db.owner.query<{ from_state: string; event: string; to_state: string }>(
    `select from_state, event, to_state from ${table}`,
  );
  const stored = rows.map(({ from_state: from, event, to_state: to }) => ({ from, event, to }));
  expect(stored).toHaveLength(transitions.length);
  expect(stored).toEqual(expect.arrayContaining([...transitions]));
});
