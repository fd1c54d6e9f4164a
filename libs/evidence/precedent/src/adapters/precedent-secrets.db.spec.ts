import type { Json } from '#lib/canonical';
import { maskSecrets } from '#lib/kernel';
import { MEMBER_NAMES, PLAIN_TEXTS, SECRET_TEXTS } from '../../../../../test/support/secret-samples.js';
import { testDatabase, type TestDatabase } from '../../../../../test/support/database.js';

/** PostgreSQL leaves out the values that the kernel masks. */
describe('precedents keep no secret of arguments', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await testDatabase();
  });
  afterAll(() => db.close());

  /** Of some documents, those that are kept as they are. */
  const kept = async (documents: readonly Json[]): Promise<readonly boolean[]> => {
    const { rows } = await db.owner.query<{ kept: boolean }>(
      `select precedent_values(document) <> '' as kept from jsonb_array_elements($1) with ordinality as given (document, ordinal)
        order by ordinal`,
      [JSON.stringify(documents)],
    );
    return rows.map((row) => row.kept);
  };
  const unmasked = (document: Json): boolean => JSON.stringify(maskSecrets(document)) === JSON.stringify(document);

  it.each([
    ['secrets', SECRET_TEXTS, false],
    ['other texts', PLAIN_TEXTS, true],
  ] as const)('by their shape: %s', async (_what, texts, plain) => {
    const documents = texts.map((text) => ({ note: [text] }));
    expect(documents.map(unmasked)).toEqual(texts.map(() => plain));
    expect(await kept(documents)).toEqual(texts.map(() => plain));
  });

  it('by the names of members', async () => {
    const documents = MEMBER_NAMES.map((name) => ({ of: { [name]: 'a value' } }));
    const plain = documents.map(unmasked);
    expect(new Set(plain)).toEqual(new Set([true, false]));
    expect(await kept(documents)).toEqual(plain);
  });

  it('by the private members of a key', async () => {
    const documents = ['d', 'k', 'qi', 'kid', 'n'].flatMap((name) => [
      ...[
        { kty: 'OKP', [name]: 'a value' },
        { kty: 7, [name]: 'a value' },
      ],
    ]);
    const { rows } = await db.owner.query<{ kept: boolean }>(
      `select precedent_values(document) like '%a value%' as kept
         from jsonb_array_elements($1) with ordinality as given (document, ordinal) order by ordinal`,
      [JSON.stringify(documents)],
    );
    expect(rows.map((row) => row.kept)).toEqual(documents.map(unmasked));
  });
});
