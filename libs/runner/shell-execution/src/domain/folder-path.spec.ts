import { folderPath } from './folder-path.js';
import { Stop } from './stop.js';

const BASES = ['/work', '/tmp/call'];
const found = (path: string, folder: readonly string[] = []): string => {
  try {
    const { base, steps } = folderPath(BASES, folder, path);
    return [base, ...steps].join(' ');
  } catch (error) {
    if (error instanceof Stop) return `${error.code}: ${error.message}`;
    throw error;
  }
};

describe('the folder of a path', () => {
  it.each([
    ['a/b', '/work a b'],
    ['./a//b/.', '/work a b'],
    ['a/../b', '/work a .. b'],
    ['', '/work'],
    ['/work', '/work'],
    ['/work/', '/work'],
    ['/work/a', '/work a'],
    ['/tmp/call/a', '/tmp/call a'],
  ])('of %j is %j', (path, expected) => {
    expect(found(path)).toBe(expected);
  });

  it('begins in the current folder for a relative path alone', () => {
    expect(found('b', ['a'])).toBe('/work a b');
    expect(found('../b', ['a'])).toBe('/work a .. b');
    expect(found('/work/b', ['a'])).toBe('/work b');
    expect(found('/tmp/call/b', ['a'])).toBe('/tmp/call b');
  });

  it.each(['..', 'a/../..', '../work', '/', '/etc/passwd', '/work/..', '/workshop', '/work/../work/a', 'work/../../x'])(
    '%j leads out, by its spelling alone',
    (path) => {
      expect(found(path)).toBe(
        `shell.outside_root: The path ${path} lies outside the workspace. Name a path inside it.`,
      );
    },
  );

  it('leads out of the current folder, and not out of the workspace', () => {
    expect(found('../../b', ['a'])).toContain('shell.outside_root');
    expect(found('../b/..', ['a'])).toBe('/work a .. b ..');
  });
});
