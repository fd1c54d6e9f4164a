import type { ExpandedInvocation, ExpandedPaths } from '#lib/formats';
import { judgePathsOf } from '#lib/plan';
import type { ToolVersion } from '#lib/tool';
import { pathsAsApproved } from './paths-again.js';

/** A tool with the members that a verdict on paths reads; the cast stands for the others. */
const tool = (named = true, reads: readonly string[] = ['/path']): ToolVersion =>
  ({
    definition: { risk: 'read_only', ...(named ? { path_arguments: { reads, writes: [] } } : {}) },
  }) as unknown as ToolVersion;
const digest = `sha256:${'0'.repeat(64)}`;
const call = (path: string, paths?: ExpandedPaths): ExpandedInvocation => ({
  tool: { name: 'read', version: 1, digest },
  executor: { name: 'fleet', digest },
  arguments: { path },
  arguments_digest: digest,
  targets: [],
  ...(paths === undefined ? {} : { paths }),
});
const approved = (path: string, changes: Partial<ExpandedPaths> = {}): ExpandedPaths => {
  const judged = judgePathsOf(tool(), { path }, false);
  if (judged === null) throw new Error('the tool names no path');
  return { ...judged, ...changes };
};

describe('the paths of a call before its dispatch', () => {
  it.each([
    ['nothing changed', tool(), call('a', approved('a'))],
    ['the tool names none', tool(false), call('a')],
    ['a secret is still one', tool(), call('.env', approved('.env'))],
    ['a file is no secret any more', tool(), call('a', approved('.env'))],
  ])('are as approved if %s', (_what, version, invocation) => {
    expect(pathsAsApproved(version, invocation, false)).toBe(true);
    // The environment is bound by itself.
    expect(pathsAsApproved(version, invocation, true)).toBe(true);
  });

  it.each([
    ['a file counts as a secret since', tool(), call('.env', approved('a'))],
    ['a file may leave the workspace since', tool(), call('/a', approved('.env'))],
    ['they stood in other arguments', tool(), call('a', approved('a', { reads: ['/other'] }))],
    [
      'two arguments were one with a comma',
      tool(true, ['/path', '/b']),
      call('a', approved('a', { reads: ['/path,/b'] })),
    ],
    ['fewer arguments are named', tool(), call('a', approved('a', { reads: ['/path', '/b'] }))],
    ['more arguments are named', tool(true, ['/path', '/b']), call('a', approved('a'))],
    ['they were written then', tool(), call('a', approved('a', { writes: ['/path'] }))],
    ['they were approved without a verdict', tool(), call('a')],
    ['the tool names none any more', tool(false), call('a', approved('a'))],
  ])('T52: differ if %s', (_what, version, invocation) => {
    expect(pathsAsApproved(version, invocation, false)).toBe(false);
  });
});
