import type { ExpandedInvocation, ExpandedLine } from '#lib/formats';
import { judgeLine } from '#lib/plan';
import type { ToolVersion } from '#lib/tool';
import { lineAgain } from './line-again.js';

const tool = (shell = true): ToolVersion =>
  ({ definition: shell ? { shell: { argument: '/line', shell: 'bash' } } : {} }) as ToolVersion;
const approved = (line: string): ExpandedLine => {
  const judged = judgeLine(tool(), { line }, false);
  if (judged?.expanded.ok !== true) throw new Error(`${line} is refused`);
  return judged.expanded.value;
};
const digest = `sha256:${'0'.repeat(64)}`;
const call = (line: string, shell?: ExpandedLine): ExpandedInvocation => ({
  tool: { name: 'shell', version: 1, digest },
  executor: { name: 'fleet', digest },
  arguments: { line },
  arguments_digest: digest,
  targets: [],
  ...(shell === undefined ? {} : { shell }),
});

describe('a command line before its dispatch', () => {
  it('is as approved if nothing changed', () => {
    expect(lineAgain(tool(), call('touch a', approved('touch a')), false)).toEqual({
      verdict: { tier: 2, class: 'WRITE' },
      asApproved: true,
    });
    // The environment is bound by itself.
    expect(lineAgain(tool(), call('touch a', approved('touch a')), true).asApproved).toBe(true);
  });

  it('is none for a tool without one', () => {
    expect(lineAgain(tool(false), call('touch a'), false)).toEqual({ verdict: null, asApproved: true });
  });

  it.each([
    ['has another tree', call('touch a', { ...approved('touch a'), tree: approved('touch b').tree })],
    ['has a worse tier', call('touch a', { ...approved('touch a'), tier: 1 })],
    ['was meant for another shell', call('touch a', { ...approved('touch a'), shell: 'sh' })],
    ['stood in another argument', call('touch a', { ...approved('touch a'), argument: '/other' })],
    ['was approved without a verdict', call('touch a')],
    ['can no longer be executed', call('for x in 1; do ls; done', approved('ls'))],
  ])('T53: differs if it %s', (_what, invocation) => {
    expect(lineAgain(tool(), invocation, false).asApproved).toBe(false);
  });

  it('T53: differs if its tool takes one no longer', () => {
    expect(lineAgain(tool(false), call('touch a', approved('touch a')), false).asApproved).toBe(false);
  });

  it('is judged for policy even if it is denied now', () => {
    expect(lineAgain(tool(), call('sudo ls', approved('ls')), false)).toMatchObject({
      verdict: { tier: 3 },
      asApproved: false,
    });
  });

  it('may have become harmless', () => {
    expect(lineAgain(tool(), call('ls', { ...approved('ls'), tier: 2 }), false).asApproved).toBe(true);
  });
});
