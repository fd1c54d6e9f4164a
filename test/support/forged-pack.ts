import { canonicalJson, parseStrictJson, type Json, type JsonObject } from '#lib/canonical';
import { formatCheckpoint, originOf, payloadDigest, signNote, type NoteKey } from '#lib/verifier';
import {
  fakeSigner,
  fileOf,
  inclusionOf,
  jsonOf,
  leavesOf,
  rootOf,
} from '../../libs/foundation/verifier/src/fake-pack.js';
import { readPack, type PackEntry } from '../../libs/foundation/verifier/src/pack-shape.js';

const signer = fakeSigner('forger');

/**
 * A pack with other members in the payload of one entry, and all digests, proofs and the checkpoint made anew by a key that the checker
 * trusts: only the story can tell.
 *
 * @param text part of the payload of the entry that is forged.
 */
export function forgedPack(
  text: string,
  action: string,
  part: string,
  changes: Readonly<Record<string, unknown>>,
): [Uint8Array, NoteKey] {
  const pack = readPack(parseStrictJson(text));
  const place = pack.entries.findIndex(
    ({ header, facts }) => header.action === action && canonicalJson(facts?.payload ?? null).includes(part),
  );
  const entries = pack.entries.map((entry, at): PackEntry => {
    const own = { ...entry, epoch: 1, leafIndex: at };
    return at === place ? withPayload(own, changes as JsonObject) : own;
  });
  const leaves = leavesOf({ ...pack, entries });
  const checkpoint = { origin: originOf(pack.tenantId, 1), treeSize: leaves.length, rootHash: rootOf(leaves) };
  const forged = {
    ...pack,
    consistency: [],
    checkpoints: [{ epoch: 1, note: signNote(formatCheckpoint(checkpoint), signer) }],
    entries: entries.map((entry, at) => ({ ...entry, inclusion: inclusionOf(at, leaves) })),
  };
  return [fileOf(jsonOf(forged)), signer];
}

function withPayload(entry: PackEntry, changes: JsonObject): PackEntry {
  if (entry.facts === null) throw new Error('the entry has no payload');
  const payload: Json = { ...(entry.facts.payload as JsonObject), ...changes };
  const digest = Buffer.from(payloadDigest(entry.facts.salt, canonicalJson(payload))).toString('hex');
  return {
    ...entry,
    header: { ...entry.header, payload_digest: `sha256:${digest}` },
    facts: { ...entry.facts, payload },
  };
}
