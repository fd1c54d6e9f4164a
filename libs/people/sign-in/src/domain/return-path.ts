/** The path is part of the `state` that is sent to the issuer, and issuers refuse long addresses. */
const MAX_CHARACTERS = 1_000;
const ELSEWHERE = /^\/[/\\]/;
// oxlint-disable-next-line no-control-regex -- it looks for control characters
const ODD = /[\u0000-\u0020\u007f\\]/;

/** A path of our own to go to after a sign-in. The first page for anything else, so that no link leads elsewhere. */
export function returnPath(wanted: string | undefined): string {
  if (wanted === undefined || wanted.length > MAX_CHARACTERS) return '/';
  if (!wanted.startsWith('/') || ELSEWHERE.test(wanted) || ODD.test(wanted)) return '/';
  return wanted;
}
