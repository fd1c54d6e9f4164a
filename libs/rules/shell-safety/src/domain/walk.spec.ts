import { classifyBy } from './classify-command.js';
import { commandNames } from './command-names.js';
import { FAKE_TABLE } from './fake-table.js';
import type { ShellVerdict } from './verdict.js';

const classify = (line: string): ShellVerdict => classifyBy(FAKE_TABLE, line, 'bash');

/** Every place in which a command can stand. */
describe('the highest tier of every command counts', () => {
  it.each([
    ['a pipe', 'ls | X'],
    ['a pipe of errors', 'ls |& X'],
    ['a chain', 'ls && X || ls; ls'],
    ['lines', 'ls\nX\nls'],
    ['the background', 'X & ls'],
    ['a negation', '! X'],
    ['time', 'time -p X'],
    ['a subshell', '(ls; (X))'],
    ['a group', '{ ls; X; }'],
    ['a substitution', 'echo $(X)'],
    ['a substitution in quotes', 'echo "a $(X) b"'],
    ['a substitution in a locale string', 'echo $"$(X)"'],
    ['a substitution in a command name', '$(X) x'],
    ['backticks', 'echo `X`'],
    ['nested backticks', 'echo `echo \\`X\\``'],
    ['a substitution of bash 5.3', 'echo ${ X; }'],
    ['a process substitution', 'cat <(X)'],
    ['a process substitution for writing', 'ls > >(X)'],
    ['a here-document', 'cat <<E\n$(X)\nE'],
    ['a here-document with tabs', 'cat <<-E\n\t`X`\n\tE'],
    ['a here-string', 'cat <<< "$(X)"'],
    ['a redirection', 'ls > $(X)'],
    ['an assignment', 'x=$(X)'],
    ['an assignment before a command', 'LANG=$(X) ls'],
    ['an appending assignment', 'x+=$(X)'],
    ['an array', 'x=(a $(X))'],
    ['an array with subscripts', 'x=([1]=$(X))'],
    ['export', 'export LANG=$(X)'],
    ['the default of a variable', 'echo ${x:-$(X)}'],
    ['the default of a variable in quotes', 'echo "${x:=`X`}"'],
    ['a replacement', 'echo ${x/a/$(X)}'],
    ['a pattern', 'echo ${x#$(X)}'],
    ['a brace expansion', 'echo {a,$(X)}'],
    ['a glob', 'ls [$(X)]'],
    ['an extended glob', 'ls @(a|$(X))'],
    ['a function', 'f() { X; }'],
    ['a function with a redirection', 'f() { ls; } > $(X)'],
    ['a function of the keyword', 'function f { X; }'],
    ['if', 'if X; then ls; fi'],
    ['then', 'if ls; then X; fi'],
    ['elif', 'if ls; then ls; elif X; then ls; fi'],
    ['the body of elif', 'if ls; then ls; elif ls; then X; fi'],
    ['else', 'if ls; then ls; else X; fi'],
    ['the condition of while', 'while X; do ls; done'],
    ['the body of until', 'until ls; do X; done'],
    ['for', 'for x in a; do X; done'],
    ['the words of for', 'for x in $(X); do ls; done'],
    ['for with arithmetic', 'for ((;;)); do X; done'],
    ['select', 'select x in a; do X; done'],
    ['case', 'case x in a) ls;; b) X;; esac'],
    ['the word of case', 'case $(X) in a) ls;; esac'],
    ['the pattern of case', 'case x in $(X)) ls;; esac'],
    ['a condition', '[[ -n $(X) ]]'],
    ['a condition with operators', '[[ -f a && ! ( b == $(X) ) ]]'],
    ['a pattern of a condition', '[[ x =~ $(X) ]]'],
    ['coproc', 'coproc X'],
    ['coproc with a name', 'coproc N { X; }'],
    ['a redirected loop', 'for x in a; do ls; done > $(X)'],
    ['eval', 'eval "X"'],
    ['eval of several words', 'eval ls \\; X'],
    ['trap', "trap 'X' EXIT"],
    ['sh -c', "sh -c 'X'"],
    ['bash with more options', "bash --norc -exc 'X' name"],
    ['a script on the input', "bash <<'E'\nX\nE"],
    ['a script in a here-string', "sh -s <<< 'X'"],
    ['a shell in a shell', `bash -c "sh -c 'X'"`],
  ])('in %s', (_what, form) => {
    const verdict = classify(form.replace('X', 'shutdown now'));
    expect(verdict).toMatchObject({ tier: 3, class: 'DESTRUCTIVE' });
    expect(commandNames(verdict).names).toContain('shutdown');
    expect(classify(form.replace('X', 'curl x')).tier).toBeGreaterThanOrEqual(2);
  });

  it.each([
    'env X',
    'env -i LANG=x X',
    'env -u y -C / X',
    "env -S 'X'",
    'nice X',
    'nice -n 5 X',
    'nohup X',
    'setsid -f X',
    'timeout 5 X',
    'timeout -k 1 --signal=9 5s X',
    'stdbuf -oL X',
    'ionice -c 3 X',
    'command X',
    'command -p -- X',
    'builtin X',
    'exec -a y X',
    '\\time -f y X',
    'xargs X',
    'xargs -0 -n 1 X',
    'xargs -I{} X',
    'watch X',
    'watch -n 1 -x X',
    'watch -d "ls; X"',
    'busybox X',
    'find . -exec X {} \\;',
    'find . -name y -execdir X {} +',
    'ssh host X',
    'ssh -p 22 user@host "ls; X"',
    'nice nohup env timeout 5 X',
    '/usr/bin/env X',
    '"env" X',
    'e\\nv X',
    "$'env' X",
  ])('behind a wrapper: %s', (form) => {
    expect(classify(form.replace('X', 'shutdown now')).tier).toBe(3);
    expect(commandNames(classify(form.replace('X', 'shutdown now'))).names).toContain('shutdown');
  });

  it.each([
    ['env ls', 1],
    ['nice -n 5 ls', 1],
    ['timeout 5 ls -l', 1],
    ['find . -name x -exec grep y {} +', 1],
    ['find . -name x -print0 | xargs -0 grep y', 1],
    ['find . -name x | xargs grep y', 2],
    ['find . -name x -print0 | sort -z | xargs -0 -I{} cat ./{}', 1],
    ['find . -name x | sort | xargs -I{} cat ./{}', 2],
    ['command -v shutdown', 1],
    ['bash -c "ls | grep x"', 1],
    ['eval ls', 1],
    ['ssh host ls', 2],
    ['find . -name x -print0 | grep -z y | head -zn 5 | xargs -0 cat', 1],
    ['find . -name x | grep y | head -n 5 | xargs cat', 2],
    ['grep -lZ x y | xargs -0 cat', 1],
    ['grep -l x y | xargs cat', 2],
    ['grep x y | xargs cat', 2],
    ['find . | sort y | xargs cat', 2],
    ['ls | sort < y | xargs cat', 2],
    ['ls | xargs cat < y', 2],
    ['xargs cat <<< /etc/shadow', 2],
    ['find /etc -name x | xargs cat', 2],
    ['xargs cat', 2],
    ['xargs sort', 2],
    ['find . -exec true $x -delete', 2],
    ['find src -exec sort {} +', 1],
    ['find "$x" -exec sort {} +', 2],
    ['echo x | xargs cat', 2],
    ['find / | xargs cat', 2],
    ['find . -name .env -exec cat {} +', 2],
    ['env FOO=1 ls', 2],
    ['env PATH=/tmp ls', 2],
    ['env', 2],
    ['bash', 2],
    ['bash x.sh', 2],
    ['bash --rcfile x -c ls', 2],
    ['curl x | sh', 2],
    ['bash -c "$x"', 2],
    ['bash -c "shutdown $x"', 3],
  ] as const)('and no more than that: %s is Tier %i', (line, tier) => {
    expect(classify(line).tier).toBe(tier);
  });
});

describe('the name of a program', () => {
  it.each([
    ['quoted', '"ls"', 1],
    ['escaped', 'l\\s', 1],
    ['in parts', "l's'", 1],
    ['by a trusted path', '/usr/bin/ls', 1],
    ['by a path of a folder that others can write', '/usr/local/bin/ls', 2],
    ['by a relative path', './ls', 2],
    ['by a path that climbs', '/bin/../tmp/ls', 2],
    ['by a path to something denied', './sudo ls', 3],
    ['in upper case, denied on macOS', 'SUDO ls', 3],
    ['in upper case, not vouched for', 'LS', 2],
    ['from a variable', '$x ls', 2],
    ['from a variable in front of something denied', '$x shutdown', 3],
    ['from a glob', '/bin/l? x', 2],
    ['from braces', '{ls,-l}', 2],
    ['from a substitution', '$(echo ls) x', 2],
    ['that the table lacks', 'frobnicate', 2],
    ['that a function takes', 'ls() { cat x; }; ls', 2],
  ] as const)('%s', (_what, line, tier) => {
    expect(classify(line).tier).toBe(tier);
  });
});

describe('a construct beside the commands', () => {
  it.each([
    ['ls > x', 2, 'WRITE', 'shell.writes_file'],
    ['ls >> x', 2, 'WRITE', 'shell.writes_file'],
    ['ls >| x', 2, 'WRITE', 'shell.writes_file'],
    ['ls &> x', 2, 'WRITE', 'shell.writes_file'],
    ['ls >& x', 2, 'WRITE', 'shell.writes_file'],
    ['ls 2> x', 2, 'WRITE', 'shell.writes_file'],
    ['ls <> x', 2, 'WRITE', 'shell.writes_file'],
    ['> x', 2, 'WRITE', 'shell.writes_file'],
    ['ls > $x', 2, 'UNKNOWN', 'shell.writes_unknown_file'],
    ['ls > /dev/sda', 3, 'DESTRUCTIVE', 'shell.writes_device'],
    ['ls > //dev//sda', 3, 'DESTRUCTIVE', 'shell.writes_device'],
    ['echo b > /proc/sysrq-trigger', 3, 'DESTRUCTIVE', 'shell.writes_device'],
    ['cat < /dev/tcp/host/80', 2, 'NETWORK', 'shell.opens_connection'],
    ['ls > /dev/udp/host/80', 2, 'NETWORK', 'shell.opens_connection'],
    ['cat < $x', 2, 'NETWORK', 'shell.opens_connection'],
    ['cat < ~/.ssh/id_rsa', 2, 'READ_ONLY', 'shell.reads_secret'],
    ['cat <(ls)', 2, 'READ_ONLY', 'shell.process_substitution'],
    ['echo !!', 2, 'UNKNOWN', 'shell.history_expansion'],
    ['echo "a !x"', 2, 'UNKNOWN', 'shell.history_expansion'],
    ['echo ${x@P}', 3, 'UNKNOWN', 'shell.prompt_expansion'],
    ['echo ${!x}', 2, 'UNKNOWN', 'shell.indirect_expansion'],
    ['PATH=/tmp ls', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['PATH=/tmp', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['LD_PRELOAD=x ls', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['IFS=x', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['GIT_SSH_COMMAND=x', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['BASH_ENV=x ls', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['ENV=x ls', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['PAGER=x ls', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['RIPGREP_CONFIG_PATH=x ls', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['LESSOPEN=x ls', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['BASH_CMDS[ls]=/tmp/x', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['for PATH in /tmp; do ls; done', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['echo ${PATH:=/tmp}', 2, 'UNKNOWN', 'shell.changes_what_runs'],
    ['FOO=x ls', 2, 'UNKNOWN', 'shell.sets_environment'],
    ['x=/etc/shadow', 2, 'READ_ONLY', 'shell.reads_secret'],
    ['for f in ~/.aws/*; do cat "$f"; done', 2, 'READ_ONLY', 'shell.reads_secret'],
    ['ls() { cat x; }', 2, 'UNKNOWN', 'shell.shadows_program'],
  ] as const)('%s', (line, tier, shellClass, code) => {
    const verdict = classify(line);
    const codes = verdict.parts.flatMap(({ reasons }) => reasons.map((reason) => reason.code));
    expect(codes).toContain(code);
    expect([verdict.tier, verdict.class]).toEqual([tier, shellClass]);
  });

  it.each([
    'ls > /dev/null',
    'ls 2>/dev/null',
    'ls 2>&1',
    'ls >&2 2>&-',
    'ls &> /dev/null',
    'cat < x',
    'cat <<E\nx\nE',
    'cat <<< x',
    'echo "hello!"',
    'echo a!',
    '[ a != b ]',
    "grep '!x' y",
    'ls [!a]*',
    'PAGER=cat ls',
    'LC_ALL=C TZ=UTC ls',
    'x=1; y=$x; ls "$y"',
    'FILE=src/x; cat "$FILE"',
  ])('that does nothing: %s', (line) => {
    expect(classify(line)).toMatchObject({ tier: 1, class: 'READ_ONLY' });
  });
});

it('gives each part its place in the line, also in quotes', () => {
  const line = "ls && bash -c 'cat x | grep y' > out";
  const verdict = classify(line);
  expect(verdict.parts.map(({ program, start, end }) => [program, line.slice(start, end)])).toEqual([
    ['ls', 'ls'],
    ['bash', "bash -c 'cat x | grep y'"],
    ['cat', 'cat x'],
    ['grep', 'grep y'],
    [null, '> out'],
  ]);
});
