import { getSystemErrorMap } from 'node:util';

/** The text of an error of the system, as `strerror` says it. */
export function errorText(error: unknown): string {
  const { code, errno } = error as NodeJS.ErrnoException;
  // The text of libuv differs from the system's.
  if (code === 'EISDIR') return 'Is a directory';
  const said = errno === undefined ? undefined : getSystemErrorMap().get(errno)?.[1];
  if (said === undefined) return error instanceof Error ? error.message : 'unknown problem';
  return said.charAt(0).toUpperCase() + said.slice(1);
}

export const errorCode = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';
