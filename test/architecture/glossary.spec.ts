import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Words of the glossary's first column, each by itself: `audit entry` gives `audit` and `entry`. */
const GLOSSARY = new Set(
  [...(read('docs/concepts.md').split('## Glossary')[1] ?? '').matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, words = '']) =>
    words.toLowerCase().split(/[^a-z]+/),
  ),
);

const tables = readdirSync(join(root, 'migrations')).flatMap((file) =>
  [...read(`migrations/${file}`).matchAll(/^create (?:unlogged )?table (?!if)([a-z_]+)/gm)].map(
    ([, name = '']) => name,
  ),
);

/** Parts of names that say how a row is kept, and English words that need no entry. */
const PLAIN = [
  ...[
    'state',
    'transition',
    'version',
    'event',
    'setting',
    'settings',
    'head',
    'pending',
    'waiting',
    'held',
    'transaction',
  ],
  ...['code', 'key', 'word', 'owner', 'step', 'attempt', 'install'],
];

describe('the glossary', () => {
  it('has each noun by which a table is named', () => {
    expect(tables.length).toBeGreaterThan(80);
    const known = new Set([...GLOSSARY, ...PLAIN]);
    const lacking = tables.flatMap((table) =>
      table
        .split('_')
        .filter((word) => !known.has(word))
        .map((word) => `${table}: ${word}`),
    );
    expect(lacking).toEqual([]);
  });

  it('has each word once', () => {
    const rows = [...(read('docs/concepts.md').split('## Glossary')[1] ?? '').matchAll(/^\| ([^|]+) \|/gm)];
    const words = rows.map(([, word]) => word);
    expect(new Set(words).size).toBe(words.length);
  });

  it('has one meaning for a word that had several', () => {
    const sources = ['libs', 'apps', 'migrations'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:tsx?|sql)$/.test(name) && !name.includes('node_modules'))
        .map((name) => join(folder, name)),
    );
    expect(sources.length).toBeGreaterThan(2_000);
    expect(sources.filter((name) => isOtherMeaning(read(name)))).toEqual([]);
    expect(isOtherMeaning('const admitted = await gate.admit(tenantId);')).toBe(true);
    expect(isOtherMeaning('const admission = await this.twoPersonRule.admit(tx, authority, change);')).toBe(false);
    expect(isOtherMeaning('function WaitingChanges() {}')).toBe(true);
    expect(isOtherMeaning('/** Voids the changes that wait on it. */')).toBe(true);
    const rule = 'const admission = await this.twoPersonRule.admit(tx, by, change);';
    expect(isOtherMeaning(`${rule}\nconst { admitted } = admission.value;\nsave(admitted);`)).toBe(false);
    expect(isOtherMeaning(`${rule}\nconst admitted = await queue.take();`)).toBe(true);
    expect(isOtherMeaning(`${rule}\nawait gate.admit(tenantId);`)).toBe(true);
  });
});

const OF_THE_RULE = /two.?person.?rule|AdmittedChange|ChangeAdmission|tightening\(|\bchange\b|outcome: 'admitted'/i;
const ADMISSION = /\badmi(?:t|ts|tted|tting|ssion)\b/gi;

/**
 * An admission is the two-person rule's alone, and a change that waits for a second person is a change request. In a file that admits,
 * each of these words stands in a line of the rule, or in one of a word that does.
 */
function isOtherMeaning(source: string): boolean {
  if (/waiting_?changes?\b|\bchanges? that waits?(?! for (?:the person|me)\b)/i.test(source)) return true;
  if ([...source.matchAll(/(\w+)\.admit\(/g)].some(([, asked = '']) => !/rule$/i.test(asked))) return true;
  const lines = source.split('\n').map((line) => ({
    isOfTheRule: OF_THE_RULE.test(line),
    words: [...line.matchAll(ADMISSION)].map(([word]) => word.toLowerCase()),
  }));
  const known = new Set(lines.flatMap(({ isOfTheRule, words }) => (isOfTheRule ? words : [])));
  // A set that grows while it is walked is walked to its end.
  for (const word of known)
    for (const { words } of lines) if (words.includes(word)) for (const other of words) known.add(other);
  return lines.some(({ words }) => words.some((word) => !known.has(word)));
}
