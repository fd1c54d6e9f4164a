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
    const tested = ({ name }: { readonly name: string }): boolean =>
      readdirSync(join(__dirname, name)).some(
        (file) =>
          file.endsWith('.spec.ts') &&
          readFileSync(join(__dirname, name, file), 'utf8').includes(`describeToolDispatcher('${name}Kind'`),
      );
    // An answer over MCP does not tell the effect of a failed call.
    expect(folders.filter((folder) => !tested(folder)).map(({ name }) => name)).toEqual(['mcp']);
  });
});
