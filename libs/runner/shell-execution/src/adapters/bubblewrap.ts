import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './find-program.js';

/** How the programs of a line are kept in. `reason` says why there is no sandbox. */
export type Sandbox =
  { readonly kind: 'bubblewrap'; readonly path: string } | { readonly kind: 'none'; readonly reason: string };

/** The view that a program in the sandbox has. */
export interface SandboxView {
  /** Absolute paths that are writable. All else is read-only. */
  readonly writable: readonly string[];
  readonly folder: string;
  readonly network: boolean;
}

/**
 * The arguments of bubblewrap for one program: a read-only root, an empty /tmp, process and IPC namespaces of its own, no capability,
 * and without a network an empty /run too, since sockets there lead to services such as Docker. It ends with the runner.
 */
export function sandboxArguments({ writable, folder, network }: SandboxView, program: readonly string[]): string[] {
  return [
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--die-with-parent'],
    ...['--cap-drop', 'ALL'],
    ...(network ? [] : ['--unshare-net']),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...(network ? [] : ['--tmpfs', '/run']),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...['--chdir', folder, '--', ...program],
  ];
}

/** Looks for bubblewrap, and tries it once: a container or a kernel setting may forbid its namespaces. */
export async function findSandbox(folders: readonly string[]): Promise<Sandbox> {
  let path: string;
  try {
    ({ path } = findProgram('bwrap', folders, '/nonexistent', '/'));
  } catch {
    return { kind: 'none', reason: 'bubblewrap is not installed' };
  }
  try {
    const view = { writable: [], folder: '/', network: false };
    await promisify(execFile)(path, sandboxArguments(view, ['true']), {
      env: { PATH: folders.join(':') },
      timeout: 5_000,
    });
    return { kind: 'bubblewrap', path };
  } catch (error) {
    const said = (error as { stderr?: string }).stderr?.trim().split('\n')[0] ?? '';
    return { kind: 'none', reason: `bubblewrap does not work on this machine: ${said}` };
  }
}
