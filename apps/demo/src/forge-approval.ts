import { randomBytes } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject } from '#lib/canonical';
import { createSigningKeys } from '#lib/audit';
import type { TenantId } from '#lib/kernel';
import { createKeys, openKeyring } from '#lib/tenancy';
import {
  documentDigest,
  entryLeafHash,
  formatCheckpoint,
  leafHash,
  nodeHash,
  originOf,
  parseNoteKey,
  passkeyChallenge,
  signNote,
  type EntryHeader,
} from '#lib/verifier';
import { softwareAuthenticator } from './software-authenticator.js';

interface Pack {
  tenant_id: string;
  checkpoints: { epoch: number; note: string }[];
  consistency: unknown[];
  entries: { epoch: number; leaf_index: number; header: EntryHeader; inclusion: string[] }[];
  documents: { kind: string; id: string; document: JsonObject }[];
}

/**
 * The forgery of an attacker with the server, its keyring and its log's signing key. A passkey of their own signs in the name of an
 * approver, and its enrolment is invented, too. The log is written and signed anew, so every digest, proof and signature of the pack fits.
 *
 * @param keyDirectory the directory of the server's keys.
 * @param auditKey the log's key, as the server names it.
 */
export async function forgeApproval(
  text: string,
  personId: string,
  keyDirectory: string,
  auditKey: string,
): Promise<string> {
  // oxlint-disable-next-line countersign/no-cast-answer -- the verifier has read the same text
  const pack = JSON.parse(text) as Pack;
  const own = pack.documents.filter(
    ({ kind, document }) => kind.startsWith('passkey') && document.person_id === personId,
  );
  const [known] = own;
  if (known === undefined) throw new Error('there is no signed approval to invent again');
  const site = { origin: textOf(known.document.origin), rpId: textOf(known.document.relying_party_id) };
  const passkey = softwareAuthenticator(site);
  for (const { kind, id, document } of own) {
    const before = documentDigest(kind, document);
    Object.assign(document, { credential_id: passkey.passkeyId, public_key: passkey.publicKey });
    if (kind === 'passkey-assertion') Object.assign(document, answerOf(passkey, document));
    const digest = documentDigest(kind, document);
    for (const { header } of pack.entries)
      for (const named of header.evidence)
        if (named.id === id && named.digest === before) Object.assign(named, { digest });
  }
  const key = parseNoteKey(auditKey);
  const store = createSigningKeys(keyDirectory, createKeys(await openKeyring({}, keyDirectory)).wrapping);
  // The pack names its tenant by the id.
  const signer = key === null ? null : await store.signer(pack.tenant_id as TenantId, key);
  if (signer === null) throw new Error('the log’s key is not there');
  const leaves = pack.entries.map(({ header }) => entryLeafHash(header));
  pack.entries.forEach((entry, index) => {
    entry.leaf_index = index;
    entry.inclusion = pathTo(index, leaves).map((hash) => Buffer.from(hash).toString('hex'));
  });
  const epoch = pack.entries[0]?.epoch ?? 1;
  const origin = originOf(pack.tenant_id, epoch);
  const note = signNote(formatCheckpoint({ origin, treeSize: leaves.length, rootHash: rootOf(leaves) }), signer);
  // The pack was read from JSON.
  return canonicalJson({ ...pack, checkpoints: [{ epoch, note }], consistency: [] } as unknown as Json);
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function answerOf(passkey: ReturnType<typeof softwareAuthenticator>, document: JsonObject): JsonObject {
  const nonce = randomBytes(32);
  const operation = { person_id: document.person_id ?? null, operation: document.operation ?? null };
  const { response } = passkey.assert(passkeyChallenge(documentDigest('stepped-up-operation', operation), nonce));
  return {
    nonce: nonce.toString('base64url'),
    authenticator_data: response.authenticatorData,
    client_data_json: response.clientDataJSON,
    signature: response.signature,
  };
}

/** RFC 6962 section 2.1. */
function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return leafHash(new Uint8Array());
  if (leaves.length === 1) return only;
  const split = splitOf(leaves.length);
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

function pathTo(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  return index < split
    ? [...pathTo(index, leaves.slice(0, split)), rootOf(leaves.slice(split))]
    : [...pathTo(index - split, leaves.slice(split)), rootOf(leaves.slice(0, split))];
}

/** The largest power of two below a size. */
const splitOf = (size: number): number => 2 ** Math.floor(Math.log2(size - 1));
