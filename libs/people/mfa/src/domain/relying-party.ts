/**
 * The relying party of a passkey (WebAuthn section 5.1.2). It is the host name of Countersign's address, and the origin
 * of its pages.
 */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);
const ADDRESS = /^(\d{1,3}(\.\d{1,3}){3}|\[.*\])$/;

/**
 * The relying party of a public address. Browsers give no passkeys to IP addresses or plain http, but to localhost they
 * do. An installation on this machine is reached as localhost for them.
 *
 * @returns null if there can be none.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (LOOPBACK.has(hostname)) {
    return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
  }
  return protocol === 'https:' && !ADDRESS.test(hostname) ? { id: hostname, origin } : null;
}
