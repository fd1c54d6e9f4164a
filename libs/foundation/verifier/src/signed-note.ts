import { ed25519 } from '@noble/curves/ed25519.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeBase64, encodeBase64 } from './base64.js';
import { sameBytes } from './merkle.js';

/** Algorithm byte of Ed25519 in signed notes (C2SP signed-note). */
const ED25519 = 1;
const keyNamePattern = /^[^\s+\p{Cc}]{1,255}$/u;

/** A public key that signs notes, with its name: a verifier has to trust it. */
export interface NoteKey {
  readonly name: string;
  /** 32 bytes (RFC 8032). */
  readonly publicKey: Uint8Array;
}

/** Signs bytes with the private half of {@link NoteKey}. */
export interface NoteSigner extends NoteKey {
  sign(message: Uint8Array): Uint8Array;
}

/** A note (C2SP signed-note): text that ends in a newline, and signatures over it. */
export interface SignedNote {
  readonly text: string;
  readonly signatures: readonly {
    readonly name: string;
    readonly keyHash: Uint8Array;
    readonly signature: Uint8Array;
  }[];
}

/** First four bytes of SHA-256 over name, newline, algorithm and key: tells keys of one name apart. */
function noteKeyHash({ name, publicKey }: NoteKey): Uint8Array {
  return sha256
    .create()
    .update(utf8ToBytes(`${name}\n`))
    .update(Uint8Array.of(ED25519))
    .update(publicKey)
    .digest()
    .subarray(0, 4);
}

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The key as text for people to hold and to pass to `--key`: `<name>+<hash>+<base64>` (C2SP signed-note, "vkey"). */
export function formatNoteKey(key: NoteKey): string {
  return `${key.name}+${hex(noteKeyHash(key))}+${encodeBase64(Uint8Array.of(ED25519, ...key.publicKey))}`;
}

/** Reads the text of {@link formatNoteKey}; null for any other text, also if the hash does not fit. */
export function parseNoteKey(text: string): NoteKey | null {
  const [, name, hash, encoded] = /^([^+]*)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim()) ?? [];
  if (name === undefined || hash === undefined || encoded === undefined || !keyNamePattern.test(name)) return null;
  const bytes = decodeBase64(encoded);
  if (bytes?.length !== 33 || bytes[0] !== ED25519) return null;
  const key = { name, publicKey: bytes.slice(1) };
  return hex(noteKeyHash(key)) === hash ? key : null;
}

/** Signs `text`, which must end in a newline. */
export function signNote(text: string, signer: NoteSigner): string {
  const signature = signer.sign(utf8ToBytes(text));
  return `${text}\n— ${signer.name} ${encodeBase64(Uint8Array.of(...noteKeyHash(signer), ...signature))}\n`;
}

/** Takes a note apart without trusting it; null if the text is not a signed note. */
export function parseNote(note: string): SignedNote | null {
  const split = note.lastIndexOf('\n\n');
  if (split < 0 || !note.endsWith('\n')) return null;
  const signatures: SignedNote['signatures'][number][] = [];
  for (const line of note.slice(split + 2, -1).split('\n')) {
    const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    if (name === undefined || encoded === undefined || !keyNamePattern.test(name)) return null;
    const bytes = decodeBase64(encoded);
    if (bytes === null || bytes.length < 5) return null;
    signatures.push({ name, keyHash: bytes.slice(0, 4), signature: bytes.slice(4) });
  }
  return { text: note.slice(0, split + 1), signatures };
}

/** Which of the trusted keys is named by a signature of the note, or null. Says nothing about the signature yet. */
export function trustedSignature(
  note: SignedNote,
  trusted: readonly NoteKey[],
): { readonly key: NoteKey; readonly signature: Uint8Array } | null {
  for (const { name, keyHash, signature } of note.signatures) {
    const key = trusted.find((candidate) => candidate.name === name && sameBytes(noteKeyHash(candidate), keyHash));
    if (key) return { key, signature };
  }
  return null;
}

/** Whether the signature is the key's, over the note's text (RFC 8032, strictly: no second spelling of a signature). */
export function isSignedBy(note: SignedNote, key: NoteKey, signature: Uint8Array): boolean {
  try {
    return ed25519.verify(signature, utf8ToBytes(note.text), key.publicKey, { zip215: false });
  } catch {
    // The library throws for bytes that are no signature or no key at all.
    return false;
  }
}
