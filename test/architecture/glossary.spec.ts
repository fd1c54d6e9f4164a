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
  ...['code', 'key', 'word', 'owner', 'step', 'attempt', 'install', 'recipient'],
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
  });
});

/** An admission is the two-person rule's alone, and a change that waits for a second person is a change request. */
const isOtherMeaning = (source: string): boolean =>
  /waiting_?changes?\b/i.test(source) ||
  (/\badmi(?:t|ts|tted|tting|ssion)\b/i.test(source) && !/two.?person.?rule|AdmittedChange|tightening/i.test(source));
