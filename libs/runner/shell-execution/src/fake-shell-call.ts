import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executableTree, treeDigest } from '#lib/shell-safety';
import type { Sandbox } from '#lib/workspace';
import { DEFAULT_SHELL_LIMITS, type ShellLimits } from './domain/limits.js';
import type { ShellAuthority, ShellCall, ShellContext } from './domain/shell-call.js';

/** Folders of programs that this machine has. */
export const PROGRAM_FOLDERS = ['/usr/bin', '/bin'] as const;

/** Programs run as on a machine whose operator turned the sandbox off. */
export const NO_SANDBOX: Sandbox = { kind: 'open', reason: 'a test', hidden: [], hiddenFiles: [] };

/** Workspaces of a test file. */
export class FakeWorkspaces {
  readonly #folders: string[] = [];

  create(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'workspace-')));
    this.#folders.push(folder);
    return folder;
  }

  remove(): void {
    for (const folder of this.#folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

/** A call that was approved whole, and its context. */
export function fakeCall(
  command: string,
  root: string,
  changes: {
    readonly authority?: Partial<ShellAuthority>;
    readonly limits?: Partial<ShellLimits>;
    readonly secretsToMask?: readonly string[];
    readonly signal?: AbortSignal;
    readonly output?: ShellContext['output'];
  } = {},
): readonly [ShellCall, ShellContext] {
  const made = executableTree(command, 'bash');
  if (!made.ok) throw new Error(`${command}: ${made.error.message}`);
  const authority = {
    treeDigest: treeDigest(made.value),
    tier: 2,
    commandSubstitution: true,
    repositoryPrograms: true,
    onlyReads: false,
    ...changes.authority,
  } as const;
  return [
    { command, shell: 'bash', tree: made.value },
    {
      authority,
      root,
      signal: changes.signal ?? new AbortController().signal,
      output: changes.output ?? (() => undefined),
      limits: { ...DEFAULT_SHELL_LIMITS, ...changes.limits },
      secretsToMask: changes.secretsToMask ?? [],
    },
  ];
}
