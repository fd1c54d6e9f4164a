/** A path of this site, or the first page: never an address of another. */
export function safeReturnPath(wanted: string | null): string {
  if (!wanted?.startsWith('/')) return '/';
  const base = 'https://countersign.invalid';
  const url = URL.parse(wanted, base);
  return url?.origin === base ? `${url.pathname}${url.search}` : '/';
}
