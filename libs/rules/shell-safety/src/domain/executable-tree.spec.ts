import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { canonicalJson, type Json } from '#lib/canonical';
import { executableTree } from './executable-tree.js';
import { shellTreeSchema, treeDigest, type ShellTree } from './shell-tree.js';

/** Each node type of the parser: a line that holds it, and the node at which a tree is refused. Null: it is executed. */
const NODES: Readonly<Record<SyntaxNode['type'], readonly [string, string | null]>> = {
  Script: ['ls', null],
  Statement: ['ls; pwd', null],
  Command: ['ls -l src', null],
  Pipeline: ['ls | wc -l', null],
  Negation: ['! ls', null],
  AndOr: ['ls && pwd || true', null],
  Word: ['ls src', null],
  Literal: ["ls 'a'b", null],
  Glob: ['ls *.ts', null],
  SingleQuoted: ["ls 'a b'", null],
  DoubleQuoted: ['ls "a b"', null],
  AnsiCQuoted: ["ls $'a\\tb'", null],
  SimpleExpansion: ['ls $HOME', null],
  ParameterExpansion: ['ls ${HOME}', null],
  CommandExpansion: ['ls $(pwd)', null],
  BraceExpansion: ['ls {a,b}', null],
  Assignment: ['LC_ALL=C sort a', null],
  Redirect: ['ls > a', null],
  FileDescriptor: ['ls 2> a', null],
  HereString: ['cat <<< a', null],
  HereDoc: ['cat <<E\na\nE', null],
  HereDocDelimiter: ['cat <<E\na\nE', null],
  HereDocBody: ['cat <<E\na\nE', null],
  If: ['if ls; then ls; fi', 'If'],
  Elif: ['if ls; then ls; elif ls; then ls; fi', 'If'],
  CompoundList: ['{ ls; }', 'BraceGroup'],
  For: ['for a in b; do ls; done', 'For'],
  ArithmeticFor: ['for ((;;)); do ls; done', 'ArithmeticFor'],
  Select: ['select a in b; do ls; done', 'Select'],
  While: ['while ls; do ls; done', 'While'],
  Case: ['case a in a) ls ;; esac', 'Case'],
  CaseItem: ['case a in a) ls ;; esac', 'Case'],
  Subshell: ['(ls)', 'Subshell'],
  BraceGroup: ['{ ls; }', 'BraceGroup'],
  Redirected: ['{ ls; } > a', 'BraceGroup'],
  Function: ['f() { ls; }', 'Function'],
  Coproc: ['coproc ls', 'Coproc'],
  Time: ['time ls', 'Time'],
  TestCommand: ['[[ -f a ]]', 'TestCommand'],
  TestUnary: ['[[ -f a ]]', 'TestCommand'],
  TestBinary: ['[[ a = b ]]', 'TestCommand'],
  TestLogical: ['[[ -f a && -f b ]]', 'TestCommand'],
  TestNot: ['[[ ! -f a ]]', 'TestCommand'],
  TestGroup: ['[[ ( -f a ) ]]', 'TestCommand'],
  ArithmeticCommand: ['(( 1 ))', 'ArithmeticCommand'],
  ArithmeticExpansion: ['ls $(( 1 ))', 'ArithmeticExpansion'],
  ArithmeticBinary: ['ls $(( 1 + 2 ))', 'ArithmeticExpansion'],
  ArithmeticUnary: ['ls "$(( -a ))"', 'ArithmeticExpansion'],
  ArithmeticTernary: ['ls $(( 1 ? 2 : 3 ))', 'ArithmeticExpansion'],
  ArithmeticGroup: ['ls $(( (1) ))', 'ArithmeticExpansion'],
  ArithmeticWord: ['ls $(( 1 ))', 'ArithmeticExpansion'],
  ArithmeticCommandExpansion: ['ls $(( $(ls) ))', 'ArithmeticExpansion'],
  LocaleString: ['ls $"a"', 'LocaleString'],
  ProcessSubstitution: ['ls <(ls)', 'ProcessSubstitution'],
  ExtendedGlob: ['ls @(a|b)', 'ExtendedGlob'],
  ArrayValue: ['a=(b)', 'ArrayValue'],
  FileDescriptorVariable: ['ls {a}> b', 'FileDescriptorVariable'],
  Default: ['ls ${HOME:-a}', 'ParameterExpansion'],
  Remove: ['ls ${HOME#a}', 'ParameterExpansion'],
  Replace: ['ls ${HOME/a/b}', 'ParameterExpansion'],
  Slice: ['ls ${HOME:1:2}', 'ParameterExpansion'],
  CaseModification: ['ls ${HOME^^}', 'ParameterExpansion'],
  Transform: ['ls ${HOME@P}', 'ParameterExpansion'],
  Names: ['ls ${!HO@}', 'ParameterExpansion'],
  Unknown: ['ls ${HOME|a}', 'ParameterExpansion'],
};

/** Lines of node types that a tree has, in forms that no tree has. */
const FORMS: readonly (readonly [string, string])[] = [
  ['ls &', 'Background'],
  ['ls && pwd &', 'Background'],
  ['a=b', 'Assignment'],
  ['PATH=. ls', 'Assignment'],
  ['LD_PRELOAD=./a.so ls', 'Assignment'],
  ['LC_ALL=$HOME ls', 'Assignment'],
  ['LANG+=C ls', 'Assignment'],
  ['export LANG=C', 'Builtin'],
  ['$HOME a', 'Program'],
  ['l* a', 'Program'],
  ['{ls,pwd}', 'Program'],
  ['$(pwd) a', 'Program'],
  ['"" a', 'Program'],
  ['eval ls', 'Builtin'],
  ['. ./a', 'Builtin'],
  ['exec ls', 'Builtin'],
  ['\\command ls', 'Builtin'],
  ['ls $1', 'SimpleExpansion'],
  ['ls "$@"', 'SimpleExpansion'],
  ['ls $SECRET', 'SimpleExpansion'],
  ['ls ${HOME[0]}', 'ParameterExpansion'],
  ['ls ${#HOME}', 'ParameterExpansion'],
  ['ls ${!HOME}', 'ParameterExpansion'],
  ['ls $(<a)', 'CommandExpansion'],
  ['ls $()', 'CommandExpansion'],
  ['ls $(f() { ls; })', 'Function'],
  ['ls {1..3}', 'BraceExpansion'],
  ['ls $HOME{a,b}', 'BraceExpansion'],
  ['ls {a,{b,c}}', 'BraceExpansion'],
  ['ls {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}', 'BraceExpansion'],
  ['ls ["a"]*', 'Glob'],
  ['ls [a/b]*', 'Glob'],
  ['ls [[=a=]]', 'Glob'],
  ['ls ~root', 'Tilde'],
  ['ls ~+', 'Tilde'],
  ['ls a=~/b', 'Tilde'],
  ['ls 2>&-', 'Redirect'],
  ['ls 2>&1-', 'Redirect'],
  ['ls <> a', 'Redirect'],
  ['ls > *', 'Redirect'],
  ['ls > {a,b}', 'Redirect'],
  ['ls 10> a', 'Redirect'],
  ['cat <<-E\n\t$HOME\nE', 'HereDoc'],
  ['cd', 'cd without exactly one folder'],
  ['cd -', 'cd without exactly one folder'],
  ['cd -P a', 'cd without exactly one folder'],
  ['cd a b', 'cd without exactly one folder'],
];

/** Every node type of a tree. */
function typesOf(node: SyntaxNode, found = new Set<string>()): Set<string> {
  found.add(node.type);
  forEachChild(node, (child) => {
    typesOf(child, found);
  });
  return found;
}

const treeOf = (line: string): ShellTree => {
  const result = executableTree(line, 'bash');
  if (!result.ok) throw new Error(`${line}: ${result.error.message}`);
  return result.value;
};

describe('the node types of the parser', () => {
  test.each(Object.entries(NODES))('%s is executed or refused as listed', (type, [line, refusedAt]) => {
    expect(typesOf(parse(line))).toContain(type);
    const result = executableTree(line, 'bash');
    expect(result.ok ? null : result.error.details?.node).toBe(refusedAt);
    if (result.ok) expect(shellTreeSchema.parse(result.value)).toEqual(result.value);
    if (!result.ok) expect(result.error.code).toBe('shell.not_executable');
  });

  test.each(FORMS)('%s is refused', (line, node) => {
    const result = executableTree(line, 'bash');
    expect(result).toMatchObject({ ok: false, error: { code: 'shell.not_executable', details: { node } } });
  });
});

describe('a refusal', () => {
  test('names its place in the line, also inside a substitution, and the next action', () => {
    const line = 'ls "$(pwd; for a in b; do ls; done)"';
    const result = executableTree(line);
    const { start, end } = (result.ok ? {} : result.error.details) as { start: number; end: number };
    expect(line.slice(start, end)).toBe('for a in b; do ls; done');
    expect(result).toMatchObject({
      error: { message: 'A runner does not execute a for loop.', action: expect.any(String) },
    });
  });

  test('covers the whole of old backticks that hold further ones', () => {
    const line = 'ls `ls \\`if ls; then ls; fi\\``';
    const result = executableTree(line);
    expect(result).toMatchObject({ error: { details: { node: 'If', start: 3, end: line.length } } });
  });

  test.each([
    ['', 'shell.empty'],
    ['# a', 'shell.empty'],
    ['ls "', 'shell.unparsable'],
    ['ls $(', 'shell.unparsable'],
    ['cat <<E\na', 'shell.unparsable'],
    ['ls\0', 'shell.nul'],
    ['ls \u202e', 'shell.control_character'],
    [`ls ${'a'.repeat(20_000)}`, 'shell.too_long'],
    [`ls ${'$(ls '.repeat(60)}${')'.repeat(60)}`, 'shell.too_deep'],
  ])('of %j has the code of its reason', (line, code) => {
    expect(executableTree(line)).toMatchObject({ ok: false, error: { code } });
  });

  test('keeps a line of zsh away: its words are read otherwise', () => {
    expect(executableTree('ls', 'zsh')).toMatchObject({ ok: false, error: { code: 'shell.not_executable' } });
    expect(executableTree('ls', 'sh').ok).toBe(true);
  });
});

const text = (value: string) => ({ type: 'text', text: value });
const command = (program: string, words: unknown[] = [], redirections: unknown[] = []) => ({
  assignments: [],
  program,
  arguments: words,
  redirections,
});
const only = (line: string) => treeOf(line).list[0]?.commands[0];

describe('the tree', () => {
  test('joins literals with any quotes', () => {
    expect(only(`ls a\\*"b c"'d'$'\\x65'`)).toEqual(command('ls', [[text('a*b cde')]]));
  });

  test('tells patterns, values and their quoting apart', () => {
    expect(only('ls *"*"[!a-c] "$HOME" ${HOME} ~/a \\~')).toEqual(
      command('ls', [
        [{ type: 'glob', pattern: '*' }, text('*'), { type: 'glob', pattern: '[!a-c]' }],
        [{ type: 'variable', name: 'HOME', split: false }],
        [{ type: 'variable', name: 'HOME', split: true }],
        [{ type: 'variable', name: 'HOME', split: false }, text('/a')],
        [text('~')],
      ]),
    );
  });

  test('takes each star of several for itself', () => {
    const star = { type: 'glob', pattern: '*' };
    expect(shellTreeSchema.parse(treeOf('ls **/a***')).list[0]?.commands[0]?.arguments).toEqual([
      [star, star, text('/a'), star, star, star],
    ]);
  });

  test('keeps an empty word in quotes, and drops an empty alternative', () => {
    expect(only('ls "" \'\' {,a} x{,.bak}')).toEqual(
      command('ls', [[text('')], [text('')], [text('a')], [text('x')], [text('x.bak')]]),
    );
  });

  test('writes operators as conditions and redirections in order', () => {
    const file = (descriptor: number, access: string, name: string) => ({
      type: 'file',
      descriptor,
      access,
      target: [text(name)],
    });
    const dup = (descriptor: number, source: number) => ({ type: 'duplicate', descriptor, source });
    expect(treeOf('! a <i 2>>e |& b &>o && c >&2 || d; ! ! e 3<&0').list).toEqual([
      {
        when: 'always',
        negated: true,
        commands: [
          command('a', [], [file(0, 'read', 'i'), file(2, 'append', 'e'), dup(2, 1)]),
          command('b', [], [file(1, 'write', 'o'), dup(2, 1)]),
        ],
      },
      { when: 'success', negated: false, commands: [command('c', [], [dup(1, 2)])] },
      { when: 'failure', negated: false, commands: [command('d')] },
      { when: 'always', negated: false, commands: [command('e', [], [dup(3, 0)])] },
    ]);
  });

  test.each([
    [
      'cat <<E\n~ * "$HOME" \\$x \\\\\nE',
      [text('~ * "'), { type: 'variable', name: 'HOME', split: false }, text('" $x \\\n')],
    ],
    ["cat <<'E'\n$HOME \\$x\nE", [text('$HOME \\$x\n')]],
    ['cat <<-E\n\ta\n\t\tb\n\tE', [text('a\nb\n')]],
    ['cat <<E\nE', []],
    ['cat <<< *{a,b}', [text('*{a,b}\n')]],
    ['cat <<< $HOME', [{ type: 'variable', name: 'HOME', split: false }, text('\n')]],
  ])('holds the text of %j', (line, content) => {
    expect(only(line)).toEqual(command('cat', [], [{ type: 'content', descriptor: 0, content }]));
  });

  test('has one digest for one meaning, and its schema accepts it', () => {
    const tree = treeOf('grep -c "a b" *.ts | sort > out');
    expect(treeDigest(treeOf("grep  -c 'a b'   *.ts|sort 1>out # counted"))).toBe(treeDigest(tree));
    expect(treeDigest(treeOf('grep -c "a b" "*.ts" | sort > out'))).not.toBe(treeDigest(tree));
    const stored = JSON.parse(canonicalJson(tree as unknown as Json)) as unknown;
    expect(shellTreeSchema.parse(stored)).toEqual(tree);
    expect(treeDigest(shellTreeSchema.parse(stored))).toBe(treeDigest(tree));
  });

  test('keeps its digest of version 1', () => {
    expect(treeDigest(treeOf('LC_ALL=C sort < "$HOME/a" 2>/dev/null | head -n $(cat n) && echo [a-c]* {x,y}'))).toBe(
      'sha256:8601f8e116a2470d5e151ed32b9ce471ad2439b3c4716988046ab72729c063e5',
    );
  });

  test.each([
    ['a program that is nothing', { ...command('ls'), program: '' }],
    ['a variable that no tree has', command('ls', [[{ type: 'variable', name: 'PATHEXT', split: false }]])],
    ['an assignment that no tree has', { ...command('ls'), assignments: [{ name: 'LD_PRELOAD', value: 'a' }] }],
    ['a pattern that is text', command('ls', [[{ type: 'glob', pattern: 'a*' }]])],
    ['a word of no piece', command('ls', [[]])],
    ['a descriptor beyond 9', command('ls', [], [{ type: 'duplicate', descriptor: 10, source: 1 }])],
    ['NUL', command('ls', [[text('a\0')]])],
  ])('of stored JSON is refused with %s', (_, stored) => {
    const tree = { version: 1, list: [{ when: 'always', negated: false, commands: [stored] }] };
    expect(shellTreeSchema.safeParse(tree).success).toBe(false);
  });
});
