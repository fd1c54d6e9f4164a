import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const NAMED = /precedent(?!ed)/i;

/** The code that decides, and the inputs of policies. */
const DECIDING = [
  'policies',
  'libs/foundation/policy-inputs',
  'libs/rules',
  'libs/stages',
  'libs/people',
  'libs/registry',
];

const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|rego|json)$/.test(name))
    .map((name) => join(folder, name));

describe('a precedent is history and never authority', () => {
  it.each(DECIDING)('no file of %s knows of precedents', (folder) => {
    const files = filesOf(folder);
    expect(files.length).toBeGreaterThan(2);
    expect(files.filter((file) => NAMED.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('no function that gathers the facts of a decision reads their tables', () => {
    const sql = readdirSync(join(root, 'migrations')).filter((name) => name < '0230');
    expect(sql.length).toBeGreaterThan(25);
    expect(sql.filter((name) => NAMED.test(readFileSync(join(root, 'migrations', name), 'utf8')))).toEqual([]);
  });
});
