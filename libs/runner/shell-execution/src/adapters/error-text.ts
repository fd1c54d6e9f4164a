import { getSystemErrorMap } from 'node:util';
import { errorCode } from '#lib/kernel';

/** The text of an error of the system, as `strerror` says it. */
export function errorText(error: unknown): string {
  // The text of libuv differs from the system's.
  if (errorCode(error) === 'EISDIR') return 'Is a directory';
  const errno = error instanceof Error && 'errno' in error ? error.errno : undefined;
  const said = typeof errno === 'number' ? getSystemErrorMap().get(errno)?.[1] : undefined;
  if (said === undefined) return error instanceof Error ? error.message : 'unknown problem';
  return said.charAt(0).toUpperCase() + said.slice(1);
}
