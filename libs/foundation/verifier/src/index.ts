/**
 * Proofs that need no server: Merkle trees (RFC 6962), signed checkpoints (C2SP), and audit entries in their hashed
 * form. Also the offline check of an evidence pack.
 *
 * Imports canonical JSON, two hash and signature libraries and opa-wasm. It imports nothing of the server and nothing
 * of Node, so that it runs in a browser too. The caller provides the thread in which decisions are taken again, so
 * that it can be stopped. Trusts only the keys it is given; it never takes a key from a pack.
 */

export {
  ENTRY_FORMAT,
  idWithin,
  documentDigest,
  entryLeafBytes,
  entryLeafHash,
  payloadBytes,
  payloadDigest,
  type EntryHeader,
} from './audit-entry.js';
export { formatCheckpoint, originOf, parseCheckpoint } from './checkpoint.js';
export { leafHash, nodeHash, sameBytes, verifyConsistency, verifyInclusion } from './merkle.js';
export {
  formatNoteKey,
  isSignedBy,
  parseNoteKey,
  signNote,
  trustedSignature,
  type NoteKey,
  type NoteSigner,
} from './signed-note.js';
export { EVIDENCE_FORMAT, subjectText, type PackSubject } from './pack-shape.js';
export { MAX_PACK_BYTES, MAX_PACK_VALUES } from './parse-pack.js';
export { verifyPack, type VerificationReport } from './verify-pack.js';
export { ASSEMBLED_ACTION } from './check-documents.js';
export type { AbsentPayload } from './check-payloads.js';
export type { CheckNotMade } from './checks-not-made.js';
export { approverKeyFingerprint, formatApproverKey, parseApproverKeys, type ApproverKey } from './approver-keys.js';
export type { ShownAct } from './check-approvers.js';
export { faultOfAnswer } from './passkey-assertion.js';
export { CHALLENGE_NONCE_BYTES, passkeyChallenge } from './passkey-challenge.js';
export { parsePasskeyPublicKey } from './passkey-public-key.js';
export { decodeBase64Url, encodeBase64Url } from './base64.js';
export { replayDecisions, type Replay, type ReplayJob } from './replay-decisions.js';
export type { ExternalCheckpoint } from './check-checkpoints.js';
