import { classifyBy } from '../classify-command.js';
import { FAKE_TABLE } from '../fake-table.js';

describe('a program of awk', () => {
  it.each([
    '{print $1}',
    '$3 > 5',
    '$3 > 5 {print $1 / 2}',
    '{if ($1 > max) max = $1} END {print max}',
    '{print ($1 > 2 ? "a" : "b")}',
    '/a|b/ {print}',
    '$1 ~ /x>y|z/ {n++}',
    '!/a/ && /b@c/',
    'BEGIN {FS = ":"} {print "a > b | c", $1}',
    'NR == 1 || NR > 3',
    '{gsub(/a|b/, "x"); print}',
    '{sum += $1; print sum >= 3}',
    '# it"s a count\nNR > 3 {n++} END {print n/2}',
    '{x = /a;b/; if (x > 1) print "[" $1 "]"}',
    '{print length / 2, $1 / $2 / 3}',
    '($1 + $2) / 2 > 3',
    '{print ($1 > 2) ? 1 : 0, a[$1 > 2]}',
    'BEGIN {print "ENVIRON is a variable"; filesystem = 2}',
  ])('that only filters: %s', (program) => {
    expect(classifyBy(FAKE_TABLE, `awk '${program}' x`, 'bash')).toMatchObject({ tier: 1, class: 'READ_ONLY' });
  });

  it.each([
    ['{print > "x"}', 'WRITE'],
    ['{print $1 >> "x"}', 'WRITE'],
    ['{printf "%s", $1 > $2}', 'WRITE'],
    ['{print | "x"}', 'UNKNOWN'],
    ['{print |& "x"}', 'UNKNOWN'],
    ['BEGIN {system("x")}', 'UNKNOWN'],
    ['BEGIN {"x" | getline y}', 'UNKNOWN'],
    ['{getline y < "x"}', 'UNKNOWN'],
    ['@load "x"', 'UNKNOWN'],
    ['@include "x"', 'UNKNOWN'],
    ['{f = "system"; @f("x")}', 'UNKNOWN'],
    ['{x = 4 / system("x") / 2}', 'UNKNOWN'],
    ['{print "(/ " | "x" "/"}', 'UNKNOWN'],
    ['/[/]/ {system("x")} /x/', 'UNKNOWN'],
    // A name of ARGV is read as an operand is.
    ['BEGIN {ARGV[1] = ".e" "nv"; ARGC = 2} 1', 'UNKNOWN'],
    ['BEGIN {print "x" \\\n> "f"}', 'WRITE'],
    ['BEGIN {print "x",\n"y" > "f"}', 'WRITE'],
    ['BEGIN {print 1 &&\n\n 2 > "f"}', 'WRITE'],
    ['BEGIN {print /;/ > "f"}', 'WRITE'],
    ['BEGIN {print /"/ > "f" "x"}', 'WRITE'],
    ['BEGIN {x = /"/; system("x") #"\n}', 'UNKNOWN'],
    ['BEGIN { # "\n system("x") }', 'UNKNOWN'],
    ['BEGIN { # "\n print "x" > "f" }', 'WRITE'],
    ['{if (1) /"/; system("x") #"\n}', 'UNKNOWN'],
    ['{x = length /"/; system("x") #"\n}', 'UNKNOWN'],
    ['BEGIN {x = 1 ? y:system("x")}', 'UNKNOWN'],
    ['BEGIN {x = 2system("x")}', 'UNKNOWN'],
    ['BEGIN {awk::system("x")}', 'UNKNOWN'],
    ['BEGIN {print 1[" > "f"', 'UNKNOWN'],
    ['BEGIN {x = 0 / 1; print "a\n > "f"}', 'UNKNOWN'],
  ])('with an effect: %s', (program, shellClass) => {
    expect(classifyBy(FAKE_TABLE, `awk '${program}' x`, 'bash')).toMatchObject({ tier: 2, class: shellClass });
  });

  it.each(['BEGIN {system("shutdown")}', 'BEGIN {print | "ls; shutdown now"}', 'BEGIN {"shutdown" | getline}'])(
    'that spells out something denied: %s',
    (program) => {
      expect(classifyBy(FAKE_TABLE, `awk '${program}'`, 'bash').tier).toBe(3);
    },
  );

  it('that an expansion decides', () => {
    expect(classifyBy(FAKE_TABLE, 'awk "{print $x}" y', 'bash').tier).toBe(2);
  });
});
