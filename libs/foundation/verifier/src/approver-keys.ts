import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeBase64Url } from './base64.js';
import { parsePasskeyPublicKey } from './passkey-public-key.js';

/** A passkey of a person, as somebody keeps it who checks their approvals. */
export interface ApproverKey {
  readonly personId: string;
  /** WebAuthn's credential id, base64url. */
  readonly credentialId: string;
  /** As `parsePasskeyPublicKey` reads it. */
  readonly publicKey: string;
  readonly relyingPartyId: string;
  readonly origin: string;
}

/** A line that is not a key; `line` counts from 1. */
export interface ApproverKeysMistake {
  readonly line: number;
  readonly message: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const HOST = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
const ORIGIN = /^(https?):\/\/([a-z0-9.-]+)(?::([1-9][0-9]{0,4}))?$/;
const MAX_LINES = 10_000;

/** The key as one line of an approver-keys file: its five members, a space between each. */
export const formatApproverKey = (key: ApproverKey): string =>
  [key.personId, key.credentialId, key.publicKey, key.relyingPartyId, key.origin].join(' ');

/**
 * Thirty digits in six groups of five, to be compared by voice. SHA-256 over `countersign:approver-key:v1\n` and the line; of
 * each of its first six groups of five bytes, read as a number, the remainder by 100,000.
 */
export function approverKeyFingerprint(key: ApproverKey): string {
  const hash = sha256(utf8ToBytes(`countersign:approver-key:v1\n${formatApproverKey(key)}`));
  return Array.from({ length: 6 }, (_, group) => {
    const number = hash.slice(5 * group, 5 * group + 5).reduce((sum, byte) => sum * 256 + byte, 0);
    return String(number % 100_000).padStart(5, '0');
  }).join(' ');
}

/**
 * Reads a file of {@link formatApproverKey}'s lines, and ignores empty lines and those that begin with `#`. A file
 * without a key, or with a credential twice, is a fault: the checker cannot have meant it.
 */
export function parseApproverKeys(text: string): readonly ApproverKey[] | ApproverKeysMistake {
  const lines = text.split(/\r?\n/);
  if (lines.length > MAX_LINES) return { line: MAX_LINES + 1, message: 'is beyond the 10,000 lines that are read' };
  const keys = new Map<string, ApproverKey>();
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const key = keyOf(line);
    if (typeof key === 'string') return { line: index + 1, message: key };
    if (keys.has(key.credentialId)) return { line: index + 1, message: 'names a credential id for the second time' };
    keys.set(key.credentialId, key);
  }
  return keys.size === 0 ? { line: 1, message: 'should begin a key, and there is none' } : [...keys.values()];
}

/** The key, or the fault of the line. */
function keyOf(line: string): ApproverKey | string {
  const [personId = '', credentialId = '', publicKey = '', relyingPartyId = '', origin = '', ...more] = line.split(' ');
  if (origin === '' || more.length > 0)
    return 'needs five members with one space between: person id, credential id, public key, relying-party id, origin';
  if (!UUID.test(personId)) return 'does not begin with the id of a person';
  const id = decodeBase64Url(credentialId);
  if (id === null || id.length < 16 || id.length > 1_023) return 'has no credential id (base64url) in second place';
  if (parsePasskeyPublicKey(publicKey) === null)
    return 'has no public key in third place: ES256, EdDSA or RS256, a colon, and the key in base64url';
  if (!HOST.test(relyingPartyId)) return 'has no relying-party id (a host name) in fourth place';
  const [, scheme, host = '', port = ''] = ORIGIN.exec(origin) ?? [];
  if (!HOST.test(host) || Number(port) > 65_535) return 'has no origin (https://host) in fifth place';
  if (host !== relyingPartyId && !host.endsWith(`.${relyingPartyId}`))
    return 'has an origin that does not belong to its relying-party id';
  if (scheme === 'http' && host !== 'localhost') return 'has an origin without https';
  return { personId, credentialId, publicKey, relyingPartyId, origin };
}
