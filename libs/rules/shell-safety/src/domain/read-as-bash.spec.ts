import { classifyCommand } from './classify-command.js';
import { commandNames } from './command-names.js';

/** Lines that bash reads otherwise than the parser does; test/shell found them with real bash. */
const namesOf = (line: string): ReadonlySet<string> => commandNames(classifyCommand(line, 'bash')).names;

it.each(["cat <<E\n${v:-'$(rm x)'}\nE", "cat <<E\n${v:-<(ls '$(rm x)')}\nE", "cat <<E\n${v:-${w:-'$(rm x)'}}\nE"])(
  'sees the command that single quotes do not hide in a here-document: %j',
  (line) => {
    expect(namesOf(line)).toContain('rm');
  },
);

it.each(['[[<(ls) || rm == x ]]', '[[>(ls) && rm -ef x ]]', '[[<(ls) == a || -n $(ls) || rm != x ]]'])(
  'sees the command in what is a condition only to the parser: %s',
  (line) => {
    expect(namesOf(line)).toContain('rm');
  },
);

it.each([
  "((cat <<'E'\nrm x\nE\n); ls)",
  "(\\\n(cat <<'E'\nrm x\nE\n); ls)",
  "echo $((cat <<'E'\nrm x\nE\n); ls)",
  '((ls); pwd)',
  'cat <((ls); pwd)',
])('denies two parentheses that are no arithmetic: %j', (line) => {
  expect(classifyCommand(line, 'bash')).toMatchObject({
    tier: 3,
    parts: expect.arrayContaining([
      expect.objectContaining({ reasons: [expect.objectContaining({ code: 'shell.not_arithmetic' })] }),
    ]) as unknown,
  });
});

it('asks no more of parentheses with a space between them', () => {
  expect(classifyCommand('( (ls); pwd)', 'bash').tier).toBe(1);
});

it("denies the escape \\x{ of $'…', which bash decodes", () => {
  expect(classifyCommand("$'\\x{72}m' x", 'bash').parts.flatMap(({ reasons }) => reasons)).toContainEqual(
    expect.objectContaining({ code: 'shell.unknown_escape', start: 0, end: 10 }),
  );
  expect(classifyCommand("echo $'\\x72'", 'bash').tier).toBe(1);
});

it('denies a backslash in an array of a substitution, and no other', () => {
  expect(classifyCommand('echo $(a=(\\;))', 'bash').tier).toBe(3);
  expect(classifyCommand('echo $(export a=(b "c\\`" d\\;))', 'bash').tier).toBe(3);
  expect(classifyCommand('echo $(a=(b "c\\`"); echo \\;)', 'bash').tier).toBe(2);
  expect(classifyCommand('a=(\\;)', 'bash').tier).toBe(1);
});

it('denies a reserved word, and a parenthesis, behind the first word of a coproc', () => {
  expect(classifyCommand('coproc ls !', 'bash').tier).toBe(3);
  expect(classifyCommand('coproc cat <(case a in b) ls;; (*) ls;; esac)', 'bash').tier).toBe(3);
  expect(classifyCommand('coproc ls -l !', 'bash').tier).toBe(1);
});

it('takes an unknown word for the program of a wrapper, not for one of its options alone', () => {
  const { names, hidden } = commandNames(classifyCommand('command {a,b} ls', 'bash'));
  expect([...names, hidden]).toEqual(['command', true]);
  expect(classifyCommand('command {a,b} rm -rf x', 'bash').tier).toBe(3);
});

it('denies a prompt that executes a command, and names no command of one that the line does not show', () => {
  expect(classifyCommand("PS4='$(rm x)'; set -x; :", 'bash').tier).toBe(3);
  expect(commandNames(classifyCommand('PS4=$w; set -x; :', 'bash')).hidden).toBe(true);
  expect(classifyCommand("PS4='+ '; set -x; :", 'bash').tier).toBe(2);
});

it.each([
  "declare 'a[=$(rm x)]=1'",
  "declare 'a[1]=2' 'b[=$(rm x)]+=1'",
  "printf -v'a[$(rm x)]' y",
  "w='a[$(rm x)]'; printf -v$w y",
  'w=\'a[$(rm x)]\'; printf "-v$w" y',
  "w=-v; test $w 'a[$(rm x)]'",
  'w=-v; test "$w" \'a[$(rm x)]\'',
  "[ -n x -a $w 'a[$(rm x)]' ]",
])('denies a quoted subscript behind a word that may have it evaluated: %j', (line) => {
  expect(classifyCommand(line, 'bash')).toMatchObject({
    tier: 3,
    parts: expect.arrayContaining([
      expect.objectContaining({ reasons: [expect.objectContaining({ code: 'shell.evaluates_quoted_text' })] }),
    ]) as unknown,
  });
});

it('asks about an exclamation mark before a parenthesis, which may be a pattern', () => {
  expect(commandNames(classifyCommand('!(ls)', 'bash')).hidden).toBe(true);
  expect(classifyCommand('!(ls)', 'bash').tier).toBe(2);
  expect(classifyCommand('! (ls)', 'bash').tier).toBe(1);
});

it('asks about a subscript that the line does not show', () => {
  expect(classifyCommand(`x='$(rm x)'; declare "a[=$x]=1"`, 'bash').tier).toBeGreaterThan(1);
  expect(classifyCommand("declare 'a[1]=b=c' d=e", 'bash').tier).toBe(1);
});

it('compares texts that merely look like a subscript', () => {
  expect(classifyCommand(`[ "$a" = 'a[$1]' ]`, 'bash').tier).toBe(1);
  expect(classifyCommand('test -v a -o -n "$b"', 'bash').tier).toBe(1);
});
