import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type Json } from '#lib/canonical';
import { entryLeafBytes, entryLeafHash, payloadDigest, type EntryHeader } from './audit-entry.js';
import { parseCheckpoint } from './checkpoint.js';
import { verifyInclusion } from './merkle.js';
import { formatNoteKey, isSignedBy, parseNoteKey, trustedSignature, type NoteKey } from './signed-note.js';
import { verifyPack } from './verify-pack.js';

/** The bytes of these files are in packs and checkpoints that people keep. A format that changes gets a version and a file more. */
const golden = (name: string): unknown => JSON.parse(readFileSync(join(__dirname, 'golden', `${name}.json`), 'utf8'));

const keyOf = (text: string): NoteKey => {
  const key = parseNoteKey(text);
  if (key === null) throw new Error('the golden file holds no key');
  return key;
};

describe('the golden audit entry of version 2', () => {
  const entry = golden('audit-entry.v2') as {
    readonly key: string;
    readonly header: EntryHeader;
    readonly leaf_hash: string;
    readonly salt: string;
    readonly payload: Json;
    readonly leaf_index: number;
    readonly inclusion: readonly string[];
    readonly checkpoint: string;
  };

  it('has a leaf of 0x00 and its canonical header', () => {
    expect(entryLeafBytes(entry.header)).toEqual(
      Uint8Array.from(Buffer.from(`\0${canonicalJson(entry.header as unknown as Json)}`)),
    );
    expect(bytesToHex(entryLeafHash(entry.header))).toBe(entry.leaf_hash);
  });

  it('names its payload by the salted digest', () => {
    expect(`sha256:${bytesToHex(payloadDigest(hexToBytes(entry.salt), canonicalJson(entry.payload)))}`).toBe(
      entry.header.payload_digest,
    );
  });

  it('stands in the tree of its checkpoint, which its key signed', () => {
    const key = keyOf(entry.key);
    expect(formatNoteKey(key)).toBe(entry.key);
    const { checkpoint, note } = parseCheckpoint(entry.checkpoint) ?? {};
    if (checkpoint === undefined || note === undefined) throw new Error('the golden file holds no checkpoint');
    expect(checkpoint).toMatchObject({ origin: `countersign/${entry.header.tenant_id}/1`, treeSize: 5 });
    const signed = trustedSignature(note, [key]);
    expect(signed !== null && isSignedBy(note, signed.key, signed.signature)).toBe(true);
    const claim = {
      index: entry.leaf_index,
      size: checkpoint.treeSize,
      leaf: hexToBytes(entry.leaf_hash),
      proof: entry.inclusion.map(hexToBytes),
      root: checkpoint.rootHash,
    };
    expect(verifyInclusion(claim)).toBe(true);
    expect(verifyInclusion({ ...claim, index: entry.leaf_index + 1 })).toBe(false);
  });
});

describe('the golden evidence pack of version 2', () => {
  const { key, digest, pack } = golden('evidence-pack.v2') as {
    readonly key: string;
    readonly digest: string;
    readonly pack: Json;
  };
  const file = new TextEncoder().encode(canonicalJson(pack));
  const options = { trustedKeys: [keyOf(key)], replay: () => Promise.resolve([]) };

  it('has these bytes', () => {
    expect(`sha256:${createHash('sha256').update(file).digest('hex')}`).toBe(digest);
  });

  it('is read and verified, but for the payload that was not there', async () => {
    const report = await verifyPack(file, options);
    expect(report).toMatchObject({ outcome: 'incomplete', failure: null });
    expect(report.notThere).toHaveLength(1);
    expect(report.documents.map(({ kind, id }) => `${kind} ${id}`)).toEqual(['plan plan-1', 'tool patch@1']);
  });

  it('is refused with one byte of it changed', async () => {
    const text = canonicalJson(pack);
    const report = await verifyPack(new TextEncoder().encode(text.replace('plan.validated', 'plan.validate')), options);
    expect(report.failure?.code).toBe('entry.inclusion');
  });
});
