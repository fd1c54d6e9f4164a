import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SETTING = /\b(?:COUNTERSIGN_[A-Z_]*[A-Z]|DATABASE_URL)\b/g;

/** The list of them all, which is held equal to those that the rest of the code reads. */
const KNOWN = 'unknown-settings.ts';

const settingsIn = (text: string): string[] => [...new Set(text.match(SETTING))].sort();

function filesOf(folder: string, isWanted: (name: string) => boolean): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

const sources = (folder: string): string =>
  filesOf(folder, (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && name !== KNOWN);

/** Folders whose tests start the programs. Some of them are no part of `npm test`. */
const TESTS = ['bench', 'browser', 'conformance', 'e2e', 'frameworks', 'scale', 'support', 'threats'];
/** Variables of the tests themselves: by the name, or because a test reads them from its own process. */
const OF_TESTS = /\bCOUNTERSIGN_TEST_[A-Z_]+|(?<=(?<!delete )process\.env\.)COUNTERSIGN_[A-Z_]+\b(?! = )/g;

const documented = settingsIn(readFileSync('docs/operating.md', 'utf8'));
const read = settingsIn(`${sources('apps')}\n${sources('libs')}`);

describe('the settings of a process', () => {
  it('stand in docs/operating.md, each that the code reads', () => {
    expect(read.length).toBeGreaterThan(25);
    expect(read.filter((name) => !documented.includes(name))).toEqual([]);
  });

  it('are known to the programs, which tell of any other', () => {
    const known = settingsIn(readFileSync(join('libs/assembly/operation/src', KNOWN), 'utf8'));
    expect([...known, 'DATABASE_URL'].sort()).toEqual(read);
  });

  it('are no others than those that the code reads', () => {
    expect(documented.filter((name) => !read.includes(name))).toEqual([]);
  });

  // A program ignores an unknown setting. So a test that misspells one goes on with the default.
  it('are the only ones that tests give to programs', () => {
    const text = TESTS.map((folder) => filesOf(join('test', folder), (name) => /\.m?ts$|\.mjs$/.test(name))).join('\n');
    const own = new Set<string>(text.match(OF_TESTS));
    const given = settingsIn(text).filter((name) => !own.has(name));
    expect(given).toContain('COUNTERSIGN_TEMPORAL_TASK_QUEUE');
    expect(given.filter((name) => !read.includes(name))).toEqual([]);
  });
});
