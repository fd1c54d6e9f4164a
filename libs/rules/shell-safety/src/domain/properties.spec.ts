import fc from 'fast-check';
import { classifyCommand } from './classify-command.js';
import { LIMITS } from './limits.js';
import type { Shell, ShellVerdict } from './verdict.js';
import { SHELLS } from '#lib/formats';
import { SHELL_CLASSES } from '#lib/formats';
import { anyText } from '../../../../../test/arbitraries/any-text.js';

const words = fc.constantFrom(
  ...[
    'ls',
    'cat x',
    'grep -r x .',
    'git status',
    'git push',
    'rm x',
    'rm -rf x',
    'sudo ls',
    'curl x',
    'npm test',
    'touch x',
  ],
  ...[
    'kubectl get pods',
    'kubectl delete pod x',
    'shutdown',
    'frobnicate',
    'sort -o x y',
    'find . -delete',
    'echo $x',
    'x=1',
  ],
);
const joints = fc.constantFrom(' | ', ' && ', ' || ', '; ', ' & ', '\n', ' |& ');

/** Lines of commands that the table knows, nested in each other. */
const lines: fc.Arbitrary<string> = fc.letrec<{ line: string; form: string }>((tie) => ({
  line: fc.oneof({ maxDepth: 3, withCrossShrink: true }, words, tie('form')),
  form: fc.oneof(
    fc.tuple(tie('line'), joints, tie('line')).map(([a, joint, b]) => a + joint + b),
    tie('line').map((a) => `( ${a})`),
    tie('line').map((a) => `{ ${a}; }`),
    tie('line').map((a) => `echo "$(${a})"`),
    tie('line').map((a) => `if ${a}; then ls; fi`),
    tie('line').map((a) => `for i in 1 2; do ${a}; done`),
    tie('line').map((a) => `cat <<E\n$(${a})\nE`),
  ),
})).line;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Every way to put one whole line into another. */
const WRAPPERS: readonly ((line: string) => string)[] = [
  // With a space: `((` would begin arithmetic.
  (line) => `( ${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `ls; ${line}`,
  (line) => `${line}\nls`,
  (line) => `! { ${line}\n}`,
  (line) => `time ( ${line}\n)`,
  (line) => `if ls; then ${line}\nfi`,
  (line) => `while ${line}\ndo ls; done`,
  (line) => `case x in x) ${line}\nesac`,
  (line) => `echo $(${line}\n)`,
  (line) => `x=$(${line}\n)`,
  (line) => `cat <(${line}\n)`,
  (line) => `bash -c ${quoted(line)}`,
  (line) => `eval ${quoted(line)}`,
  (line) => `env nice timeout 5 bash -c ${quoted(line)}`,
  (line) => `find . -exec sh -c ${quoted(line)} \\;`,
  (line) => `xargs bash -c ${quoted(line)}`,
  (line) => `ssh host ${quoted(line)}`,
  (line) => `watch ${quoted(line)}`,
  (line) => `trap ${quoted(line)} EXIT`,
];

type Judged = Pick<ShellVerdict, 'tier' | 'class'>;
const judged = new Map<string, Judged>();

/** Most lines of commands come again, so each text is judged once. */
function judge(line: string, shell: Shell = 'unknown'): Judged {
  const key = `${shell} ${line}`;
  const before = judged.get(key);
  if (before !== undefined) return before;
  const { tier, class: of } = classifyCommand(line, shell);
  judged.set(key, { tier, class: of });
  return { tier, class: of };
}

/** Pieces of shell grammar, valid and not. */
const rubbish = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...[
          '$(',
          ')',
          '((',
          '))',
          '${',
          '}',
          '`',
          '"',
          "'",
          '\\',
          '|',
          '&',
          ';',
          '<',
          '>',
          '<<',
          '<<<',
          '>&',
          '$((',
          '[[',
          ']]',
        ],
        ...[
          '[',
          ']',
          '{',
          '(',
          '!',
          '*',
          '?',
          '~',
          '#',
          '=',
          '+=',
          '\n',
          ' ',
          '  ',
          '\t',
          '-',
          '--',
          '$',
          '$x',
          '${x:',
          '@P}',
          "$'",
        ],
        ...[
          'if',
          'then',
          'fi',
          'for',
          'in',
          'do',
          'done',
          'case',
          'esac',
          'while',
          'function',
          'coproc',
          'time',
          'select',
        ],
        ...[
          'ls',
          'rm',
          '-rf',
          'sudo',
          'eval',
          'bash -c',
          'env',
          'xargs',
          'sed',
          'awk',
          'find',
          '-exec',
          '{}',
          '+',
          'E',
          'x',
          '1',
        ],
      ),
      fc.string({ maxLength: 4, unit: 'grapheme' }),
      anyText({ maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''));

/** How many inputs a property sees; .ci/run sets more. */
const RUNS = Number(process.env.COUNTERSIGN_SHELL_INPUTS ?? '2000');
// The 200,000 inputs of .ci/run take half a minute on two busy cores.
jest.setTimeout(120_000);

describe('the classifier', () => {
  it('never lowers a tier because a line is wrapped', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(...WRAPPERS), (line, wrap) => {
        return judge(wrap(line), 'bash').tier >= judge(line, 'bash').tier;
      }),
      { numRuns: RUNS },
    );
  });

  it('never lowers a tier because the words are quoted or escaped', () => {
    const spellings = fc.constantFrom<(word: string) => string>(
      quoted,
      (word) => `"${word}"`,
      (word) => `$${quoted(word)}`,
      (word) => word.replace(/[a-z]/, (letter) => `\\${letter}`),
      (word) => `${word.slice(0, 1)}''${word.slice(1)}`,
      (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
    );
    const plain = words.filter((line) => !/[$=]/.test(line));
    fc.assert(
      fc.property(plain, fc.array(spellings, { minLength: 1, maxLength: 5 }), (line, spell) => {
        const spelt = line.split(' ').map((word, index) => spell[index % spell.length]?.(word) ?? word);
        const before = judge(line, 'bash');
        const after = judge(spelt.join(' '), 'bash');
        return after.tier === before.tier && after.class === before.class;
      }),
      { numRuns: RUNS },
    );
  });

  it('never throws, and answers in full', () => {
    fc.assert(
      fc.property(fc.oneof(rubbish, anyText()), fc.constantFrom(...SHELLS), (line, shell) => {
        const verdict = classifyCommand(line, shell);
        const whole = verdict.parts.every(
          ({ start, end, reasons, tier }) =>
            start >= 0 && start <= end && end <= line.length && reasons.length > 0 && tier <= verdict.tier,
        );
        return whole && verdict.parts.length > 0 && SHELL_CLASSES.includes(verdict.class);
      }),
      { numRuns: RUNS },
    );
  });

  it('does a bounded amount of work', () => {
    const filled = fc
      .tuple(rubbish, rubbish)
      .map(([before, again]) =>
        (before + again.repeat(LIMITS.bytes / Math.max(again.length, 1))).slice(0, LIMITS.bytes),
      );
    fc.assert(
      fc.property(filled, (line) => classifyCommand(line).parts.length <= 2 * LIMITS.words),
      { numRuns: RUNS / 100 },
    );
  });

  it('never judges an unknown shell more mildly than a known one', () => {
    const known = SHELLS.filter((shell) => shell !== 'unknown');
    const either = fc.oneof(fc.tuple(rubbish, fc.constant(classifyCommand)), fc.tuple(lines, fc.constant(judge)));
    fc.assert(
      fc.property(either, ([line, verdictOn]) => {
        const { tier } = verdictOn(line);
        return known.every((shell) => tier >= verdictOn(line, shell).tier);
      }),
      { numRuns: RUNS },
    );
  });
});
