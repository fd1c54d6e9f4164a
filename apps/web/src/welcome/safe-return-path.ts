const HERE = 'https://countersign.invalid';

/** A path of this site, or the first page: never an address of another. */
export function safeReturnPath(wanted: string | null): string {
  if (wanted?.startsWith('/') !== true || !URL.canParse(wanted, HERE)) return '/';
  const { origin, pathname, search } = new URL(wanted, HERE);
  // Two slashes at the beginning name another host wherever the path is resolved again.
  return origin === HERE && !pathname.startsWith('//') ? pathname + search : '/';
}
