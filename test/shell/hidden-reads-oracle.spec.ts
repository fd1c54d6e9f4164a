import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { classifyCommand } from '#lib/shell-safety';

const SECRET = 'KEY=only-for-people-log';

/** Names of files that a search takes for an option, if a glob finds them. The value of one may be its pattern. */
const NAMES = ['-r', '-nr', '-re.log', '--rec', '-rhe_x', '-f.env'];

const GLOBS = ['*', '?r', '*r', '-*', '[!a]*', '[a-z]*', './*', '*.log', '*_x', '**', '{a,*}', '{-r,a}', '""*', '-- *'];
const SEARCHES = ['grep KEY', 'grep .', 'grep -e KEY', 'fgrep -h KEY'];

/** Words that hold the name of the hidden file, one of several by braces. */
const BRACES = [
  '{=,.env}',
  '{"a b",.env}',
  '{a\\,,.env}',
  '{$x,.env}',
  '{a,{b,.env}}',
  '{a,"."env}',
  "{a,$'.env'}",
  '{a,.e?v}',
  '{%,.env}',
  '{?,.env}',
  '{[,.env}',
  '{{},.env}',
  '{.,a}{e..e}{n..n}{v..v}',
  '{a,.e{n,m}v}',
  "{'a,b',.env}",
  '.{d..f}nv',
  '{.,.env}',
  `{${Array.from({ length: 40 }, (_, index) => String(index)).join(',')},.env}`,
  '{1,{2,{3,{4,{5,.env}}}}}',
  '.e{n,}{v,}',
  '${x:-.}${x:-e}${x:-n}${x:-v}${x:-}${x:-}',
  '${x:-{a,.env}}',
  '{plain,none}',
  'none/{a,{b,c}}',
  '{1..3}',
  '{"a b",$x}.log',
  '{n,p}{lain,one}',
];

const BRACE_LINES = BRACES.flatMap((word) => [
  ...['cat', 'grep', 'grep -h KEY', 'head -n1', 'head -n', 'pr -h', 'ul'].map((program) => `${program} ${word}`),
  `sh -c 'cat "$@"' _ ${word}`,
  `bash -c 'cat $0 $1' ${word}`,
]);

const LINES = [
  ...SEARCHES.flatMap((search) => GLOBS.map((glob) => `${search} ${glob}`)),
  ...GLOBS.flatMap((glob) => [
    `for f in ${glob}; do grep KEY "$f"; done`,
    `for f in ${glob}; do grep KEY "./$f"; done`,
    `set -- ${glob}; grep KEY "$@"`,
    `sh -c 'grep KEY "$@"' _ ${glob}`,
  ]),
  ...['"$1"', '"$@"', '-- "$1"', './"$1"'].flatMap((word) => [
    `git ls-files -z | xargs -0 sh -c 'grep KEY ${word}' _`,
    `find . -name '-r' -print0 | xargs -0 sh -c 'grep KEY ${word}' _`,
    `git ls-files -z | xargs -0 sh -c 'for f; do grep KEY "$f"; done' _`,
  ]),
  ...GLOBS.flatMap((glob) => [`hexdump -C ${glob}`, `wc ${glob}`, `cat ${glob}`]),
  `cd -; cat .env`,
  `cd -; cat plain`,
  `cd -P -; cat plain`,
  `popd; cat plain`,
  `pushd +1; cat plain`,
];

/** Those that print the secret, in a folder that holds it in `.env` beside a file of that name. Lines before it were elsewhere. */
function linesThatShow(lines: readonly string[], name: string): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'countersign-hidden-'));
  try {
    const [folder, before] = [join(root, 'work'), join(root, 'before')];
    for (const each of [folder, before]) mkdirSync(each);
    writeFileSync(join(before, 'plain'), SECRET);
    writeFileSync(join(folder, '.env'), SECRET);
    writeFileSync(join(folder, name), '');
    const script = `cd "$1"; git init -q .; git add -- "./$2"; shift 2
      for line; do
        shown="$(dirs -c; cd ../before; pushd ../work >/dev/null; eval "$line" 2>&1 </dev/null)"
        case "$shown" in *only-for-people*) printf '%s\\0' "$line" ;; esac
      done`;
    const said = execFileSync('bash', ['-c', script, '_', folder, name, ...lines], { encoding: 'utf8' });
    return said.split('\0').filter((line) => line !== '');
  } finally {
    rmSync(root, { recursive: true });
  }
}

it('T49: no line of Tier 1 shows a hidden file to a program of this machine, in any folder', () => {
  const first = LINES.filter((line) => classifyCommand(line, 'bash').tier === 1);
  expect(NAMES.map((name) => [name, linesThatShow(first, name)])).toEqual(NAMES.map((name) => [name, []]));
  expect(first.length).toBeGreaterThan(LINES.length / 4);
});

it('the folders of this test do show it to lines that a person is asked about', () => {
  const asked = LINES.filter((line) => classifyCommand(line, 'bash').tier > 1);
  const shown = new Set(['-r', '-re.log'].flatMap((name) => linesThatShow(asked, name)));
  for (const line of ['grep KEY *', 'grep -e KEY *.log', 'grep . *.log', 'cd -; cat plain', 'popd; cat plain'])
    expect(shown).toContain(line);
  expect([...shown].filter((line) => line.startsWith('git ls-files')).length).toBeGreaterThan(0);
});

it('T49: braces of Tier 1 name no hidden file, and others do', () => {
  const [first, asked] = [1, 2].map((tier) =>
    BRACE_LINES.filter((line) => classifyCommand(line, 'bash').tier === tier),
  );
  expect(linesThatShow(first ?? [], 'none')).toEqual([]);
  expect(first?.length).toBeGreaterThan(BRACE_LINES.length / 8);
  expect(linesThatShow(asked ?? [], 'none').length).toBeGreaterThan(BRACE_LINES.length / 4);
});
