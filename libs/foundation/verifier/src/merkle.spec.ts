import fc from 'fast-check';
import { consistencyOf, inclusionOf, rootOf } from './fake-pack.js';
import { leafHash, nodeHash, sameBytes, verifyConsistency, verifyInclusion } from './merkle.js';

const LEAVES = Array.from({ length: 20 }, (_, index) => leafHash(Uint8Array.of(index)));
const logOf = (size: number): Uint8Array[] => LEAVES.slice(0, size);
const short = (hash: Uint8Array): Uint8Array => hash.slice(0, 31);
const at = (index: number): Uint8Array => {
  const leaf = LEAVES[index];
  if (leaf === undefined) throw new Error('there is no such leaf');
  return leaf;
};

test('bytes are the same only at one length and at every place', () => {
  const bytes = fc.uint8Array({ maxLength: 3 });
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect([sameBytes(a, b), sameBytes(a, Uint8Array.from(a))]).toEqual([Buffer.from(a).equals(b), true]);
    }),
  );
  expect(sameBytes(Uint8Array.of(1), Uint8Array.of(1, 2))).toBe(false);
  expect(sameBytes(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false);
});

describe('an inclusion proof', () => {
  const claimOf = (index: number, size: number): Parameters<typeof verifyInclusion>[0] => ({
    index,
    size,
    leaf: at(index),
    proof: inclusionOf(index, logOf(size)),
    root: rootOf(logOf(size)),
  });

  it('holds for every leaf of every log, and for no other place or proof', () => {
    for (let size = 1; size <= LEAVES.length; size += 1)
      for (let index = 0; index < size; index += 1) {
        const claim = claimOf(index, size);
        expect(verifyInclusion(claim)).toBe(true);
        const wrong = [
          { ...claim, proof: [...claim.proof, claim.root] },
          { ...claim, leaf: claim.root.map((byte) => byte ^ 1) },
          ...Array.from({ length: size }, (_, other) => ({ ...claim, index: other })).toSpliced(index, 1),
          ...(claim.proof.length > 0 ? [{ ...claim, proof: claim.proof.slice(0, -1) }] : []),
        ];
        expect(wrong.filter(verifyInclusion)).toEqual([]);
      }
  });

  it('fails outside the log, and for sizes that are no whole numbers', () => {
    const claim = claimOf(0, 1);
    for (const changed of [{ index: -1 }, { index: 1 }, { index: 0.5 }, { size: 1.5 }, { size: 0 }, { size: Infinity }])
      expect(verifyInclusion({ ...claim, ...changed })).toBe(false);
    const far = claimOf(1, 2);
    expect(verifyInclusion({ ...far, index: 2, size: 2 })).toBe(false);
  });

  it('fails for a sibling that is no hash, even if the root is made of it', () => {
    const proof = [short(at(1))];
    expect(verifyInclusion({ index: 0, size: 2, leaf: at(0), proof, root: nodeHash(at(0), short(at(1))) })).toBe(false);
    expect(verifyInclusion({ index: 1, size: 2, leaf: at(0), proof, root: nodeHash(short(at(1)), at(0)) })).toBe(false);
  });

  it('fails for a longer proof with a fitting root', () => {
    const root = nodeHash(at(1), at(0));
    expect(verifyInclusion({ index: 0, size: 1, leaf: at(0), proof: [at(1)], root })).toBe(false);
    expect(verifyInclusion({ index: 0, size: 1, leaf: at(0), proof: [at(1)], root: nodeHash(at(0), at(1)) })).toBe(
      false,
    );
  });

  it('fails for a shorter proof with a fitting root', () => {
    expect(verifyInclusion({ index: 0, size: 2, leaf: at(0), proof: [], root: at(0) })).toBe(false);
    expect(verifyInclusion({ index: 0, size: 4, leaf: at(0), proof: [at(1)], root: nodeHash(at(0), at(1)) })).toBe(
      false,
    );
  });
});

describe('a consistency proof', () => {
  const claimOf = (first: number, second: number): Parameters<typeof verifyConsistency>[0] => ({
    firstSize: first,
    firstRoot: rootOf(logOf(first)),
    secondSize: second,
    secondRoot: rootOf(logOf(second)),
    proof: consistencyOf(first, logOf(second)),
  });

  it('holds for every two sizes of a log, and for no other root or proof', () => {
    const other = at(19);
    for (let second = 1; second < LEAVES.length; second += 1)
      for (let first = 1; first <= second; first += 1) {
        const claim = claimOf(first, second);
        expect(verifyConsistency(claim)).toBe(true);
        const wrong = [
          { ...claim, firstRoot: other },
          { ...claim, secondRoot: other },
          { ...claim, proof: [...claim.proof, other] },
          ...(claim.proof.length > 0 ? [claim.proof.slice(0, -1), claim.proof.slice(1), []] : []).map((proof) => ({
            ...claim,
            proof,
          })),
        ];
        expect(wrong.filter(verifyConsistency)).toEqual([]);
      }
  });

  it('fails for sizes that are no whole numbers, for an empty log and for a shrunk one', () => {
    const claim = claimOf(1, 1);
    for (const changed of [
      { firstSize: 0 },
      { firstSize: 0.5 },
      { firstSize: 2 },
      { secondSize: 1.5 },
      { secondSize: Infinity },
      { firstSize: 0, secondSize: 0 },
      { firstSize: 1.5, secondSize: 1.5 },
    ])
      expect(verifyConsistency({ ...claim, ...changed })).toBe(false);
    expect(verifyConsistency({ ...claimOf(2, 3), firstSize: 3, secondSize: 2 })).toBe(false);
  });

  it('fails for a longer proof with fitting roots', () => {
    // The first tree is the second's left half; the surplus hash folds into both roots of the claim.
    const [a, b, c] = [at(0), at(1), at(2)];
    const claim = { firstSize: 1, firstRoot: a, secondSize: 2, proof: [b, c] };
    expect(verifyConsistency({ ...claim, secondRoot: nodeHash(c, nodeHash(a, b)) })).toBe(false);
    expect(verifyConsistency({ ...claim, secondRoot: nodeHash(nodeHash(a, b), c) })).toBe(false);
  });

  it('fails for a shorter proof with fitting roots', () => {
    const [a, b] = [at(0), at(1)];
    const claim = { firstSize: 1, firstRoot: a, secondSize: 4, secondRoot: nodeHash(a, b), proof: [b] };
    expect(verifyConsistency(claim)).toBe(false);
    expect(verifyConsistency({ ...claim, firstSize: 3, firstRoot: a, secondRoot: a, proof: [a] })).toBe(false);
  });

  it('fails for two roots of one size', () => {
    expect(verifyConsistency({ ...claimOf(2, 2), secondRoot: at(0) })).toBe(false);
    expect(verifyConsistency({ ...claimOf(2, 2), proof: [at(0)] })).toBe(false);
  });

  it('fails for a hash of another length, even if the roots are made of it', () => {
    const [start, sibling] = [at(0), short(at(1))];
    const claim = { firstSize: 1, firstRoot: start, secondSize: 2, secondRoot: nodeHash(start, sibling) };
    expect(verifyConsistency({ ...claim, proof: [sibling] })).toBe(false);
    const shortStart = { ...claim, firstRoot: short(start), secondRoot: nodeHash(short(start), at(1)) };
    expect(verifyConsistency({ ...shortStart, proof: [at(1)] })).toBe(false);
  });
});
