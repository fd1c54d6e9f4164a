import type { IncomingMessage } from 'node:http';
import { FailureError } from '#lib/kernel';

/** A proxy on the way may have read the second one, and Node reads the first (RFC 9112 section 3.2). */
const SINGLE = ['host', 'authorization', 'content-type'] as const;

/** @throws {FailureError} `request.header_twice`. */
export function refuseHeaderTwice({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void {
  const names = rawHeaders.filter((_text, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const twice = SINGLE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice === undefined) return;
  throw new FailureError({
    kind: 'invalid',
    code: 'request.header_twice',
    message: `The header ${twice} stands twice in the request.`,
    action: 'Send it once.',
  });
}
