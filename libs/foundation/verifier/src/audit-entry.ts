import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const utf8 = new TextEncoder();

/** The first member of every entry header, so that a leaf of this log never passes for one of another. */
export const ENTRY_FORMAT = 'countersign.audit-entry/v2';

/** A document that an action fixed, named by its digest. */
export interface DocumentDigest {
  readonly kind: string;
  readonly id: string;
  readonly digest: string;
}

/** A thing by its kind and its id among things of that kind. */
export interface NamedThing {
  readonly type: string;
  readonly id: string;
}

/** The header that a leaf commits to: actor, action, subject, and digests of the facts. Kept for ever. */
export interface EntryHeader {
  readonly format: typeof ENTRY_FORMAT;
  readonly tenant_id: string;
  readonly id: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly occurred_at: string;
  readonly level: string;
  readonly action: string;
  readonly actor: {
    readonly kind: string;
    readonly id: string;
    readonly display_name: string;
    readonly credential_id: string | null;
    readonly on_behalf_of: string | null;
  };
  readonly subject: NamedThing;
  /** The things it happened in, outermost first. */
  readonly within: readonly NamedThing[];
  readonly decision_id: string | null;
  readonly evidence: readonly DocumentDigest[];
  /** `sha256:` and 64 hexadecimal digits, see {@link payloadDigest}. */
  readonly payload_digest: string;
}

/** The id of the thing of this kind that an entry happened in; null if it happened in none. */
export const idWithin = ({ within }: Pick<EntryHeader, 'within'>, kind: string): string | null =>
  within.find(({ type }) => type === kind)?.id ?? null;

/**
 * The bytes under an entry's leaf hash: RFC 6962 over the header's canonical JSON. The cast: an interface has no index
 * signature, though every member of the header is JSON.
 */
export const entryLeafBytes = (header: EntryHeader): Uint8Array =>
  utf8.encode(`\0${canonicalJson(header as unknown as JsonObject)}`);

export const entryLeafHash = (header: EntryHeader): Uint8Array => sha256(entryLeafBytes(header));

const PAYLOAD_PREFIX = utf8.encode('countersign:audit-payload:v1\n');

/** The bytes of a payload's digest: `countersign:audit-payload:v1\n`, 32 bytes of salt, and its canonical JSON. */
export const payloadBytes = (salt: Uint8Array, canonicalPayload: string): Uint8Array =>
  concatBytes(PAYLOAD_PREFIX, salt, utf8.encode(canonicalPayload));

export const payloadDigest = (salt: Uint8Array, canonicalPayload: string): Uint8Array =>
  sha256(payloadBytes(salt, canonicalPayload));

/** Digest of a document of a kind: SHA-256 over `countersign:<kind>:v1\n` and its canonical JSON. */
export function documentDigest(kind: string, document: Json): string {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(`countersign:${kind}:v1\n${canonicalJson(document)}`)))}`;
}
