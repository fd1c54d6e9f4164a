import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { GrantClaims, GrantedLine } from '#lib/formats';
import { createTreeExecutor, type ExecuteTree } from '#lib/shell-execution';
import { classifyCommand, executableTree, treeDigest } from '#lib/shell-safety';
import { Snapshots, Turns } from '#lib/workspace';
import { terminalRun } from './terminal-run.js';

const base = mkdtempSync('/var/tmp/countersign-terminal-');
const [root, store] = [join(base, 'root'), join(base, 'snapshots')];
beforeEach(() => {
  for (const folder of [root, store]) rmSync(folder, { recursive: true, force: true });
  for (const folder of [root, store]) mkdirSync(folder, { mode: 0o700 });
});
afterAll(() => {
  rmSync(base, { recursive: true });
});

/** The line as the plane judges and grants it. */
function granted(command: string): GrantedLine {
  const [tree, { tier }] = [executableTree(command, 'bash'), classifyCommand(command, 'bash')];
  if (!tree.ok || tier === 3) throw new Error(`${command} is denied`);
  return { shell: 'bash', tier, tree: treeDigest(tree.value) };
}

interface Options {
  readonly basis?: GrantClaims['basis'];
  readonly source?: GrantClaims['source']['type'];
  readonly turns?: Turns;
  readonly signal?: AbortSignal;
  readonly execute?: ExecuteTree;
}

const OPEN = { kind: 'open', reason: 'a test', hidden: [], hiddenFiles: [] } as const;
const executeForReal = createTreeExecutor({ programFolders: ['/usr/bin', '/bin'], environment: {}, sandbox: OPEN });

const called = (
  command: string,
  shell: GrantedLine | null,
  { basis = 'approval', source = 'tool_call', turns = new Turns(), signal, execute = executeForReal }: Options = {},
) => {
  return terminalRun({ root, snapshots: new Snapshots(store), turns, execute }).call(
    { command },
    {
      claims: { basis, shell, source: { type: source, id: 'one' } } as GrantClaims,
      signal: signal ?? new AbortController().signal,
      output: () => undefined,
      secretsToMask: ['hunter22'],
    },
  );
};

describe('a line that only reads', () => {
  it.each<[string, string, GrantClaims['basis'], boolean]>([
    ['a read that nobody approved', 'ls', 'policy', true],
    ['a read that a person approved', 'ls', 'approval', false],
    ['a change that nobody approved', 'touch a', 'policy', false],
  ])('has a workspace without secrets, and read-only: %s (T51)', async (_, command, basis, onlyReads) => {
    const given: boolean[] = [];
    const execute: ExecuteTree = (_call, { authority }) => {
      given.push(authority.onlyReads);
      return Promise.resolve({ ok: true, result: {} });
    };
    await called(command, granted(command), { basis, execute });
    expect(given).toEqual([onlyReads]);
  });
});

describe('T53: a command line on a runner', () => {
  it('is executed if its tree is the granted one, after a snapshot', async () => {
    const outcome = await called('touch made', granted('touch made'));
    expect(outcome).toMatchObject({
      ok: true,
      result: {
        exit_status: 0,
        tree_digest: granted('touch made').tree,
        snapshot: expect.any(String),
      },
    });
    expect(readdirSync(root)).toEqual(['made']);
  });

  it('may be milder than its grant', async () => {
    expect(await called('ls', { ...granted('ls'), tier: 2 })).toMatchObject({ ok: true });
  });

  it.each<[string, string, GrantedLine | null, string, string]>([
    ['whose grant names no tree', 'touch made', null, 'runner.grant_without_tree', 'catalog'],
    ['of another tree', 'touch made', granted('touch other'), 'shell.tree_differs', 'Bring the runner to the version'],
    [
      'that is worse here than its grant',
      'touch made',
      { ...granted('touch made'), tier: 1 },
      'shell.tier_not_approved',
      'Ask',
    ],
    [
      'that was judged for another shell',
      'touch made',
      { ...granted('touch made'), shell: 'sh' },
      'runner.other_shell',
      'sh',
    ],
    ['that is Tier 3 here', 'sudo touch made', granted('touch made'), 'shell.tier_3', 'no approval'],
  ])('%s starts nothing, and takes no snapshot', async (_what, command, shell, code, words) => {
    const message = expect.stringContaining(words) as string;
    expect(await called(command, shell)).toEqual({ ok: false, effect: 'not_started', error: { code, message } });
    expect(readdirSync(root)).toEqual([]);
    expect(readdirSync(store)).toEqual([]);
  });

  it('substitutes commands only if people approved the call as it stands', async () => {
    const command = 'echo $(ls)';
    expect(await called(command, granted(command), { basis: 'policy' })).toMatchObject({
      effect: 'not_started',
      error: { code: 'shell.substitution_not_approved' },
    });
    expect(await called(command, granted(command))).toMatchObject({ ok: true });
  });

  it('runs programs of the repository only if a person approved it, or as Tier 2 (T51)', async () => {
    spawnSync('git', ['-C', root, 'init', '-q']);
    spawnSync('git', ['-C', root, 'config', 'filter.a.clean', 'cat']);
    const command = 'git status';
    expect(granted(command).tier).toBe(1);
    expect(await called(command, granted(command), { basis: 'policy' })).toMatchObject({
      effect: 'not_started',
      error: { code: 'shell.repository_programs' },
    });
    expect(await called(command, granted(command))).toMatchObject({ ok: true });
    expect(await called(command, { ...granted(command), tier: 2 }, { basis: 'policy' })).toMatchObject({ ok: true });
    mkdirSync(join(root, 'sub'));
    const elsewhere = 'cd sub && git status';
    expect(granted(elsewhere).tier).toBe(2);
    expect(await called(elsewhere, granted(elsewhere), { basis: 'policy' })).toMatchObject({
      error: { code: 'shell.repository_programs' },
    });
    expect(await called(elsewhere, granted(elsewhere))).toMatchObject({ ok: true });
  });
});

describe('a command line that exits with another status than 0', () => {
  const command = 'cat missing';

  it('is a result for the agent of a session', async () => {
    expect(await called(command, granted(command))).toMatchObject({ ok: true, result: { exit_status: 1 } });
  });

  it.each(['run', 'simulation'] as const)('is a failure of the step of a %s, which took effect', async (source) => {
    expect(await called(command, granted(command), { source })).toEqual({
      ok: false,
      effect: 'done',
      error: {
        code: 'shell.exit_status',
        message: expect.stringMatching(/^The line ended with the exit status 1: .*missing: No such file or directory$/),
      },
    });
  });
});

/** Turns of which another change holds the first. */
function held(): { readonly turns: Turns; readonly release: () => Promise<void> } {
  const turns = new Turns();
  const over = new AbortController();
  const change = turns.take(
    root,
    new AbortController().signal,
    () =>
      new Promise<void>((resolve) => {
        over.signal.addEventListener('abort', () => {
          resolve();
        });
      }),
  );
  return {
    turns,
    release: async () => {
      over.abort();
      await change;
    },
  };
}

describe('a command line beside other changes of the workspace', () => {
  it('waits for its turn if it may write, and reads at once', async () => {
    const { turns, release } = held();
    const line = called('touch made', granted('touch made'), { turns });
    expect(await called('ls', granted('ls'), { turns })).toMatchObject({ ok: true, result: { stdout: '' } });
    await release();
    expect(await line).toMatchObject({ ok: true });
    expect(readdirSync(root)).toEqual(['made']);
  });

  it('does nothing if its time is over before its turn comes', async () => {
    const { turns, release } = held();
    const limit = new AbortController();
    const line = called('touch made', granted('touch made'), { turns, signal: limit.signal });
    limit.abort();
    expect(await line).toMatchObject({ ok: false, effect: 'not_started', error: { code: 'workspace.no_turn' } });
    await release();
    expect(readdirSync(root)).toEqual([]);
  });
});
