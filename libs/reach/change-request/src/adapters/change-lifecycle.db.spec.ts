import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import { CHANGE_TRANSITIONS } from '../domain/change-transitions.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

it('the lifecycle of a change is the same in the database', async () => {
  const { rows } = await db.owner.query(
    'select from_state as "from", event, to_state as "to" from change_request_transition',
  );
  const sorted = (transitions: readonly object[]): string[] => transitions.map((row) => JSON.stringify(row)).sort();
  expect(sorted(rows as object[])).toEqual(sorted(CHANGE_TRANSITIONS));
});
