import { X509Certificate } from 'node:crypto';
import type { Failure } from '#lib/kernel';

const MAX_PEM = 20_000;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

/** Of an address, in characters, as it is kept. */
const MAX_ADDRESS = 2_000;

/** The servers of a tenant, by the first word of their error codes. */
export type ReceiverFamily = 'webhook' | 'siem' | 'embedder';

/** The proof to a server that a message is ours, since its address holds no secret. */
const PROOF: Readonly<Record<ReceiverFamily, string>> = {
  webhook: 'The signature shows the receiver that a message is ours.',
  siem: 'The bearer token shows the collector that lines are ours.',
  embedder: 'The bearer token shows the embedder that texts are ours.',
};

/** An address in the one spelling in which it is checked, kept and compared (WHATWG URL, serialized). */
export const addressOf = (url: string): string => new URL(url).href;

/**
 * Refuses an address that is not HTTPS, or that carries more than scheme, host, port and path. Secrets in an address
 * would stand in logs. An empty query or fragment is refused too, as the address is kept with its mark. `verdict` is
 * the operator's rule for its host (T31); each connection is checked again.
 */
export function checkAddress(
  url: URL,
  verdict: 'allowed' | 'public' | 'refused',
  family: ReceiverFamily,
): Failure | null {
  const wrong =
    url.protocol !== 'https:'
      ? 'is not an https address'
      : url.username !== '' || url.password !== '' || /[?#]/.test(url.href)
        ? 'holds credentials, a query or a fragment'
        : url.href.length > MAX_ADDRESS
          ? 'is longer than 2,000 characters when its special characters are encoded'
          : verdict === 'refused'
            ? 'is not public, and the operator has not allowed it in COUNTERSIGN_ALLOWED_PRIVATE_HOSTS'
            : null;
  return wrong === null
    ? null
    : {
        kind: 'unprocessable',
        code: `${family}.address_not_allowed`,
        message: `The address ${wrong}.`,
        action: `Name an https address with a path alone. ${PROOF[family]}`,
        errors: [{ pointer: '/url', code: `${family}.address_not_allowed`, message: wrong }],
      };
}

/** Refuses text that is not one or more certificates in PEM. */
export function checkAuthority(pem: string, family: ReceiverFamily): Failure | null {
  const certificates = pem.match(CERTIFICATE) ?? [];
  const rest = pem.replaceAll(CERTIFICATE, '').trim();
  const fine = pem.length <= MAX_PEM && certificates.length > 0 && rest === '' && certificates.every(isCertificate);
  return fine
    ? null
    : {
        kind: 'unprocessable',
        code: `${family}.authority_invalid`,
        message: 'The authority is not one or more certificates in PEM.',
        action: 'Give the content of the file with the certificates of your authority, and no private key.',
        errors: [{ pointer: '/ca', code: `${family}.authority_invalid`, message: 'must be certificates in PEM' }],
      };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
