import { isIP, isIPv4, isIPv6 } from 'node:net';

/** `[2001:db8::7]:443`, also without the port. */
const IN_BRACKETS = /^\[([^\]]+)\](?::\d{1,5})?$/;
const WITH_PORT = /^([\d.]+):\d{1,5}$/;

/**
 * The address in one entry of X-Forwarded-For; null if there is none. Some proxies write the port of the connection
 * behind it, as RFC 7239 section 6 does. With the port, each connection of a client would count as another address.
 */
export function forwardedAddress(entry: string): string | null {
  const text = entry.trim();
  if (isIP(text) !== 0) return text;
  const bracketed = IN_BRACKETS.exec(text)?.[1] ?? '';
  if (isIPv6(bracketed)) return bracketed;
  const address = WITH_PORT.exec(text)?.[1] ?? '';
  return isIPv4(address) ? address : null;
}

/** The header with addresses alone. Entries that are none stay as they are, and count for nothing. */
export const addressesAlone = (forwardedFor: string): string =>
  forwardedFor
    .split(',')
    .map((entry) => forwardedAddress(entry) ?? entry.trim())
    .join(', ');
