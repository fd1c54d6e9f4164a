import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SETTING = /\b(?:COUNTERSIGN_[A-Z_]*[A-Z]|DATABASE_URL)\b/g;

/** The list of them all, which is held equal to those that the rest of the code reads. */
const KNOWN = 'unknown-settings.ts';

const settingsIn = (text: string): string[] => [...new Set(text.match(SETTING))].sort();

function sources(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.spec.ts'))
    .filter(({ name }) => name !== KNOWN)
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

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
});
