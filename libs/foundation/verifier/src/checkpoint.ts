import { decodeBase64, encodeBase64 } from './base64.js';
import { HASH_LENGTH } from './merkle.js';
import { parseNote, type SignedNote } from './signed-note.js';

/** A signed statement about one tree (C2SP tlog-checkpoint). */
export interface Checkpoint {
  /** The tree: `countersign/<tenant id>/<epoch>`. */
  readonly origin: string;
  readonly treeSize: number;
  readonly rootHash: Uint8Array;
}

export function originOf(tenantId: string, epoch: number): string {
  return `countersign/${tenantId}/${String(epoch)}`;
}

/** The text to be signed. */
export function formatCheckpoint({ origin, treeSize, rootHash }: Checkpoint): string {
  return `${origin}\n${String(treeSize)}\n${encodeBase64(rootHash)}\n`;
}

/** Reads a signed checkpoint without checking its signature; null if the text is not one. */
export function parseCheckpoint(
  noteText: string,
): { readonly checkpoint: Checkpoint; readonly note: SignedNote } | null {
  const note = parseNote(noteText);
  if (note === null) return null;
  const [origin = '', size = '', root = '', ...rest] = note.text.split('\n');
  const rootHash = decodeBase64(root);
  const treeSize = Number(size);
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(treeSize)) return null;
  if (rootHash?.length !== HASH_LENGTH || rest.at(-1) !== '') return null;
  return { checkpoint: { origin, treeSize, rootHash }, note };
}
