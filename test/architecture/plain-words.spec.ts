import { join } from 'node:path';
import { clausesIn, countWords, longSentencesIn, MAX_SENTENCE } from '../../tools/plain-words.mjs';

const root = join(__dirname, '../..');

describe('comments, names of tests and decisions', () => {
  it('have few clauses in the place of a noun, and no long sentence: npm run words -- PATH names each', () => {
    const files = countWords(root);
    expect(files.length).toBeGreaterThan(2_000);
    expect(files.filter(({ isBeyond }) => isBeyond).map(({ path }) => path)).toEqual([]);
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
    ['the name of a test of one level', 'a.spec.tsx', "test('what was asked is refused', () => {});", 1],
    ['the name behind a table', 'a.spec.ts', "test.each([['a', f(1)]])('refuses what was asked', () => {});", 1],
    ['a summary of a route', 'apps/api/src/a.ts', "@Summary('Where it goes.')", 1],
    ['a summary on a line of its own', 'apps/api/src/a.ts', "@Summary(\n  'Sends what was asked.',\n)", 1],
    ['a description of an app', 'apps/api/src/a.ts', "a.meta({ description: 'What to do.' })", 1],
    ['a comment of a document', 'a.yaml', 'a: 1 # what is sent', 1],
    ['a comment of a script', 'a.sh', '# Nobody is asked.', 1],
    ['a comment of the checks', '.ci/run', '# Nobody is asked.', 1],
    ['an expression that matches', 'a.spec.ts', "/a/.test('what')", 0],
    ['a decision', 'a.md', 'Whoever asks waits.', 1],
    ['`where` of a condition', 'a.md', 'Its end is null where there is none.', 1],
    ['`where` of a refusal', 'a.md', 'It is refused where a seal is broken.', 1],
    ['`where` of a place', 'a.md', 'Where the api listens: a place where it is reached.', 0],
    ['a clause that follows its noun', 'a.ts', '// A person who signs in is known.', 0],
    ['the address of a link', 'a.md', '[ADR 5](0005-what-policies.md).', 0],
    ['code in a text', 'a.md', 'The member `who` of:\n\n```\nwhat\n```', 0],
    ['code outside comments', 'a.ts', 'const what = whose;', 0],
    ['a text of a program', 'a.ts', "const text = 'Nobody is there';", 0],
  ])('are counted: %s', (_, name, source, clauses) => {
    expect(clausesIn(name, source).clauses).toHaveLength(clauses);
  });

  const words = (count: number) => 'word '.repeat(count).trim();
  it.each<[string, string, string, number]>([
    ['a sentence at the bound', 'a.ts', `// ${words(MAX_SENTENCE)}.`, 0],
    ['a long one', 'a.ts', `// ${words(MAX_SENTENCE)}\n// word.`, 1],
    ['a long one of a block', 'a.ts', `/**\n * ${words(20)}\n * ${words(20)}.\n */`, 1],
    ['a long one behind a short one', 'a.md', `Short. ${words(MAX_SENTENCE + 1)}.`, 1],
    ['a comment on a column', 'a.sql', `comment on column t.c is '${words(MAX_SENTENCE + 1)}.';`, 1],
    ['the name of a test', 'a.spec.ts', `it('T1: ${words(MAX_SENTENCE)}', () => {});`, 1],
    ['the name behind a table', 'a.spec.ts', `it.each([f(1)])('%s ${words(MAX_SENTENCE)}', () => {});`, 1],
    ['a comment of a rule', 'a.rego', `# ${words(20)}\n# ${words(20)}`, 1],
    ['the name of a test of one level', 'a.spec.ts', `test('${words(MAX_SENTENCE + 1)}', () => {});`, 1],
    ['a summary of a route', 'apps/api/src/a.ts', `@Summary('${words(MAX_SENTENCE + 1)}.')`, 1],
    ['a description in two strings', 'a.ts', `({ description: '${words(20)} ' +\n  'word.' })`, 1],
    ['two sentences in two strings', 'a.ts', `({ description: '${words(20)}. ' +\n  '${words(20)}.' })`, 0],
    ['a comment of a document', 'a.yaml', `# ${words(20)}\n# word`, 1],
    ['a comment of a script', 'a.sh', `#!/bin/bash\n# ${words(MAX_SENTENCE)}`, 0],
    ['items of a list', 'a.md', `- ${words(20)}\n- ${words(20)}`, 0],
    ['a long one with a semicolon', 'a.ts', `// ${words(20)}; word.`, 1],
    ['items of a list after a colon', 'a.ts', `// Items: ${words(19)}; ${words(20)}.`, 0],
    ['a long item after a colon', 'a.ts', `// Items: ${words(19)}; ${words(21)}.`, 1],
    ['a semicolon of a folder that ends sentences with it', 'docs/a.md', `${words(20)}; ${words(20)}.`, 0],
    ['a table', 'a.md', `| ${words(20)} | ${words(20)} |`, 0],
    ['code of a text', 'a.md', `\`\`\`\n${words(40)}\n\`\`\`\n\nThe list \`${words(40)}\`.`, 0],
    ['a text of a program', 'a.ts', `const text = '// ${words(40)}';`, 0],
  ])('have their sentences measured: %s', (_, name, source, sentences) => {
    expect(longSentencesIn(name, source)).toHaveLength(sentences);
  });

  it('have their long sentences named by line', () => {
    const source = `One.\n\n\`code\` stands\nbefore ${words(MAX_SENTENCE)}.`;
    expect(longSentencesIn('a.md', source)).toMatchObject([{ line: 3 }]);
  });
});
