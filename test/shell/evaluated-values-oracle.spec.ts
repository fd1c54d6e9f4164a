import { classifyCommand } from '#lib/shell-safety';
import { tryByBash } from './real-bash.js';

/** A value with a command in its subscript: the shell executes it, if it takes the value for an expression. */
const VALUE = "'a[$(zz1)]'";

/** Lines that give a variable that value, and the variable's name; `for` and `while` end behind the use of it. */
const SETTERS: readonly (readonly [before: string, name: string, after?: string])[] = [
  [`x=${VALUE};`, 'x'],
  [`x=(${VALUE});`, 'x'],
  [`x=1; x+=${VALUE};`, 'x'],
  [`y=${VALUE}; x=$y;`, 'x'],
  [`: \${x:=${VALUE}};`, 'x'],
  [`export x=${VALUE};`, 'x'],
  [`declare x=${VALUE};`, 'x'],
  [`readonly x=${VALUE};`, 'x'],
  [`printf -v x %s ${VALUE};`, 'x'],
  [`read -r x <<<${VALUE};`, 'x'],
  [`read -r <<<${VALUE};`, 'REPLY'],
  [`mapfile -t <<<${VALUE};`, 'MAPFILE'],
  [`set -- ${VALUE};`, '1'],
  [`set -- ${VALUE}; x=$1;`, 'x'],
  [`: ${VALUE};`, '_'],
  [`BASH_ARGV0=${VALUE};`, '0'],
  [`getopts o: o -o ${VALUE};`, 'OPTARG'],
  [`[[ ${VALUE} =~ .* ]];`, 'BASH_REMATCH'],
  [`for x in ${VALUE}; do`, 'x', '; done'],
  [`set -- ${VALUE}; for x; do`, 'x', '; done'],
  [`while read -r x; do`, 'x', `; done <<<${VALUE}`],
];

/** Lines that evaluate the variable `N`, or its value as `$N`. */
const USES: readonly string[] = [
  'echo $((N))',
  'echo $(($N))',
  'echo "$((1 + $N))"',
  'echo $[$N]',
  '((N))',
  '(($N))',
  '((z = $N))',
  'z=$(($N))',
  'echo ${z:N}',
  'z=1; echo ${z:$N}',
  'z=1; echo ${z:0:$N}',
  'echo "${@:$N}"',
  'echo ${z[N]}',
  'echo ${z[$N]}',
  'z[N]=1',
  'z[$N]=1',
  'z=([$N]=1)',
  'declare -a z=([$N]=1)',
  '[[ N -eq 1 ]]',
  '[[ $N -eq 1 ]]',
  '[[ 1 -lt "$N" ]]',
  '[[ -v $N ]]',
  'test -v "$N"',
  'printf -v "$N" x',
  'read -r "$N" <<<1',
  'let "$N"',
  'let z=N',
  'declare -i z=N',
  'declare -i z; z=$N',
  'for ((i = $N; i < 0;)); do :; done',
  'case $(($N)) in *) ;; esac',
  'echo {z:-$(($N))}',
  ': <<<$(($N))',
  ': <<E\n$(($N))\nE\n',
  '[[ $(($N)) ]]',
  'RANDOM=$N',
  'OPTIND=$N',
  'shift "$N"',
];

const LINES = SETTERS.flatMap(([before, name, after = '']) =>
  USES.filter((use) => !/^\d$/.test(name) || use.includes('$N')).map(
    (use) => `${before} ${use.replaceAll('N', name)}${after}`,
  ),
);

it('T49: by a line of Tier 1, bash executes no command out of a value', async () => {
  const tried = await tryByBash(LINES);
  const executed = LINES.filter((_line, index) => tried[index]?.names.has('zz1'));
  expect(executed.filter((line) => classifyCommand(line, 'bash').tier === 1)).toEqual([]);
  expect(executed.filter((line) => classifyCommand(line).tier === 1)).toEqual([]);
  expect(executed.length).toBeGreaterThan(LINES.length / 3);
}, 60_000);
