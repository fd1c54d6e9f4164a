import { isCodePath, isSecretPath, type ShellClass } from '#lib/shell-safety';
import { namesBelowRoot, said } from './workspace-path.js';

/** The facts of one call that its name does not tell, from its arguments alone: for the policy, and for the prompt. */
export interface CallDescription {
  /** `UNKNOWN` for a file that is code for another program (T52), and for one that may hold secrets. */
  readonly class: ShellClass;
  /** ADR-007: 1 for an ordinary read, 2 for all that a person is asked about. */
  readonly tier: 1 | 2;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
}

/** Describes a read of these paths. */
export function describeRead(paths: readonly string[]): CallDescription {
  const secret = pathsOf(paths).filter(isSecretPath);
  if (secret.length === 0) return { class: 'READ_ONLY', tier: 1, reasons: [] };
  return {
    class: 'READ_ONLY',
    tier: 2,
    reasons: secret.map((path) => reason('workspace.reads_secret', `${said(path)} may hold secrets.`)),
  };
}

/** Describes a write of these paths, a move of folders included: the new place of a folder counts with all that can be below it. */
export function describeWrite(paths: readonly string[]): CallDescription {
  const code = pathsOf(paths).filter((path) =>
    [path, `${path}/any`].some((each) => isCodePath(each) || isSecretPath(each)),
  );
  if (code.length === 0) {
    return {
      class: 'WRITE',
      tier: 2,
      reasons: paths.map((path) => reason('workspace.writes_file', `The call writes ${said(path)}.`)),
    };
  }
  return {
    class: 'UNKNOWN',
    tier: 2,
    reasons: code.map((path) =>
      reason('workspace.writes_code', `Another program executes, obeys or trusts ${said(path)}.`),
    ),
  };
}

/** Describes a call of which the tool alone tells the class. */
export const describeAs = (callClass: ShellClass, tier: 1 | 2, code: string, message: string): CallDescription => ({
  class: callClass,
  tier,
  reasons: [reason(code, message)],
});

/** Each path by its names alone: `./a//b` is `a/b`. A path that every tool refuses stays as it is. */
const pathsOf = (paths: readonly string[]): string[] =>
  paths.map((path) => {
    try {
      return namesBelowRoot(path).join('/');
    } catch {
      return path;
    }
  });

const reason = (code: string, message: string) => ({ code, message });
