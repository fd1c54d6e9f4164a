import { classifyBy } from './classify-command.js';
import { FAKE_TABLE } from './fake-table.js';

const codesOf = (line: string): string[] => {
  const { parts } = classifyBy(FAKE_TABLE, line, 'bash');
  return parts.flatMap(({ reasons }) => reasons.map(({ code }) => code)).filter((code) => code !== 'shell.read_only');
};

describe('the options of a row', () => {
  it.each([
    ['short options in one word', 'ls -la', []],
    ['an unknown one among short options', 'ls -lZ', ['shell.unknown_option']],
    ['an unknown long option', 'ls --everything', ['shell.unknown_option']],
    ['a value in the next word', 'grep -e x y', []],
    ['a value attached', 'grep -A3 x y', []],
    ['a value that looks like an option', 'grep -e -Z y', []],
    ['a file to write behind a bundle', 'sort -rn -o x y', ['shell.option_writes', 'shell.writes_file']],
    ['a file to write at the end of a bundle', 'sort -rno x y', ['shell.option_writes', 'shell.writes_file']],
    ['a file to write, attached', 'sort -ox y', ['shell.option_writes', 'shell.writes_file']],
    ['a long option with its value', 'sort --output=x y', ['shell.option_writes', 'shell.writes_file']],
    ['an abbreviated long option', 'sort --out x y', ['shell.option_writes', 'shell.writes_file']],
    ['an abbreviation of a harmless option alone', 'sort --rev y', []],
    [
      'an abbreviation of several, which counts as the worst',
      'sort --comp y',
      ['shell.option_executes', 'shell.unknown_option'],
    ],
    ['an option behind the operands', 'sort y -o x', ['shell.option_writes', 'shell.writes_file']],
    ['operands behind --', 'sort -- -o x', []],
    ['a program as a value', 'sort --compress-program=shutdown x', ['shell.option_executes', 'shell.destructive']],
    ['single-dash options', 'find . -name x -print', []],
    ['single-dash options with two dashes', 'find . --delete', ['shell.option_deletes']],
    ['single-dash options with =', 'find . -fprint=x', ['shell.option_writes', 'shell.writes_file']],
    ['single-dash options behind --', 'find -- . -delete', ['shell.option_deletes']],
    ['single-dash options, which do not bundle', 'find . -printdelete', ['shell.unknown_option']],
    ['key=value words', 'dd if=x of=y bs=1', ['shell.write', 'shell.option_writes', 'shell.writes_file']],
    ['an unknown key', 'dd if=x conv=sync', ['shell.write', 'shell.unknown_option']],
    ['no options at all', 'echo --anything -x', []],
    ['an operand that the row does not know', 'kubectl x', ['shell.unknown']],
  ])('read %s', (_what, line, codes) => {
    expect(codesOf(line)).toEqual(codes);
  });
});

describe('the subcommand', () => {
  it.each([
    ['first', 'kubectl get pods', 1],
    ['behind an option and its value', 'kubectl -n get delete pod x', 2],
    ['with its own options', 'kubectl get pods -o yaml', 1],
    ['with options of the program', 'kubectl get pods --namespace=x', 1],
    ['with an option that leaves the configured server', 'kubectl get pods --server=https://x', 2],
    ['of two words', 'kubectl rollout status deploy/x', 1],
    ['of one word of two', 'kubectl rollout', 2],
    ['of a second word that is not listed', 'kubectl rollout restart deploy/x', 2],
    ['that is not listed', 'kubectl annotate pod x', 2],
    ['that an expansion decides', 'kubectl "$verb" pods', 2],
    ['that is missing', 'kubectl', 2],
  ])('%s', (_what, line, tier) => {
    expect(classifyBy(FAKE_TABLE, line, 'bash')).toMatchObject({ tier, network: true });
  });
});

describe('a program that prints about itself', () => {
  it.each([
    ['make --version', 1],
    ['make -v', 1],
    ['kubectl --help', 1],
    ['kubectl delete --help', 1],
    ['make --version all', 2],
    ['make -v -s', 2],
    ['kubectl frobnicate --help', 2],
    ['shutdown --help', 3],
    ['sudo --version', 3],
  ] as const)('%s', (line, tier) => {
    expect(classifyBy(FAKE_TABLE, line, 'bash').tier).toBe(tier);
  });
});

/** An argument that is not literal counts as any option of its program. */
describe('an argument that is not literal', () => {
  it.each([
    ['a glob, for a program without a harmful option', 'ls *', 1],
    ['an expansion, for a program without a harmful option', 'cat $x', 1],
    ['a glob, for a program that has one', 'sort *', 2],
    ['an expansion, for a program that has one', 'sort "$x"', 2],
    ['a glob that cannot begin with a dash', 'sort ./*', 1],
    ['a glob behind a folder', 'sort src/*.txt', 1],
    ['an expansion that can be split into an option', 'sort ./$x', 2],
    ['an expansion that is one word behind a path', 'sort "./$x"', 1],
    ['braces that can begin with a dash', 'sort {-o,x}', 2],
    ['braces behind a folder', 'sort src/{a,b}', 1],
    ['braces with an expansion that can be split', 'sort src/{a,$x}', 2],
    ['a glob behind --', 'sort -- *', 1],
    ['the value of an option', 'sort -k "$x" y', 1],
    ['the value of an option, of any number of words', 'sort -k "$@" y', 2],
    ['an option with an unknown value', 'sort --key="$x" y', 1],
    ['an option with an unknown file to write', 'sort --output="$x" y', 2],
    ['an unknown end of an option', 'sort -"$x" y', 2],
    ['a subcommand', 'kubectl $x', 2],
    ['an operand behind a subcommand, for a program with such options', 'kubectl get "$x"', 2],
  ] as const)('%s', (_what, line, tier) => {
    expect(classifyBy(FAKE_TABLE, line, 'bash').tier).toBe(tier);
  });
});
