/** Whether the file system refused with this code (`ENOENT`, `EEXIST`). Its errors may come from another realm, so no instanceof. */
export function isFileError(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
