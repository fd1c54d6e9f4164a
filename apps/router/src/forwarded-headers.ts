import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/** Headers of one connection alone (RFC 9110 section 7.6.1), and of proxies on the way. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
]);
/** Only the router says these. */
const OF_THE_ROUTER = /^(?:forwarded|x-forwarded-.*|x-real-ip)$/;
/** A second one would let the cell read another value than the router did. */
const SINGLE = ['host', 'authorization', 'content-length', 'content-type', 'countersign-runner-proof', 'x-request-id'];

/** The name of a header that must stand once and stands twice; null without one. */
export const sentTwice = (distinct: Readonly<Record<string, readonly string[] | undefined>>): string | null =>
  SINGLE.find((name) => (distinct[name]?.length ?? 0) > 1) ?? null;

/**
 * The headers that a cell gets.
 *
 * @param client the address of the caller, after those that a trusted proxy told.
 */
export function towardsCell(
  headers: IncomingHttpHeaders,
  {
    forwardedFor,
    secure,
    requestId,
  }: { readonly forwardedFor: string; readonly secure: boolean; readonly requestId: string },
): Record<string, string | string[]> {
  return {
    ...endToEnd(headers, (name) => !OF_THE_ROUTER.test(name)),
    'x-forwarded-for': forwardedFor,
    'x-forwarded-proto': secure ? 'https' : 'http',
    'x-request-id': requestId,
  };
}

/** The headers that the caller gets. */
export const towardsCaller = (headers: IncomingHttpHeaders): OutgoingHttpHeaders => endToEnd(headers, () => true);

function endToEnd(headers: IncomingHttpHeaders, keep: (name: string) => boolean): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.has(name) && keep(name)) kept[name] = value;
  }
  return kept;
}
