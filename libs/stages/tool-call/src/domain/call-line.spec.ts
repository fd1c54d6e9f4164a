import type { GrantedLine, ToolDocument } from '#lib/formats';
import { judgeLine } from '#lib/plan';
import { sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { callLine, lineToGrant, notExecutable, type CallLine } from './call-line.js';

const SHELL: Partial<ToolDocument> = {
  risk: 'state_change_nonprod',
  effect: 'modify',
  surface: 'terminal',
  shell: { argument: '/line', shell: 'bash' },
  parameters: { type: 'object', properties: { line: { type: 'string' } } },
};
const now = (line: string) => judgeLine(sampleTool('shell', SHELL), { line }, false);
const judged = (line: string): CallLine => {
  const again = now(line);
  if (again === null) throw new Error('the tool takes a line');
  return callLine(again);
};
const granted = (line: string): GrantedLine => {
  const { tier, tree } = judged(line);
  if (tier === 3 || tree === null) throw new Error(`${line} is not executable`);
  return { shell: 'bash', tier, tree };
};

describe('a line that no executor could execute', () => {
  it('says the construct, its place and the next action', () => {
    expect(notExecutable(now('ls; while true; do ls; done'))).toBe(
      'A runner does not execute a while or until loop. It stands at characters 5 to 27 of /line. ' +
        'Write single commands, joined by |, &&, || or ;, or put them into a file.',
    );
  });

  it.each([
    ['an executor could execute', now('ls')],
    ['is denied as Tier 3', now('sudo ls')],
    ['is not there', null],
  ])('is none that %s', (_what, line) => {
    expect(notExecutable(line)).toBeNull();
  });
});

describe('T53: the line that a grant names', () => {
  it.each([
    ['touch a', 2],
    ['ls | wc -l', 1],
  ])('is %j as it was judged, Tier %i', (line, tier) => {
    expect(lineToGrant(judged(line), now(line))).toEqual({ ...granted(line), tier });
  });

  it('keeps the tier that was judged if the line is milder now', () => {
    expect(lineToGrant({ ...judged('ls'), tier: 2 }, now('ls'))).toMatchObject({ tier: 2 });
  });

  it('is not there for a tool that takes none', () => {
    expect(lineToGrant(null, null)).toBeNull();
  });

  it.each<[string, CallLine | null, ReturnType<typeof now>]>([
    ['has another tree', judged('touch a'), now('touch b')],
    ['is worse', { ...judged('touch a'), tier: 1 }, now('touch a')],
    ['is Tier 3 by now', judged('touch a'), now('sudo touch a')],
    ['was Tier 3', { ...judged('touch a'), tier: 3 }, now('touch a')],
    ['was judged for another shell', { ...judged('touch a'), shell: 'sh' }, now('touch a')],
    ['had no tree', judged('while true; do ls; done'), now('while true; do ls; done')],
    ['had a tree that is no longer there', { ...judged('ls'), tree: null }, now('ls')],
    ['was not there', null, now('ls')],
    ['is no longer there', judged('ls'), null],
  ])('differs if it %s', (_what, before, after) => {
    expect(lineToGrant(before, after)).toBe('differs');
  });
});
