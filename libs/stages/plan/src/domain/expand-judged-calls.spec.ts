import type { PlanDocument, PlanStep } from '#lib/formats';
import { executableTree, treeDigest } from '#lib/shell-safety';
import { expandPlan } from './expand-plan.js';
import { check, context, onlyCall, plan, refused } from './fake-expansion.js';

describe('a command line', () => {
  const shell = (line: string, more: Partial<PlanStep> = {}): PlanDocument =>
    plan({ steps: [{ id: 'a', tool: 'shell', arguments: { line }, ...more }] });
  const undoneBy = (line: string) => ({ compensate_with: { tool: 'shell', arguments: { line } } });
  const invocationOf = (line: string, production?: boolean) => onlyCall(shell(line), production);

  it('stands in the plan with its verdict and the digest of its tree', () => {
    const tree = executableTree('ls > list', 'bash');
    if (!tree.ok) throw new Error('ls > list cannot be executed');
    expect(invocationOf('ls > list')).toMatchObject({
      targets: ['environment:production'],
      shell: {
        argument: '/line',
        shell: 'bash',
        tier: 2,
        class: 'WRITE',
        risk: 'state_change_prod',
        tree: treeDigest(tree.value),
      },
    });
    expect(invocationOf('ls > list', false)?.shell?.risk).toBe('state_change_nonprod');
  });

  it('that only reads is read_only in production, and touches nothing', () => {
    expect(invocationOf('git status')).toMatchObject({ targets: [], shell: { tier: 1, risk: 'read_only' } });
  });

  it('names no target, also if it is the name of the environment as a whole', () => {
    expect(invocationOf('environment:production')?.targets).toEqual(['environment:production']);
  });

  it('of Tier 3 is refused with its reasons and the way out', () => {
    expect(refused(shell('ls; sudo ls'))).toEqual([
      {
        code: 'shell.denied',
        pointer: '/phases/0/steps/0/arguments/line',
        message: expect.stringMatching(/^The command line is Tier 3, which is always denied: .*sudo/) as string,
        suggestion: 'Leave these parts of the line out: no approval lifts them.',
      },
    ]);
    expect(refused(shell('ls > list', undoneBy('sudo rm list')))).toMatchObject([
      { code: 'shell.denied', pointer: '/phases/0/steps/0/compensate_with/arguments/line' },
    ]);
  });

  it('of Tier 3 is refused also if it escalates nothing, with the reasons of its denied parts alone', () => {
    const [error] = refused(shell('touch made; rm -rf /'));
    expect(error?.code).toBe('shell.denied');
    const [denied] = refused(shell('rm -rf /'));
    expect(denied?.message).toContain('always denied: rm deletes files.');
    expect(error?.message).toBe(denied?.message);
  });

  it('of Tier 3 is refused with five reasons at most', () => {
    const [error] = refused(shell('sudo a; su; doas b; chroot c; pkexec d; visudo'));
    expect(error?.message).toMatch(/ pkexec executes as another user or with other rights\.$/);
  });

  it('that no runner executes is refused before anybody is asked', () => {
    expect(refused(shell('for file in a b; do touch "$file"; done'))).toMatchObject([
      {
        code: 'shell.not_executable',
        pointer: '/phases/0/steps/0/arguments/line',
        suggestion: expect.stringContaining('single commands') as string,
      },
    ]);
  });

  it('T53: is no health check, also if it only reads', () => {
    expect(refused(plan({ health_checks: [{ ...check, tool: 'shell', arguments: { line: 'ls' } }] }))).toMatchObject([
      { code: 'plan.health_check_not_read_only', pointer: '/phases/0/health_checks/0/tool' },
    ]);
  });

  it('that only reads undoes nothing', () => {
    expect(refused(shell('touch list', undoneBy('ls')))).toMatchObject([
      { code: 'plan.compensation_read_only', pointer: '/phases/0/steps/0/compensate_with/arguments/line' },
    ]);
    expect(expandPlan(shell('touch list', undoneBy('rm list')), context()).ok).toBe(true);
  });
});

describe('a call on paths', () => {
  const callOf = (name: string, path: string, production: boolean) => {
    const targets = name === 'write-file' ? { targets: [path] } : {};
    return onlyCall(plan({ ...targets, steps: [{ id: 'a', tool: name, arguments: { path } }] }), production);
  };

  it('holds their verdict, and the risk that they make (T52)', () => {
    expect(callOf('write-file', 'app/package.json', false)?.paths).toEqual({
      ...{ reads: [], writes: ['/path'] },
      ...{ tier: 2, class: 'UNKNOWN', risk: 'state_change_nonprod' },
    });
    expect(callOf('write-file', 'a.txt', false)?.paths).toMatchObject({ tier: 2, class: 'WRITE' });
    // A nonprod tool stays one.
    expect(callOf('write-file', 'app/package.json', true)?.paths?.risk).toBe('state_change_nonprod');
  });

  it('that reads a secret has the risk of a change, and touches no target', () => {
    expect(callOf('read-file', '.env', true)).toMatchObject({
      targets: [],
      paths: { tier: 2, class: 'READ_ONLY', risk: 'state_change_prod' },
    });
    expect(callOf('read-file', 'a.txt', true)).toMatchObject({ targets: [], paths: { tier: 1, risk: 'read_only' } });
    expect(callOf('read-file', 'a.txt', true)?.paths).toMatchObject({ reads: ['/path'], writes: [] });
  });

  it('is no health check if it reads a secret: no person is asked about a check', () => {
    const checked = (path: string): PlanDocument =>
      plan({ health_checks: [{ name: 'web', tool: 'read-file', arguments: { path } }] });
    expect(refused(checked('.env'))).toMatchObject([
      { code: 'plan.health_check_not_read_only', pointer: '/phases/0/health_checks/0/arguments' },
    ]);
    expect(expandPlan(checked('a.txt'), context()).ok).toBe(true);
  });
});
