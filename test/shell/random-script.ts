import type { RandomNumbers } from './random-numbers.js';

/** Makes one piece of a script; `depth` is how many more constructs it may nest. */
type Make = (random: RandomNumbers, depth: number) => string;

const VARIABLES = ['a', 'b', 'v', 'w'];
/** Characters that mean something to a shell: a mutation inserts or doubles one. */
const SHELL_CHARACTERS = '()[]{}<>|&;$`"\'\\#!*?=+-,:@%^~ \n\t0a';

const name: Make = (random) => `zz${String(random.below(40))}`;
const variable: Make = (random) => random.pick(VARIABLES);

/** A command by a name that no machine has, in one of the ways of spelling it. */
const named: Make = (random, depth) => {
  const program = name(random, depth);
  switch (random.below(16)) {
    case 0:
      return `'${program}'`;
    case 1:
      return `"${program}"`;
    case 2:
      return `z\\z${program.slice(2)}`;
    case 3:
      return `z"z"${program.slice(2)}`;
    case 4:
      return `$'\\x7a'z${program.slice(2)}`;
    case 5:
      return `z\\\nz${program.slice(2)}`;
    default:
      return program;
  }
};

const EXPANSIONS: readonly Make[] = [
  (random, depth) => `$(${list(random, depth)})`,
  (random, depth) => `"$(${list(random, depth)})"`,
  (random, depth) => `"x $(${list(random, depth)} ) y"`,
  (random) => `\`${named(random, 0)} x\``,
  (random) => `\`${name(random, 0)} \\\`${name(random, 0)}\\\`\``,
  (random, depth) => `<(${list(random, depth)})`,
  (random, depth) => `\${${variable(random, depth)}:-${word(random, depth)}}`,
  (random, depth) => `"\${${variable(random, depth)}:=${word(random, depth)}}"`,
  (random, depth) => `\${${variable(random, depth)}//a/${word(random, depth)}}`,
  (random, depth) => `\${${variable(random, depth)}%${word(random, depth)}}`,
  (random, depth) => `\${a[$(${simple(random, depth)})]}`,
  (random, depth) => `\${v:$(${simple(random, depth)}):1}`,
  (random) => `\${#${variable(random, 0)}}`,
  (random) => `$${variable(random, 0)}`,
  (random) => `$((${arithmetic(random, 2)}))`,
  (random, depth) => `$((1 + $(${simple(random, depth)})))`,
  (random, depth) => `$(( (${list(random, depth)}) ))`,
  (random) => `$[${arithmetic(random, 1)}]`,
  (random, depth) => `{a,$(${simple(random, depth)})}`,
  (random, depth) => `@(a|$(${simple(random, depth)}))`,
  (random, depth) => `$((${list(random, depth)}) )`,
  (random, depth) => `$(( ${list(random, depth)} $(case y in (y) :;; *) :;; esac) ))`,
];

const PLAIN_WORDS = [
  'x',
  '-n',
  '--',
  "'q w'",
  '"q w"',
  "'$(zz1)'",
  '*.c',
  '[a-z]?',
  '{1..3}',
  '\\;',
  '\\$\\(zz1\\)',
  '\\`zz1\\`',
  '"\\$(zz1)"',
  '\\<\\(zz1\\)',
  '\\"',
  'a=b',
  '"\\`"',
  '!',
  '#x',
  '~',
];

const word: Make = (random, depth) =>
  depth > 0 && random.below(3) === 0 ? random.pick(EXPANSIONS)(random, depth - 1) : random.pick(PLAIN_WORDS);

const arithmetic: Make = (random, depth) => {
  if (depth === 0) return random.pick(['1', 'b', '$w', '16#f', 'a[0]', '(2)', '!b', 'v++']);
  return `${arithmetic(random, depth - 1)}${random.pick([' + ', '*', '<<', ' && ', ','])}${arithmetic(random, depth - 1)}`;
};

const REDIRECTIONS: readonly Make[] = [
  () => '>/dev/null',
  () => '2>&1',
  () => '</dev/null',
  () => '>&-',
  (random, depth) => `<<<${word(random, depth)}`,
  (random, depth) => `< <(${simple(random, depth)})`,
  (random, depth) => `> >(${simple(random, depth)})`,
];

const ASSIGNMENTS: readonly Make[] = [
  (random, depth) => `${variable(random, depth)}=${word(random, depth)}`,
  (random, depth) => `v+=${word(random, depth)}`,
  (random, depth) => `w=(${word(random, depth)} ${word(random, depth)})`,
  (random, depth) => `b[$(${simple(random, depth)})]=1`,
  (random, depth) => `b=([$(${simple(random, depth)})]=x)`,
];

/** Integers of the shell's own, which evaluate the text that they are given. */
const integer: Make = (random) => random.pick(['RANDOM', 'SRANDOM', 'OPTIND', 'HISTCMD', 'SECONDS']);
const subscripted: Make = (random, depth) => `'a[$(${name(random, depth)})]'`;

/** Ways of giving one of them a value. */
const INTEGERS: readonly Make[] = [
  (random, depth) => `${integer(random, depth)}=${subscripted(random, depth)}`,
  (random, depth) => `${integer(random, depth)}+=${subscripted(random, depth)}`,
  (random, depth) => `${integer(random, depth)}=${subscripted(random, depth)} ${simple(random, depth)}`,
  (random, depth) =>
    `w=${subscripted(random, depth)}; ${integer(random, depth)}=${random.pick(['$w', '"$w"', 'w', '1'])}`,
  (random, depth) =>
    `for ${integer(random, depth)} in ${subscripted(random, depth)} ${word(random, depth)}; do :; done`,
  (random, depth) => `read -r ${integer(random, depth)} <<<${subscripted(random, depth)}`,
  (random, depth) => `: \${${integer(random, depth)}:=${subscripted(random, depth)}}`,
  (random, depth) => `printf -v ${integer(random, depth)} %s ${subscripted(random, depth)}`,
  (random, depth) =>
    `${random.pick(['declare', 'local', 'export', 'typeset', 'readonly'])} ${integer(random, depth)}=${subscripted(random, depth)}`,
  (random, depth) => `((${integer(random, depth)} = ${arithmetic(random, 1)}))`,
];

const words: Make = (random, depth) =>
  Array.from({ length: random.below(3) }, () => ` ${word(random, depth)}`).join('');

const simple: Make = (random, depth) => {
  const before = random.below(8) === 0 ? `${random.pick(ASSIGNMENTS)(random, depth)} ` : '';
  const after = random.below(6) === 0 ? ` ${random.pick(REDIRECTIONS)(random, depth)}` : '';
  return `${before}${named(random, depth)}${words(random, depth)}${after}`;
};

/** Builtins, some of which evaluate words that are quoted. */
const BUILTINS =
  'test [ printf declare typeset local export readonly read mapfile let unset getopts wait shift return exit break cd umask ulimit hash type alias set :'.split(
    ' ',
  );
const BUILTIN_WORDS: readonly Make[] = [
  (random) => `'${variable(random, 0)}[$(${name(random, 0)})]'`,
  (random) => `'${variable(random, 0)}[$(${name(random, 0)})]=1'`,
  (random) => `-${random.pick(['v', 'a', 'p', 'n', 'u', 'd', 'i', 'R', 'f'])}`,
  (random) => `-${random.pick(['v', 'a', 'p', 'n', 'u', 'd'])}'${variable(random, 0)}[$(${name(random, 0)})]'`,
  (random) => random.pick(['-eq', '=', '-a', '%d', '1', 'x', 'a', '$v', '$w', ']', '-gt', '--']),
];

const evaluating: Make = (random) =>
  `${random.pick(['', 'w=-v; ', 'w=-eq; ', "w='a[$(zz3)]'; "])}${random.pick(BUILTINS)} ` +
  Array.from({ length: 1 + random.below(4) }, () => random.pick(BUILTIN_WORDS)(random, 0)).join(' ') +
  random.pick(['', ' <<<x', ' ]']);

const COMMANDS: readonly Make[] = [
  simple,
  simple,
  simple,
  (random, depth) => random.pick(ASSIGNMENTS)(random, depth),
  (random, depth) => `(${list(random, depth)})`,
  (random, depth) => `{ ${list(random, depth)}; }`,
  (random, depth) => `if ${list(random, depth)}; then ${list(random, depth)}; else ${list(random, depth)}; fi`,
  (random, depth) =>
    `if ${simple(random, depth)}\nthen ${simple(random, depth)}\nelif ${simple(random, depth)}; then :; fi`,
  (random, depth) => `for v in ${word(random, depth)} ${word(random, depth)}; do ${list(random, depth)}; done`,
  (random, depth) => `for v do ${list(random, depth)}; done`,
  (random, depth) => `for ((b = 0; b < 2; b++)); do ${list(random, depth)}; done`,
  (random, depth) => `while ${simple(random, depth)}; do ${list(random, depth)}; break; done`,
  (random, depth) => `until ${simple(random, depth)}; do ${simple(random, depth)}; break; done`,
  (random, depth) =>
    `case ${word(random, depth)} in x|"q w") ${list(random, depth)};; (*) ${list(random, depth)} ;; esac`,
  (random, depth) => `case x in x) ${simple(random, depth)} ;& *) ${simple(random, depth)} ;;& y) :; esac`,
  (random, depth) => `f${String(random.below(3))}() { ${list(random, depth)}; }; f${String(random.below(3))}`,
  (random, depth) => `function g { ${list(random, depth)}; }; g ${word(random, depth)}`,
  (random, depth) => `[[ ${word(random, depth)} == ${word(random, depth)} || -n $(${simple(random, depth)}) ]]`,
  (random, depth) => `[[ x =~ ^(x|$(${simple(random, depth)}))$ ]] && ${simple(random, depth)}`,
  (random, depth) => `[[ a[$(${simple(random, depth)})] -eq 0 ]]`,
  (random) => `((${arithmetic(random, 2)}))`,
  (random, depth) => `((${list(random, depth)}); ${simple(random, depth)})`,
  (random, depth) => `! ${simple(random, depth)}`,
  (random, depth) => `time ${simple(random, depth)}`,
  (random, depth) => `coproc ${simple(random, depth)}`,
  (random, depth) => `coproc c { ${list(random, depth)}; }`,
  (random, depth) => `cat <<E\n$(${simple(random, depth)}) \${v:-${word(random, depth)}}\nE\n`,
  (random, depth) => `cat <<'E' | ${simple(random, depth)}\n$(zz2)\nE\n`,
  (random, depth) => `${simple(random, depth)} <<-E\n\t$(${simple(random, depth)})\n\tE\n`,
  (random, depth) => `eval '${name(random, depth)} x'`,
  (random, depth) => `eval "${named(random, depth).replaceAll(/["\\]/g, '')} $(${simple(random, depth)})"`,
  (random, depth) => `command ${simple(random, depth)}`,
  (random, depth) => `trap '${name(random, depth)}' EXIT`,
  (random, depth) => `select v in x; do ${simple(random, depth)}; done`,
  (random, depth) => `echo ${words(random, depth)}`,
  (random, depth) => `echo ${words(random, depth)} # ${simple(random, 0)}\n`,
  (random, depth) => `printf -v '${variable(random, depth)}[$(${name(random, depth)})]' x`,
  (random, depth) => `declare '${variable(random, depth)}[$(${name(random, depth)})]=1'`,
  (random, depth) => `test -v '${variable(random, depth)}[$(${name(random, depth)})]'`,
  (random, depth) => `let '${variable(random, depth)}[$(${name(random, depth)})]=1'`,
  (random, depth) => `read '${variable(random, depth)}[$(${name(random, depth)})]' <<<x`,
  (random, depth) => `w='a[$(${name(random, depth)})]'; echo $((w))`,
  (random, depth) => `declare -A v; v[$(${simple(random, depth)})]=1`,
  (random, depth) => `export v=${word(random, depth)} w`,
  (random, depth) => `local v=(${word(random, depth)})`,
  evaluating,
  evaluating,
  evaluating,
  (random, depth) => random.pick(INTEGERS)(random, depth),
  (random, depth) => random.pick(INTEGERS)(random, depth),
  (random, depth) =>
    `w='a[$(${name(random, depth)})]'; ${random.pick(['echo ${b:w}', 'echo ${!w}', 'echo ${a[w]}', 'a[w]=1', 'let w', '[[ w -eq 0 ]]', 'declare -i b=w', 'echo ${w@P}', 'declare -n b=w; echo $b', '((b = w))', 'echo $[w]', 'test w -eq 0', '[[ -v $w ]]', 'read $w <<<x', 'printf -v $w x', 'PS4=$w; set -x; :'])}`,
];

const SEPARATORS = ['; ', ' && ', ' || ', ' | ', '\n', ' & ', ' |& '];

const command: Make = (random, depth) => (depth <= 0 ? simple(random, 0) : random.pick(COMMANDS)(random, depth - 1));

const list: Make = (random, depth) => {
  let text = command(random, depth);
  for (let more = random.below(3); more > 1; more--) text += random.pick(SEPARATORS) + command(random, depth);
  return text;
};

/** A script of made-up commands. One of four has a character that means something to a shell lost, doubled, added or swapped. */
export function randomScript(random: RandomNumbers): string {
  const script = list(random, 1 + random.below(4));
  return random.below(4) === 0 ? mutate(script, random) : script;
}

function mutate(script: string, random: RandomNumbers): string {
  const at = random.below(script.length);
  switch (random.below(4)) {
    case 0:
      return script.slice(0, at) + script.slice(at + 1);
    case 1:
      return script.slice(0, at + 1) + script.slice(at);
    case 2:
      return (
        script.slice(0, at) + SHELL_CHARACTERS.charAt(random.below(SHELL_CHARACTERS.length)) + script.slice(at + 1)
      );
    default:
      return script.slice(0, at) + SHELL_CHARACTERS.charAt(random.below(SHELL_CHARACTERS.length)) + script.slice(at);
  }
}
