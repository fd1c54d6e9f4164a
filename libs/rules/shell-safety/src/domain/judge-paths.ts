import type { ShellClass } from './verdict.js';
import { reachesCode, reachesSecrets } from './paths.js';

/** The paths that one call names, as its arguments have them. */
export interface NamedPaths {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** The verdict on the paths of a call. `code` of a reason is stable (`paths.writes_code`); `message` is a sentence for a person. */
export interface PathVerdict {
  /** ADR-007: 1 only reads, and no secret; 2 for the rest. No path is denied by itself. */
  readonly tier: 1 | 2;
  /** `UNKNOWN` if more may happen than the tool says: code is written, a secret is copied, or the path is unclear. */
  readonly class: Extract<ShellClass, 'READ_ONLY' | 'WRITE' | 'UNKNOWN'>;
  /** The reasons why it is graver than an ordinary read or write, at most {@link MAX_REASONS}. Empty if it is none. */
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
}

const MAX_REASONS = 20;
const MAX_SAID = 200;
/** No file has a longer path, in UTF-16 units. */
const MAX_PATH = 4_096;

/**
 * Judges paths of a workspace by their names alone (T52): nothing is opened or looked up. A path counts as every file
 * system of a tool could read it. Case, invisible characters, blanks and dots behind a name, and a stream of NTFS make
 * no difference.
 *
 * A folder counts with all that can be below it. A move makes its new name the name of everything in it.
 */
export function judgePaths({ reads, writes }: NamedPaths): PathVerdict {
  const unclear = [...reads, ...writes].filter((path) => namesOf(path) === null);
  const secret = reads.filter((path) => touches(path, reachesSecrets));
  const code = writes.filter(isNoOrdinaryWrite);
  const reasons = [
    ...unclear.map((path) => reason('paths.unclear', `${said(path)} may name a file outside the workspace.`)),
    ...code.map((path) => reason('paths.writes_code', `Another program executes, obeys or trusts ${said(path)}.`)),
    ...secret.map((path) => reason('paths.reads_secret', `${said(path)} may hold secrets.`)),
  ].slice(0, MAX_REASONS);
  const copied = secret.length > 0 && writes.length > 0;
  if (unclear.length > 0 || code.length > 0 || copied) return { tier: 2, class: 'UNKNOWN', reasons };
  if (writes.length > 0) return { tier: 2, class: 'WRITE', reasons };
  return { tier: secret.length > 0 ? 2 : 1, class: 'READ_ONLY', reasons };
}

/** The workspace as a whole holds its own code. */
const isNoOrdinaryWrite = (path: string): boolean =>
  namesOf(path)?.length === 0 || touches(path, reachesCode) || touches(path, reachesSecrets);

/** True of the path as it is written, or as the most generous file system reads it. */
function touches(path: string, reaches: (path: string) => boolean): boolean {
  const names = namesOf(path) ?? [];
  return [names, names.map(folded)].some((each) => reaches(each.join('/')));
}

/** A name that stands for another one on DOS file systems: `GIT~1`. */
const SHORT_NAME = /~\d/;
const SEPARATES_ELSEWHERE = /[\\\p{Cc}]/u;

/** The names on the way to a file. Null for a path that may leave the workspace, or that file systems divide in different ways. */
function namesOf(path: string): readonly string[] | null {
  if (path === '' || path.length > MAX_PATH || path.startsWith('/') || path.startsWith('~') || !path.isWellFormed())
    return null;
  if (SEPARATES_ELSEWHERE.test(path) || SHORT_NAME.test(path)) return null;
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names.some((name) => folded(name) === '') ? null : names;
}

/** A name as the most generous file system reads it. */
const folded = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*$/, '')
    .replace(/^\s+|[\s.]+$/g, '');

const reason = (code: string, message: string) => ({ code, message });

const said = (path: string): string => JSON.stringify(path.length > MAX_SAID ? `${path.slice(0, MAX_SAID)}…` : path);
