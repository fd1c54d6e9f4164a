import type { GrantedLine } from '#lib/formats';
import { classifyCommand, executableTree, treeDigest } from '#lib/shell-safety';
import { checkLine } from './check-line.js';

/** The line as it is judged and granted. */
function granted(line: string): GrantedLine {
  const [made, { tier }] = [executableTree(line, 'bash'), classifyCommand(line, 'bash')];
  if (!made.ok || tier === 3) throw new Error(`${line} is denied`);
  return { shell: 'bash', tier, tree: treeDigest(made.value) };
}

describe('T53: a command line under its grant', () => {
  it.each<[string, string | null, GrantedLine | null]>([
    ['has its tree', 'touch made', granted('touch made')],
    ['is written otherwise, with the same tree', "touch  'made'", granted('touch made')],
    ['is milder', 'ls', { ...granted('ls'), tier: 2 }],
    ['is not there, for a tool that executes none', null, null],
  ])('may be executed if it %s', (_what, line, shell) => {
    expect(() => {
      checkLine({ shell }, line);
    }).not.toThrow();
  });

  it.each<[string, string, string | null, GrantedLine | null]>([
    ['grant.without_line', 'it is not in the grant', 'ls', null],
    ['grant.other_line', 'it has another tree', 'touch other', granted('touch made')],
    ['grant.other_line', 'it has no tree', 'while true; do ls; done', granted('ls')],
    ['grant.worse_line', 'it is worse', 'touch made', { ...granted('touch made'), tier: 1 }],
    ['grant.unread_line', 'the tool executes none', null, granted('ls')],
  ])('is refused with %s if %s', (code, _what, line, shell) => {
    expect(() => {
      checkLine({ shell }, line);
    }).toThrow(expect.objectContaining({ code }));
  });
});
