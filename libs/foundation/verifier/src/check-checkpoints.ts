import { hexToBytes } from '@noble/hashes/utils.js';
import { originOf, parseCheckpoint, type Checkpoint } from './checkpoint.js';
import { HASH_LENGTH, sameBytes, verifyConsistency } from './merkle.js';
import { makeAnew, type Pack } from './pack-shape.js';
import { isSignedBy, trustedSignature, type NoteKey } from './signed-note.js';
import { refuse } from './verification-failure.js';

/** A checkpoint that somebody kept outside. */
export interface ExternalCheckpoint {
  /** The note as it was published. */
  readonly note: string;
  /** Hashes in hexadecimal, if it differs in size from the proven checkpoint (`GET /v1/audit/consistency`). */
  readonly proof?: readonly string[];
}

/** A checkpoint with a checked signature, and the key of it. */
export interface TrustedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly key: NoteKey;
}

function trustedCheckpoint(
  noteText: string,
  keys: readonly NoteKey[],
  area: 'checkpoint' | 'external_checkpoint',
  pointer: string,
): TrustedCheckpoint {
  const parsed = parseCheckpoint(noteText);
  if (parsed === null) return refuse(`${area}.format`, 'Not a signed checkpoint.', pointer);
  const { checkpoint, note } = parsed;
  const named = trustedSignature(note, keys);
  if (named === null) {
    const names = note.signatures.map(({ name }) => name).join(', ');
    return refuse(
      `${area}.key_not_trusted`,
      `The checkpoint is signed by ${names}, which is not among the trusted keys.`,
      pointer,
    );
  }
  if (!isSignedBy(note, named.key, named.signature)) {
    return refuse(`${area}.signature`, `The signature of ${named.key.name} does not fit the checkpoint.`, pointer);
  }
  return { checkpoint, key: named.key };
}

/** Inside a pack, a note carries one signature and nothing else: an unchecked part could be changed unseen. */
function packCheckpoint(
  pack: Pack,
  at: { readonly epoch: number; readonly note: string },
  keys: readonly NoteKey[],
  pointer: string,
): TrustedCheckpoint {
  const parsed = parseCheckpoint(at.note);
  if (parsed?.note.signatures.length !== 1)
    return refuse('checkpoint.format', 'Not a checkpoint with exactly one signature.', pointer);
  const trusted = trustedCheckpoint(at.note, keys, 'checkpoint', pointer);
  const origin = originOf(pack.tenantId, at.epoch);
  if (trusted.checkpoint.origin !== origin) {
    return refuse(
      'checkpoint.other_log',
      `The checkpoint is of the log ${trusted.checkpoint.origin}, not of ${origin}.`,
      pointer,
    );
  }
  return trusted;
}

export function checkCheckpoints(pack: Pack, keys: readonly NoteKey[]): ReadonlyMap<number, TrustedCheckpoint> {
  const checkpoints = new Map<number, TrustedCheckpoint>();
  pack.checkpoints.forEach((at, index) => {
    const pointer = `/checkpoints/${String(index)}`;
    if (checkpoints.has(at.epoch))
      refuse('checkpoint.other_log', `Two checkpoints of epoch ${String(at.epoch)}.`, pointer);
    checkpoints.set(at.epoch, packCheckpoint(pack, at, keys, pointer));
  });
  if (checkpoints.size === 0) refuse('checkpoint.missing', 'The pack has no checkpoint.', '/checkpoints');
  return checkpoints;
}

/** Earlier checkpoints that the pack proves to be beginnings of its own: by epoch and size. */
type SmallerCheckpoints = ReadonlyMap<string, Checkpoint>;
const sizeKey = (origin: string, treeSize: number): string => `${origin} ${String(treeSize)}`;

export function checkConsistency(
  pack: Pack,
  checkpoints: ReadonlyMap<number, TrustedCheckpoint>,
  keys: readonly NoteKey[],
): SmallerCheckpoints {
  const smaller = new Map<string, Checkpoint>();
  pack.consistency.forEach((at, index) => {
    const pointer = `/consistency/${String(index)}`;
    const { checkpoint: first } = packCheckpoint(pack, at, keys, pointer);
    const key = sizeKey(first.origin, first.treeSize);
    // Each costs the check of a signature: copies of one would cost minutes.
    if (smaller.has(key))
      return refuse('consistency.proof', `Two proofs begin at ${String(first.treeSize)} leaves.`, pointer);
    const second = checkpoints.get(at.epoch)?.checkpoint;
    if (second === undefined)
      return refuse('checkpoint.missing', `There is no checkpoint of epoch ${String(at.epoch)}.`, pointer);
    if (!isConsistent(first, second, at.proof)) {
      return refuse(
        'consistency.proof',
        `The log of ${String(second.treeSize)} leaves does not begin with that of ${String(first.treeSize)}.`,
        pointer,
      );
    }
    smaller.set(key, first);
  });
  return smaller;
}

const isConsistent = (first: Checkpoint, second: Checkpoint, proof: readonly Uint8Array[]): boolean =>
  verifyConsistency({
    firstSize: first.treeSize,
    firstRoot: first.rootHash,
    secondSize: second.treeSize,
    secondRoot: second.rootHash,
    proof,
  });

export function checkExternal(
  pack: Pack,
  checkpoints: ReadonlyMap<number, TrustedCheckpoint>,
  smaller: SmallerCheckpoints,
  external: ExternalCheckpoint,
  keys: readonly NoteKey[],
): void {
  const { checkpoint: held } = trustedCheckpoint(external.note, keys, 'external_checkpoint', '');
  const ours = [...checkpoints.values()].find(({ checkpoint }) => checkpoint.origin === held.origin)?.checkpoint;
  if (ours === undefined) {
    return refuse(
      'external_checkpoint.other_log',
      `The checkpoint held outside is of ${held.origin}; the pack of tenant ${pack.tenantId} has no checkpoint of that log.`,
    );
  }
  const same = ours.treeSize === held.treeSize ? ours : smaller.get(sizeKey(held.origin, held.treeSize));
  if (same !== undefined) {
    if (!sameBytes(same.rootHash, held.rootHash))
      refuse(
        'external_checkpoint.fork',
        `The log had another history when it had ${String(held.treeSize)} leaves: it was rewritten.`,
      );
    return;
  }
  const [first, second] = held.treeSize < ours.treeSize ? [held, ours] : [ours, held];
  const proof = external.proof?.map(hashOf);
  if (proof === undefined) {
    return refuse(
      'external_checkpoint.no_proof',
      `Nothing proves that the log of ${String(second.treeSize)} leaves begins with that of ${String(first.treeSize)}. Make the pack anew with \`${makeAnew(pack.subject)} --held CHECKPOINT\`, which puts the proof into it; if the server has none, history was rewritten or a backup restored.`,
    );
  }
  if (
    !isConsistent(
      first,
      second,
      proof.flatMap((hash) => hash ?? []),
    )
  ) {
    refuse(
      'external_checkpoint.fork',
      `The log of ${String(second.treeSize)} leaves does not begin with that of ${String(first.treeSize)}: it was rewritten.`,
    );
  }
}

const hashOf = (text: string): Uint8Array | null =>
  /^[0-9a-f]+$/.test(text) && text.length === 2 * HASH_LENGTH ? hexToBytes(text) : null;
