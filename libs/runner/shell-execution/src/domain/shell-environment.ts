import type { TreeVariable } from '#lib/shell-safety';
import { GIT_VARIABLES } from './git-settings.js';

/** The environment of a program, which the runner chooses. Nothing of the runner's own environment is in it. */
export interface EnvironmentSource {
  readonly programFolders: readonly string[];
  /** Variables that the operator of the runner adds, such as KUBECONFIG. */
  readonly added: Readonly<Record<string, string>>;
  /** An empty folder of this call, so that no configuration of a user is read. */
  readonly home: string;
  readonly temporary: string;
}

/**
 * Variables that keep programs from reading configuration files, from asking, and from starting a pager or an editor (T51).
 * Not listed, hence unset: RIPGREP_CONFIG_PATH, LESSOPEN, LESS, BASH_ENV, ENV, GREP_OPTIONS, NODE_OPTIONS, PYTHONSTARTUP, LD_*.
 */
const FIXED: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  LESSSECURE: '1',
  EDITOR: 'false',
  VISUAL: 'false',
  SSH_ASKPASS: 'false',
  ...GIT_VARIABLES,
};

/** Variables that choose which code runs, or how a shell reads. No operator adds them. */
const FORBIDDEN = /^(?:PATH|PWD|IFS|ENV|BASH_.*|SHELLOPTS|BASHOPTS|LD_.*|NODE_OPTIONS|PYTHONSTARTUP|PERL5OPT|RUBYOPT)$/;

/** The name of an added variable that is refused, or null. */
export const forbiddenVariable = (added: Readonly<Record<string, string>>): string | null =>
  Object.keys(added).find(
    (name) => !/^[A-Za-z_]\w*$/.test(name) || FORBIDDEN.test(name) || Object.hasOwn(FIXED, name),
  ) ?? null;

/** The environment of a program, without PWD. */
export function environmentOf({ programFolders, added, home, temporary }: EnvironmentSource): Record<string, string> {
  return {
    USER: 'runner',
    LOGNAME: 'runner',
    LANG: 'C.UTF-8',
    HOME: home,
    ...added,
    ...FIXED,
    PATH: programFolders.join(':'),
    TMPDIR: temporary,
  };
}

/** The value of a variable in a word. An unset one is empty, as in bash. */
export function variableValue(
  name: TreeVariable,
  environment: Readonly<Record<string, string>>,
  state: { readonly folder: string; readonly status: number },
): string {
  if (name === '?') return String(state.status);
  return name === 'PWD' ? state.folder : (environment[name] ?? '');
}
