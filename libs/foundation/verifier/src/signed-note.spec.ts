import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from './base64.js';
import { formatCheckpoint, parseCheckpoint } from './checkpoint.js';
import {
  formatNoteKey,
  isSignedBy,
  parseNote,
  parseNoteKey,
  signNote,
  trustedSignature,
  type NoteSigner,
} from './signed-note.js';

/** The example of Go's golang.org/x/mod/sumdb/note, which C2SP signed-note describes. */
const goKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const goNote =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n" +
  '\n' +
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';

function signerOf(name: string): NoteSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return {
    name,
    publicKey: Uint8Array.from(Buffer.from(x, 'base64url')),
    sign: (message) => Uint8Array.from(sign(null, message, privateKey)),
  };
}

const holds = (note: string, key: NoteSigner | ReturnType<typeof parseNoteKey>): boolean => {
  const parsed = parseNote(note);
  const found = parsed && key && trustedSignature(parsed, [key]);
  return parsed !== null && found !== null && isSignedBy(parsed, found.key, found.signature);
};

describe('signed notes', () => {
  test("Go's own example verifies", () => {
    const key = parseNoteKey(goKey);
    expect(key && formatNoteKey(key)).toBe(goKey);
    expect(holds(goNote, key)).toBe(true);
    expect(holds(goNote.replace('answer', 'Answer'), key)).toBe(false);
  });

  test('a signed note verifies under its key alone', () => {
    const signer = signerOf('countersign/t/audit-1');
    const note = signNote('one\n\ntwo\n', signer);
    expect(holds(note, signer)).toBe(true);
    expect(holds(note, signerOf('countersign/t/audit-1'))).toBe(false);
    expect(holds(note, { ...signer, name: 'other' })).toBe(false);
    expect(parseNote(note)?.text).toBe('one\n\ntwo\n');
  });

  test('a note with several signatures verifies by the trusted one, and the others are ignored', () => {
    const [ours, witness] = [signerOf('ours'), signerOf('witness')];
    const note = signNote('text\n', ours) + signNote('text\n', witness).slice('text\n\n'.length);
    expect(holds(note, ours)).toBe(true);
    expect(holds(note, witness)).toBe(true);
  });

  test.each([
    '',
    'text\n',
    'text\n\n',
    'text\n\n— k\n',
    'text\n\n— k AAAA\n',
    'text\n\n- k AAAAAAAA\n',
    'text\n\n— k AAAAAAA=',
    'text\n\n— a+b AAAAAAAA\n',
    'text\n\n— k AAAAAA==\n',
    'text\n\nx— k AAAAAAA=\n',
    'text\n\n— k AAAAAAA= x\n',
    'text\n\n— k ????????\n',
    'x— k AAAAAAA=\n',
  ])('no note: %j', (text) => {
    expect(parseNote(text)).toBeNull();
  });

  test.each([
    '',
    'name',
    goKey.replace('c74f', 'c74e'),
    goKey.replace('+AR', '+BR'),
    `${goKey}A`,
    goKey.replace('Peter', 'Pe ter'),
    `a+${goKey}`,
    `${goKey}\nmore`,
    goKey.replace('c74f', 'C74F'),
    'PeterNeumann+c74f20a3+',
  ])('no key: %j', (text) => {
    expect(parseNoteKey(text)).toBeNull();
  });

  test('a note may have a line alone and the shortest signature, and a key may have blanks around it', () => {
    expect(parseNote('\n\n— k AAAAAAA=\n')).toMatchObject({ text: '\n', signatures: [{ name: 'k' }] });
    expect(parseNoteKey(` ${goKey}\n`)).toEqual(parseNoteKey(goKey));
  });

  test('a signature is found by name and hash, and says nothing of itself', () => {
    const signer = signerOf('ours');
    const renamed = parseNote(signNote('text\n', signer).replace('— ours', '— other'));
    expect(renamed && trustedSignature(renamed, [signer])).toBeNull();
  });

  test('a signature is checked strictly, and other bytes are refused', () => {
    const note = { text: 'text\n', signatures: [] };
    const identity = Uint8Array.from({ length: 32 }, (_, index) => (index === 0 ? 1 : 0));
    const anything = Uint8Array.of(...identity, ...new Uint8Array(32));
    expect(isSignedBy(note, { name: 'k', publicKey: identity }, anything)).toBe(false);
    expect(isSignedBy(note, signerOf('k'), Uint8Array.of(1))).toBe(false);
  });

  test('checkpoints are read as they were written, and nothing else is', () => {
    const signer = signerOf('k');
    const checkpoint = { origin: 'countersign/t/1', treeSize: 2 ** 40, rootHash: new Uint8Array(32).fill(9) };
    expect(parseCheckpoint(signNote(formatCheckpoint(checkpoint), signer))?.checkpoint).toEqual(checkpoint);
    for (const text of [
      'o\n1\n',
      'o\n01\nAA==\n',
      '\n1\nAA==\n',
      `o\n-1\n${encodeBase64(new Uint8Array(32))}\n`,
      `o\n1\n${encodeBase64(new Uint8Array(31))}\n`,
      `o\n1\n????\n`,
      `\n1\n${encodeBase64(new Uint8Array(32))}\n`,
      `o\n1x\n${encodeBase64(new Uint8Array(32))}\n`,
      `o\n1e3\n${encodeBase64(new Uint8Array(32))}\n`,
      `o\n9007199254740992\n${encodeBase64(new Uint8Array(32))}\n`,
    ]) {
      expect(parseCheckpoint(signNote(text, signer))).toBeNull();
    }
  });
});

describe('base64', () => {
  test('agrees with the platform, and reads one spelling only', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text)).toEqual(Uint8Array.from(bytes));
      }),
    );
    for (const text of ['A', 'AA', 'AAA', 'AB==', 'AAB=', 'A===', 'AA=A', 'AA A', '-_==', '===='])
      expect(decodeBase64(text)).toBeNull();
  });
});
