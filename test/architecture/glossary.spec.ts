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
});
