import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXECUTOR_KINDS } from './registry.js';

describe('the kinds of executor', () => {
  const names = EXECUTOR_KINDS.map(({ name }) => name);

  it('have names of their own, as versions of executors store them', () => {
    expect(names.filter((name) => !/^[a-z][a-z0-9_-]{0,31}$/.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
  });

  it('begin with the one that clients offer first', () => {
    expect(names[0]).toBe('http');
  });

  it('have a folder each, in which a test holds their dispatcher to its contract', () => {
    const folders = readdirSync(__dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name)).toEqual(names.toSorted());
    /** The call of the suite, by the constant of the kind: `queueKind` for `queue`, `byMailKind` for `by-mail`. */
    const suiteOf = (name: string): string =>
      `describeToolDispatcher('${name.replaceAll(/[_-](.)/g, (_, letter: string) => letter.toUpperCase())}Kind'`;
    const tested = (name: string): boolean =>
      readdirSync(join(__dirname, name)).some(
        (file) =>
          file.endsWith('.spec.ts') && readFileSync(join(__dirname, name, file), 'utf8').includes(suiteOf(name)),
      );
    const missing = names.filter((name) => !tested(name)).map((name) => `${name}/*.spec.ts: ${suiteOf(name)}`);
    // An answer over MCP does not tell the effect of a failed call.
    expect(missing).toEqual([`mcp/*.spec.ts: ${suiteOf('mcp')}`]);
  });
});
