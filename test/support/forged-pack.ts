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
import { readPack, type Pack, type PackEntry } from '../../libs/foundation/verifier/src/pack-shape.js';

const signer = fakeSigner('forger');

/**
 * A pack with other members in the payload of one entry. A key that the checker trusts makes all digests, proofs and the
 * checkpoint anew. So only the story can tell.
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
  const index = pack.entries.findIndex(
    ({ header, facts }) => header.action === action && canonicalJson(facts?.payload ?? null).includes(part),
  );
  return sealedAnew(
    pack,
    pack.entries.map((entry, at) => (at === index ? withPayload(entry, changes as JsonObject) : entry)),
  );
}

/** A pack, made anew in the same way. Its first entry of the action `moved` stands before the first of the action `before`. */
export function reorderedPack(text: string, moved: string, before: string): [Uint8Array, NoteKey] {
  const pack = readPack(parseStrictJson(text));
  const indexOf = (action: string): number => pack.entries.findIndex(({ header }) => header.action === action);
  const [from, to] = [indexOf(moved), indexOf(before)];
  if (to < 0 || from <= to) throw new Error(`no entry ${moved} stands behind ${before}`);
  const entries = [...pack.entries];
  entries.splice(to, 0, ...entries.splice(from, 1));
  return sealedAnew(pack, entries);
}

/** With the digests, proofs and the checkpoint of these entries. */
function sealedAnew(pack: Pack, given: readonly PackEntry[]): [Uint8Array, NoteKey] {
  const entries = given.map((entry, at): PackEntry => ({ ...entry, epoch: 1, leafIndex: at }));
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
