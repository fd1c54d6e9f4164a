import { existsSync } from 'node:fs';
import type { HiddenHomes } from './hidden-homes.js';

/**
 * How programs are kept in. `hidden` are real paths of folders that no program may read: the folder of the runner's key. `hiddenFiles`
 * are real paths of such files, which may be gone by now: the one-time token. `open` runs programs without a sandbox, a risk that the operator accepted; `missing` runs none. `reason` says why there is no sandbox.
 */
export type Sandbox =
  | ({ readonly kind: 'bubblewrap'; readonly path: string } & HiddenPaths & HiddenHomes)
  | ({ readonly kind: 'open'; readonly reason: string } & HiddenPaths)
  | { readonly kind: 'missing'; readonly reason: string };

interface HiddenPaths {
  readonly hidden: readonly string[];
  readonly hiddenFiles: readonly string[];
}

/** The operator's choice; `where_possible` and `off` accept that programs run without a sandbox. */
export type SandboxChoice = 'required' | 'where_possible' | 'off';

/** The view that a program in the sandbox has. */
export interface SandboxView extends HiddenHomes {
  /** Absolute paths that are writable. All else is read-only. */
  readonly writable: readonly string[];
  /** Absolute paths of folders that stay visible, and read-only, where a home or /tmp around them is empty. */
  readonly visible: readonly string[];
  /** Absolute paths of folders that are empty in the sandbox. */
  readonly hidden: readonly string[];
  /** Absolute paths of files that nothing in the sandbox reads. */
  readonly hiddenFiles: readonly string[];
  readonly folder: string;
  readonly network: boolean;
}

/**
 * The arguments of bubblewrap for one program. It gets a read-only root, an empty /tmp, process and IPC namespaces of
 * its own, and no capability. Without a network /run is empty, too, since sockets there lead to services such as
 * Docker. Homes are empty but for programs. The program ends with the runner.
 */
export function sandboxArguments(
  { writable, visible, hidden, hiddenFiles, homes, kept, folder, network }: SandboxView,
  program: readonly string[],
): string[] {
  return [
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--die-with-parent'],
    ...['--cap-drop', 'ALL'],
    ...(network ? [] : ['--unshare-net']),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...(network ? [] : ['--tmpfs', '/run']),
    // Later arguments win: the runner's own folder stays empty, also below a kept one.
    ...homes.flatMap((path) => ['--tmpfs', path]),
    ...kept.flatMap((path) => ['--ro-bind', path, path]),
    ...hidden.flatMap((path) => ['--tmpfs', path]),
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...visible.flatMap((path) => ['--ro-bind', path, path]),
    // bubblewrap cannot cover a file that is gone: it would have to make one on the read-only root.
    ...hiddenFiles.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', '/dev/null', path]),
    ...['--chdir', folder, '--', ...program],
  ];
}

/** The message of a refusal, with the two ways out. */
export const withoutSandbox = (reason: string, refused: string): string =>
  `This runner executes no ${refused}: ${reason}. Install bubblewrap, or accept the risk with COUNTERSIGN_RUNNER_SANDBOX=where_possible.`;
