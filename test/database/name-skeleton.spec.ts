import { testDatabase, type TestDatabase } from '../support/database.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());

const skeleton = async (name: string): Promise<string | undefined> =>
  (await db.owner.query<{ skeleton: string }>('select countersign_name_skeleton($1) as skeleton', [name])).rows[0]
    ?.skeleton;

const alike = [
  ['another case', 'Sam', 'SAM'],
  ['a Cyrillic a', 'Sam', 'S\u0430m'],
  ['a capital I for l', 'Sal', 'SaI'],
  ['a digit for l', 'Sal', 'Sa1'],
  ['a zero', 'Otto', '0tt0'],
  ['r and n', 'Emma', 'Ernma'],
  ['spaces', 'Sam Lee', 'Sam  Lee '],
  ['an invisible character', 'Sam', 'Sa\u200bm'],
  ['a no-break space', 'Sam Lee', 'Sam\u00a0Lee'],
  ['an accent', 'Jose', 'Jos\u00e9'],
  ['fullwidth letters', 'Sam', '\uff33\uff41\uff4d'],
  ['a word of Cyrillic capitals', 'COB', '\u0421\u041e\u0412'],
  ['Greek capitals', 'NOPA', '\u039d\u039f\u03a1\u0391'],
  ['a sign', 'drift-bot', 'drift bot'],
] as const;

describe('countersign_name_skeleton', () => {
  it.each(alike)('reads look-alike names as one (T48): %s', async (_what, one, other) => {
    expect(await skeleton(other)).toBe(await skeleton(one));
  });

  it.each([
    ['Sam', 'Pam'],
    ['Sam', 'Samuel'],
    ['Lea', 'Leo'],
    ['Дима', 'Дина'],
    ['Olga', 'Inga'],
    ['张伟', '王伟'],
  ])('keeps %s and %s apart', async (one, other) => {
    expect(await skeleton(other)).not.toBe(await skeleton(one));
  });
});
