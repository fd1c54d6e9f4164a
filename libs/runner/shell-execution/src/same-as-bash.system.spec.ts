import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { createTreeExecutor, type ExecuteTree } from './execute-tree.js';
import { environmentOf } from './domain/shell-environment.js';
import { fakeCall, FakeWorkspaces, NO_SANDBOX, PROGRAM_FOLDERS } from './fake-shell-call.js';

/*
 * Real bash is the oracle. A line that the executor takes has the same output, exit status and files afterwards. Not
 * generated, because the executor departs on purpose: names that begin with `-`, symbolic links, paths outside the
 * workspace.
 */

/** How many lines both execute; .ci/run sets more. */
const LINES = Number(process.env.COUNTERSIGN_SHELL_LINES ?? '60');
const BATCHES = Math.ceil(LINES / 10);
const SEED = Number(process.env.COUNTERSIGN_SHELL_SEED ?? '20251125');
const HOME = '/nonexistent/home of';

interface Made {
  readonly text: string;
  /** Here-documents, which stand behind the line. */
  readonly bodies: readonly string[];
}
const made = (text: string): Made => ({ text, bodies: [] });

/** The items of a list, between ` ¦ ` and ends of lines. */
const oneOf = ({ raw }: TemplateStringsArray): fc.Arbitrary<string> =>
  fc.constantFrom(...(raw[0] ?? '').trim().split(/ ¦ |\n */));

const file = oneOf`a.txt ¦ b.txt ¦ 'c d.txt' ¦ sub/x.md ¦ "sub/y.md" ¦ nosuch ¦ .hidden ¦ sub/deep/z ¦ ./a.txt ¦ sub/../b.txt`;
const pattern = oneOf`
  * ¦ *.txt ¦ [ab]* ¦ [!a]* ¦ [^a-b]* ¦ ?.txt ¦ sub/* ¦ */*.md ¦ */ ¦ */deep/* ¦ .h* ¦ [[:lower:]]*.txt ¦ no*match ¦ ./*
  [a ¦ a[ ¦ "a"* ¦ a"*" ¦ \** ¦ e[*]f ¦ sub//* ¦ *" d"* ¦ nosuch/* ¦ */x.md ¦ a.txt/* ¦ []x]* ¦ *** ¦ ? ¦ [z-a]* ¦ [é-ü] ¦ "$PWD"/*.txt`;
const plain = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('a\\\nb', '${HOME}/a') },
  {
    weight: 40,
    arbitrary: oneOf`
      a ¦ 'x  y' ¦ "x  y" ¦ $'t\tb' ¦ a\ b ¦ "" ¦ '' ¦ \* ¦ "*" ¦ '$HOME' ¦ \$x ¦ "a\"b\$c\d" ¦ ~ ¦ ~/x ¦ x~ ¦ HEAD~1 ¦ \~
      $HOME ¦ "$HOME" ¦ $USER ¦ "$USER"x ¦ $? ¦ "$PWD" ¦ $PWD/a ¦ $TZ ¦ "$TZ" ¦ a$TZ ¦ ""$TZ ¦ $LANG ¦ $HOME$USER ¦ -n ¦ é ¦ 日本
      {a,b}.txt ¦ x{,.bak} ¦ {a,b}{1,2} ¦ {a} ¦ { ¦ a,b ¦ {x,y}*.txt ¦ {,} ¦ {a,b}"c d" ¦ a#b ¦ = ¦ k=v ¦ ! ¦ % ¦ $
      "a"'b'c ¦ [ ¦ ] ¦ "\\"`,
  },
);
const substitution = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('`echo x`', '"`echo \\"q  r\\"`"', '`echo \\`echo y\\``') },
  {
    weight: 5,
    arbitrary: oneOf`
      $(echo a b) ¦ "$(cat a.txt)" ¦ $(printf '%s\n' 'a  b' '*') ¦ "$(false)" ¦ $(true) ¦ $(cat nosuch 2>/dev/null)
      a$(echo "b c")d ¦ "$(printf "a\n\n\n")" ¦ $(printf " a ")b ¦ $(echo "$(echo in "$(echo deep)")") ¦ $(echo a.txt | cat)x
      $(printf '%s' '[ab]*') ¦ $(printf '%s' '\*') ¦ $(cd sub; ls) ¦ $(nosuchprogram 2>&1 | wc -l) ¦ $(printf 'a\tb\nc') ¦ "$(echo $?)"`,
  },
);
const word = fc.oneof(
  { weight: 4, arbitrary: plain },
  { weight: 3, arbitrary: pattern },
  { weight: 2, arbitrary: substitution },
  { weight: 2, arbitrary: file },
);
const words = (most: number) => fc.array(word, { maxLength: most }).map((each) => each.join(' '));
const someFile = fc.oneof(file, oneOf`*.txt ¦ sub/*.md ¦ "$(echo a.txt)"`);
const files = fc.array(someFile, { minLength: 1, maxLength: 3 }).map((each) => each.join(' '));

const reader: fc.Arbitrary<string> = fc.oneof(
  words(4).map((each) => `echo ${each}`),
  words(4).map((each) => `printf '<%s>' ${each}`),
  words(3).map((each) => `ls -1d -- ${each}`),
  files.map((each) => `cat ${each}`),
  files.map((each) => `grep -n a -- ${each}`),
  oneOf`true ¦ false ¦ pwd ¦ seq 1 3 ¦ ls ¦ LC_ALL=C TZ= ls -1 ¦ test -f a.txt ¦ [ -d sub ] ¦ test a = b ¦ [ ! -e nosuch ]
    [ "$(cat a.txt)" = x ] ¦ sh -c 'exit 3' ¦ sh -c 'kill -9 $$'`,
);
/** Failures that the shell tells itself, in words that differ by their beginning: not for a pipe. */
const failing = oneOf`nosuchprogram a ¦ ./nosuch ¦ sub ¦ ./a.txt ¦ ./sub`;
/** Programs that read to their end: the errors of a program before another would depend on the moment. */
const filter = oneOf`cat ¦ sort ¦ wc -l ¦ tr a-z A-Z ¦ grep a ¦ sed -n 1,2p ¦ uniq -c ¦ cut -c1-3 ¦ cat - a.txt`;
const early = oneOf`
  yes | head -n2 ¦ seq 1 99999 | head -n1 | cat ¦ seq 1 3 | false ¦ seq 1 3 | true ¦ seq 1 3 | sh -c 'exit 4' ¦ false | true
  seq 1 3 | tee o1 | cat ¦ cd sub | pwd ¦ nosuchprogram |& cat ¦ cat < nosuch | cat ¦ echo a | cat > o1 | cat`;
const change = oneOf`
  touch new ¦ mkdir made ¦ cp a.txt copy ¦ mv b.txt moved ¦ rm a.txt ¦ rm *.txt ¦ rmdir sub ¦ cp *.txt sub ¦ cp a.txt {u,v}
  rm -r sub/deep ¦ mkdir -p p/q`;
const folder = oneOf`
  cd sub ¦ cd nosuch ¦ cd sub/deep ¦ cd a.txt ¦ cd ./sub/. ¦ cd "$PWD" ¦ cd sub/../sub ¦ cd */ ¦ cd s* ¦ cd sub/deep/..`;

const opened = oneOf`
  > o1 ¦ >o1 ¦ >> o1 ¦ >> a.txt ¦ > sub/o2 ¦ 2> o3 ¦ 2>/dev/null ¦ > o1 2>&1 ¦ 2>&1 > o1 ¦ &> o1 ¦ &>> o1 ¦ >| o1 ¦ 1>&2
  > nosuch/o ¦ > sub ¦ 3> o1 1>&3 ¦ 3>&1 1>&2 2>&3 ¦ > "o 4" ¦ > $USER ¦ > $(echo o5) ¦ > $(echo o5 o6) ¦ > o1 > o2 ¦ >&9
  < a.txt ¦ 0<b.txt ¦ < nosuch ¦ <a.txt <b.txt ¦ > "" ¦ > $TZ ¦ 2>>sub/../o7 ¦ > nosuch/../o8`;
const fed = fc.oneof(
  oneOf`<<< 'x  y' ¦ <<< "$USER" ¦ <<< * ¦ <<< $(cat a.txt) ¦ <<<{a,b} ¦ <<< ~/x`.map(made),
  fc
    .tuple(
      oneOf`<<E ¦ <<"E" ¦ <<\E`,
      fc.constantFrom('a $USER "b" * ~\n', '$(echo x  y) `echo z` \\$HOME \\\\ \\a\n', "it's\n\n", 'a\\\nb\n', ''),
    )
    .map(([operator, body]): Made => ({ text: operator, bodies: [`${body}E\n`] })),
  fc.constantFrom('\ta\n\t\tb $USER\n', 'x\n').map((body): Made => ({ text: "<<-'E'", bodies: [`${body}\tE\n`] })),
);
const fedFilter = fc
  .tuple(filter, fed)
  .map(([program, { text, bodies }]): Made => ({ text: `${program} ${text}`, bodies }));

const single: fc.Arbitrary<Made> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.oneof({ weight: 6, arbitrary: reader }, { weight: 1, arbitrary: failing }),
        fc.option(opened, { nil: '' }),
      )
      .map((parts) => made(parts.join(' '))),
  },
  { weight: 2, arbitrary: change.map(made) },
  { weight: 1, arbitrary: folder.map(made) },
  { weight: 1, arbitrary: early.map(made) },
  { weight: 2, arbitrary: fedFilter },
  { weight: 1, arbitrary: opened.map(made) },
);
const piped: fc.Arbitrary<Made> = fc
  .tuple(
    fc.oneof(reader.map(made), fedFilter),
    fc.array(fc.tuple(oneOf`| ¦ | ¦ |& ¦ 2>&1 |`, filter), { minLength: 1, maxLength: 2 }),
    oneOf`2>/dev/null ¦ >> .p1 ¦ > .p1 ¦ 2>&1`,
  )
  .map(([{ text, bodies }, stages, to]): Made => {
    return { text: `${text} ${stages.map((stage) => stage.join(' ')).join(' ')} ${to}`, bodies };
  });
const pipeline: fc.Arbitrary<Made> = fc
  .tuple(
    fc.constantFrom('', '', '', '! ', '! ! '),
    fc.oneof({ weight: 3, arbitrary: single }, { weight: 1, arbitrary: piped }),
  )
  .map(([negation, { text, bodies }]) => ({ text: negation + text, bodies }));
const line: fc.Arbitrary<string> = fc
  .tuple(pipeline, fc.array(fc.tuple(oneOf`&& ¦ || ¦ ;`, pipeline), { maxLength: 2 }))
  .map(([first, rest]) => {
    const text = first.text + rest.map(([operator, next]) => ` ${operator} ${next.text}`).join('');
    return [text, ...[first, ...rest.map(([, next]) => next)].flatMap(({ bodies }) => bodies)].join('\n');
  });

function furnish(root: string): void {
  mkdirSync(join(root, 'sub/deep'), { recursive: true });
  const contents = {
    'a.txt': 'alpha\nbeta  gamma\n',
    'b.txt': 'banana\napple\n',
    'c d.txt': 'x',
    '.hidden': 'hid\n',
    '.p1': '',
    '.p2': '',
  };
  const more = {
    'sub/x.md': '# x\n',
    'sub/y.md': 'yay\n',
    'sub/deep/z': 'z a\n',
    'e*f': 'star\n',
    '[x': 'bracket\n',
    é: 'e\n',
  };
  for (const [name, text] of Object.entries({ ...contents, ...more })) writeFileSync(join(root, name), text);
}

interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: readonly string[];
  readonly files: Readonly<Record<string, string>>;
}

/** The comparable part. A shell begins its own messages with its name, and processes of a pipeline write errors in any order. */
function outcome(root: string, status: number, stdout: string, stderr: string): Outcome {
  const text = (value: string): string =>
    value
      .replaceAll(new RegExp(root, 'gi'), '/root')
      .replaceAll(/^\/bin\/bash: line \d+: /gm, '')
      .replaceAll(/^.*: (?=ambiguous redirect)/gm, '');
  const found: Record<string, string> = {};
  const visit = (at: string): void => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      const mode = (statSync(path).mode & 0o777).toString(8);
      found[relative(root, path)] = `${mode} ${entry.isFile() ? text(readFileSync(path, 'utf8')) : 'folder'}`;
      if (entry.isDirectory()) visit(path);
    }
  };
  visit(root);
  return {
    status,
    stdout: text(stdout),
    stderr: text(stderr)
      .split('\n')
      .filter((said) => !/^ *\d+ Killed /.test(said))
      .sort(),
    files: found,
  };
}

const environment = environmentOf({ programFolders: PROGRAM_FOLDERS, added: { HOME }, home: '', temporary: '/tmp' });

function byBash(command: string, root: string): Outcome {
  const { status, signal, stdout, stderr } = spawnSync('/bin/bash', ['--norc', '--noprofile', '-c', command], {
    cwd: root,
    env: { ...environment, PWD: root },
    encoding: 'utf8',
    timeout: 10_000,
  });
  // Bash becomes the last program of a line, and ends as that program does.
  return outcome(root, signal === null ? (status ?? -1) : 128 + constants.signals[signal], stdout, stderr);
}

describe('a line that the executor takes does what bash does', () => {
  const workspaces = new FakeWorkspaces();
  let execute: ExecuteTree;
  beforeAll(() => {
    execute = createTreeExecutor({ programFolders: PROGRAM_FOLDERS, environment: { HOME }, sandbox: NO_SANDBOX });
  });
  afterEach(() => {
    workspaces.remove();
  });

  async function differences(command: string): Promise<string[]> {
    const [ours, theirs] = [workspaces.create(), workspaces.create()];
    furnish(ours);
    furnish(theirs);
    const answer = await execute(...fakeCall(command, ours));
    if (!answer.ok) return [`${command}\n${answer.error.code}: ${answer.error.message}`];
    const { exit_status: status, stdout, stderr } = answer.result;
    const got = outcome(ours, status as number, stdout as string, stderr as string);
    const expected = byBash(command, theirs);
    return (['status', 'stdout', 'stderr', 'files'] as const).flatMap((part) => {
      const [actual, wanted] = [got[part], expected[part]].map((value) => JSON.stringify(value));
      return actual === wanted ? [] : [`${command}\n${part}: ${String(actual)}\nbash:   ${String(wanted)}`];
    });
  }

  const lines = fc.sample(line, { numRuns: LINES, seed: SEED });
  const batches = Array.from({ length: BATCHES }, (_, index) => lines.filter((__, at) => at % BATCHES === index));

  test.each(batches.map((batch, index) => [index, batch] as const))(
    `in batch %i of generated lines (COUNTERSIGN_SHELL_SEED=${String(SEED)})`,
    async (_, batch) => {
      const different = await Promise.all(batch.map(differences));
      expect(different.flat().join('\n\n')).toBe('');
    },
  );
});
