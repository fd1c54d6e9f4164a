import { parse } from 'unbash';
import { classifyCommand } from './classify-command.js';
import { uncoveredText } from './uncovered-text.js';

const lost = (text: string): number | null => uncoveredText(parse(text), text);

it.each([
  'ls -l "a b" \'c\' $d `e` $(f)',
  'a; b & c && d || ! e | f |& g;',
  'a # a comment; with an operator (\nb\n# the last line',
  'a \\\n  b\\\nc',
  'x=1 y+=2 z[1]=3 w=(1 [2]=3\n # inside\n 4) a <b >>c 2>&1 {fd}>d <<<e &>f',
  'if a; then b; elif c\nthen d; else e; fi >f',
  'while a; do b; done; until c\ndo d\ndone',
  'for a in b c; do d; done; for e do f; done; for g\nin h\ndo i; done; for j in k; { l; }',
  'for ((a = 0; a < 3; a++)); do b; done; for ((;;)) { c; }',
  'select a in b; do c; done',
  'case a in b | c) d;; (e) f ;& g) h ;;& i) ;; j) k\nesac; case l in esac',
  'f() { a; }; function g { b; }; function h() (c); f () if d; then e; fi',
  '(a; (b)); { c; }; ((1 + 2)); coproc d; coproc e { f; }',
  '[[ a && ! -f b || ( c == d* && e =~ ^(f|g h)$ ) ]]; [[ i < j ]]; [[ <(k) -nt l ]]',
  'time -p a; time -- b | c; ! time d; time; !; time # e\n! time -p\n{ time; }',
  'cat <<A - <<-"B C" >d; e\n$(f) ${g:-h}\nA\n\ti\n\tB C\nj',
  'echo ${a[1]:-b} "${c/d/e}" ${f:1:2} ${#g} ${!h@} ${i@Q} ${j^^} <(k) $((1 + 2)) {a,$(l)} @(m|$(n)) [$(o)]',
])('finds a place for all of %j', (text) => {
  expect(parse(text).errors).toBeUndefined();
  expect(lost(text)).toBeNull();
});

/** Lines that bash refuses and the parser accepts, with the position of the text that has no place in them. */
it.each([
  ['ls (', 3],
  ['ls (x', 3],
  ['a; ls (', 6],
  ['for v do a\n; done', 11],
  ['if a\n; then b; fi', 5],
  ['ls >a=(b)', 4],
  ['[[ a -eq ; ]]', 9],
  ['[[ a == & ]]', 8],
  ['[[ ; ]]', 3],
  ['[[ a ==\n b ]]', 4],
  ['[[ -n\n b ]]', 3],
  ['f*() { a; }', 0],
  ['a $[1 + [2]', 2],
  ['a=([$(b)]=c)d e', 2],
  ['time & a', 5],
  ['! || a', 2],
  ['$\\\nb c', 0],
  ['a "x$\\\nb"', 3],
  ['a {b,$$(c)}', 2],
  ['case a in b) ! ;& c) d; esac', 15],
  ['a $[[b]', 3],
  ['function ( { a; }', 9],
  ['a <0<b', 3],
  ['a <{v}<b', 3],
])('finds none for a part of %j', (text, position) => {
  expect(parse(text).errors).toBeUndefined();
  expect(lost(text)).toBe(position);
});

it('keeps every part inside the line', () => {
  expect(classifyCommand('${ \\', 'bash').parts.map(({ end }) => end)).toEqual([4, 4, 4]);
});

it('makes the line Tier 3, also inside a substitution', () => {
  expect(classifyCommand('echo "$(ls ()"', 'bash').tier).toBe(3);
  expect(classifyCommand('ls (', 'bash')).toMatchObject({
    tier: 3,
    parts: [{ program: 'ls' }, { reasons: [{ code: 'shell.unparsable', start: 3, end: 4 }] }],
  });
});
