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
