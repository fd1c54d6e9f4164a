import { fakeCall } from '../fake-shell-call.js';
import { authorizeCall } from './authorize-call.js';
import type { ShellAuthority, ShellCall } from './shell-call.js';
import { Stop } from './stop.js';

const authorized = (line: string, authority: Partial<ShellAuthority> = {}) => {
  const [call, context] = fakeCall(line, '/', { authority });
  return authorizeCall(call, context.authority);
};

const stopOf = (
  line: string,
  authority: Partial<ShellAuthority> = {},
  change: Partial<ShellCall> = {},
): Stop | null => {
  const [call, context] = fakeCall(line, '/', { authority });
  try {
    authorizeCall({ ...call, ...change }, context.authority);
    return null;
  } catch (error) {
    if (error instanceof Stop) return error;
    throw error;
  }
};

const refused = (...call: Parameters<typeof stopOf>): string => stopOf(...call)?.code ?? 'authorized';

const treeOf = (line: string): unknown => fakeCall(line, '/')[0].tree;

describe('the authority of a call, judged by the runner', () => {
  it('covers exactly the tree that was approved', () => {
    expect(authorized('ls -l').tree).toEqual(treeOf('ls -l'));
  });

  it('never covers a line that cannot be executed, and gives the next action if there is one', () => {
    expect(stopOf('ls', {}, { command: 'while true; do ls; done' })).toMatchObject({
      code: 'shell.not_executable',
      message:
        'A runner does not execute a while or until loop. Write single commands, joined by |, &&, || or ;, or put them into a file.',
    });
    expect(stopOf('ls', {}, { command: 'echo "' })).toMatchObject({
      code: 'shell.unparsable',
      message: 'The line is no valid command: unterminated double quote. Correct the line at this place.',
    });
  });

  it('never covers Tier 3, whatever was allowed', () => {
    expect(refused('sudo true')).toBe('shell.tier_3');
    expect(refused('touch made; sudo true')).toBe('shell.tier_3');
  });

  it('covers Tier 2 only if Tier 2 was allowed', () => {
    expect(refused('touch made', { tier: 2 })).toBe('authorized');
    expect(refused('touch made', { tier: 1 })).toBe('shell.tier_not_approved');
    expect(refused('ls', { tier: 1 })).toBe('authorized');
  });

  it.each<[string, Partial<ShellAuthority>, Partial<ShellCall>]>([
    ['the grant names another tree', { treeDigest: `sha256:${'0'.repeat(64)}` }, {}],
    ['another tree was dispatched', {}, { tree: treeOf('touch other') }],
    ['no tree was dispatched', {}, { tree: null }],
    ['something else than a tree was dispatched', {}, { tree: { version: 1, list: 'touch made' } }],
    ['the line is another one', {}, { command: 'touch other' }],
    ['the line and its tree are others than the grant names', {}, { command: 'ls', tree: treeOf('ls') }],
  ])('T53: does not cover a call if %s', (_title, authority, change) => {
    expect(refused('touch made', authority, change)).toBe('shell.tree_differs');
  });

  it('covers a command substitution only if it was allowed', () => {
    for (const line of ['echo $(pwd)', 'cat <<E\n$(touch made)\nE', 'cat < "`touch made`"'])
      expect(refused(line, { commandSubstitution: false })).toBe('shell.substitution_not_approved');
    expect(refused('echo $(pwd)', { commandSubstitution: true })).toBe('authorized');
    expect(refused('echo here', { commandSubstitution: false })).toBe('authorized');
  });

  it.each([
    ['git status', true],
    ['/usr/bin/git status', true],
    ['ls && git log', true],
    ['echo git', false],
    ['cat .git/config', false],
  ])('has the repository of `%s` checked: %s', (line, checks) => {
    expect(authorized(line, { repositoryPrograms: false }).checksRepository).toBe(checks);
    expect(authorized(line, { repositoryPrograms: true }).checksRepository).toBe(false);
  });

  it('gives a network only to a line that may need one', () => {
    expect(authorized('ls').network).toBe(false);
    expect(authorized('curl https://example.com').network).toBe(true);
  });

  it.each([true, false])('keeps whether the line was allowed as a read alone: %s', (onlyReads) => {
    expect(authorized('ls', { onlyReads }).onlyReads).toBe(onlyReads);
  });
});
