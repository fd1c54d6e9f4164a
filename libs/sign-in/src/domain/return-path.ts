const ELSEWHERE = /^\/[/\\]/;
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const ODD = /[\u0000-\u0020\u007f\\]/;

/** A path of our own to go to after a sign-in; the first page for anything else, so that nobody is led elsewhere. */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > 2_000) return '/';
  if (!wanted.startsWith('/') || ELSEWHERE.test(wanted) || ODD.test(wanted)) return '/';
  return wanted;
}
