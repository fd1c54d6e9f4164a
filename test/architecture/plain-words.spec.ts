import { join } from 'node:path';
import { clausesIn, countWords, MAX_IN_1000 } from '../../tools/plain-words.mjs';

const root = join(__dirname, '../..');

/** A folder with fewer words may have one clause. */
const FEW_WORDS = 400;

describe('comments, names of tests and decisions', () => {
  it('have few clauses in the place of a noun: npm run words -- PATH names each', () => {
    const folders = [...countWords(root)];
    expect(folders.length).toBeGreaterThan(40);
    const above = folders.flatMap(([folder, { words, places }]) =>
      places.length > Math.max(1, (MAX_IN_1000 * Math.max(words, FEW_WORDS)) / 1_000)
        ? [`${folder}: ${String(places.length)} in ${String(words)} words`]
        : [],
    );
    expect(above).toEqual([]);
  });

  it.each<[string, string, string, number]>([
    ['a clause as a subject', 'a.ts', '// What is out is waited for.', 1],
    ['a clause as an object', 'a.rego', '# Tells who signed in.', 1],
    ['somebody without a name', 'a.rego', '# Whoever made it may not review it.', 1],
    ['a comment on a column', 'a.sql', "comment on column t.c is 'Whose it is.';", 1],
    ['a person at the head', 'a.sql', '-- Who asked for it.', 1],
    ['a reason at the head', 'a.ts', '/**\n * Why it failed; null if it did not.\n */', 1],
    ['a reason at the head of a description', 'libs/foundation/a.ts', "a.meta({ description: 'Why it failed.' })", 1],
    ['a place at the head', 'a.sql', "comment on column t.c is 'Where it goes.';", 1],
    ['a reason after its noun', 'a.ts', '/** The reason why it failed. */', 0],
    ['the name of a test', 'a.spec.ts', "it('refuses what was asked', () => {});", 1],
    ['a decision', 'a.md', 'Whoever asks waits.', 1],
    ['`where` of a condition', 'a.md', 'Its end is null where there is none.', 1],
    ['`where` of a refusal', 'a.md', 'It is refused where a seal is broken.', 1],
    ['`where` of a place', 'a.md', 'Where the api listens: a place where it is reached.', 0],
    ['a clause that follows its noun', 'a.ts', '// A person who signs in is known.', 0],
    ['code in a text', 'a.md', 'The member `who` of:\n\n```\nwhat\n```', 0],
    ['code outside comments', 'a.ts', 'const what = whose;', 0],
    ['a text of a program', 'a.ts', "const text = 'Nobody is there';", 0],
  ])('are counted: %s', (_, name, source, clauses) => {
    expect(clausesIn(name, source).clauses).toHaveLength(clauses);
  });
});
