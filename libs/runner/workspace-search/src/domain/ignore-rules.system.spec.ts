import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { IgnoreRules } from './ignore-rules.js';
import { cpuMs } from '../../../../../test/support/cpu-time.js';

const FILES = [
  ...['a.log', 'b.txt', 'dist/x.js', 'src/dist/y.js', 'src/a.log', 'src/keep.log', 'src/deep/a/b/c.ts', 'build'],
  ...[
    'docs/a.md',
    'docs/b/c.md',
    '#x',
    '!y',
    'a[1].ts',
    'a1.ts',
    'ab.ts',
    'x y',
    'node/build/z',
    'tmp/one',
    'tmp/two/three',
  ],
];
/** The .gitignore of the root, and that of src. */
const CASES: readonly (readonly [string, string])[] = [
  ['*.log\n', '!keep.log\n'],
  ['dist/\n', ''],
  ['/dist\n', ''],
  ['build/\n', ''],
  ['build\n', ''],
  ['docs/**\n!docs/a.md\n', ''],
  ['docs/*\n!docs/b/\n', ''],
  ['**/a/**/c.ts\n', ''],
  ['src/**/c.ts\n', ''],
  ['# comment\n\\#x\n\\!y\n', ''],
  ['a[0-9].ts\n', ''],
  ['a\\[1\\].ts\n', ''],
  ['a[!0-9].ts\n', ''],
  ['x y   \n?.txt\r\n', ''],
  ['tmp/*\n!tmp/one\n', ''],
  ['tmp\n!tmp/one\n', ''],
  ['*\n!*/\n!*.ts\n', 'deep/a\n'],
  ['', '/deep\n'],
  ['', 'deep/a/\n'],
];

const base = mkdtempSync(join(tmpdir(), 'countersign-ignore-'));
afterAll(() => {
  rmSync(base, { recursive: true });
});

/** The paths that the rules leave out, as a walk asks: nothing below a folder that is left out. */
function leftOut(root: string, src: string): string[] {
  const top = IgnoreRules.NONE.with('', root);
  const below = top.with('src', src);
  return FILES.filter((path) => {
    const names = path.split('/');
    return names.some((_, at) => {
      const part = names.slice(0, at + 1).join('/');
      return (part.startsWith('src/') ? below : top).leavesOut(part, at < names.length - 1);
    });
  });
}

describe('the rules of .gitignore', () => {
  it.each(CASES.map(([root, src], at) => [JSON.stringify(root), JSON.stringify(src), at] as const))(
    'leave out the files that git leaves out: %s %s',
    (root, src, at) => {
      const [rootText, srcText] = [JSON.parse(root) as string, JSON.parse(src) as string];
      const folder = join(base, String(at));
      for (const path of FILES) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), '');
      }
      writeFileSync(join(folder, '.gitignore'), rootText);
      writeFileSync(join(folder, 'src/.gitignore'), srcText);
      const environment = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_NOSYSTEM: '1' };
      execFileSync('git', ['init', '-q', folder], { env: environment });
      const listed = execFileSync('git', ['-C', folder, 'ls-files', '-z', '--others', '--exclude-standard'], {
        env: environment,
        encoding: 'utf8',
      }).split('\0');
      expect(leftOut(rootText, srcText)).toEqual(FILES.filter((path) => !listed.includes(path)));
    },
  );

  it('take no long time for a pattern that was made to', () => {
    const rules = IgnoreRules.NONE.with('', `${'*a'.repeat(200)}b\n${'**/a/'.repeat(100)}b\n`);
    const took = cpuMs(() => {
      expect(rules.leavesOut('a'.repeat(250), false)).toBe(false);
      expect(rules.leavesOut(Array<string>(64).fill('a').join('/'), false)).toBe(false);
    });
    expect(took).toBeLessThan(1_000);
  });

  it('take no long time for a line of spaces', () => {
    const took = cpuMs(() => {
      expect(IgnoreRules.NONE.with('', `a${' '.repeat(100_000)}b\nc\n`).leavesOut('c', false)).toBe(true);
    });
    expect(took).toBeLessThan(1_000);
  });
});
