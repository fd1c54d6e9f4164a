import fc from 'fast-check';
import { leafHash, nodeHash, verifyConsistency, verifyInclusion } from '#lib/verifier';
import {
  consistencyRanges,
  coverOf,
  foldCover,
  grow,
  inclusionRanges,
  type LeafRange,
  type TreeNode,
} from './merkle-tree.js';
import { timesInputs } from '../../../../../test/arbitraries/times-inputs.js';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** RFC 6962 section 2.1 word for word: the naive tree that ours is held against. */
function naiveRoot(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) throw new Error('no leaves');
  if (leaves.length === 1) return only;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)));
}

const leavesOf = (count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, index) => leafHash(Buffer.from(`leaf ${String(index)}`)));

/** A tree grown in the given batches, with every node kept. */
function grownTree(batches: readonly number[]) {
  const nodes = new Map<string, Uint8Array>();
  const key = (level: number, index: number): string => `${String(level)}/${String(index)}`;
  const hashAt = ({ level, index }: { level: number; index: number }): Uint8Array => {
    const hash = nodes.get(key(level, index));
    if (hash === undefined) throw new Error(`no node ${key(level, index)}`);
    return hash;
  };
  const roots = new Map<number, Uint8Array>();
  const leaves = leavesOf(batches.reduce((sum, batch) => sum + batch, 0));
  let size = 0;
  for (const batch of batches) {
    const added = leaves.slice(size, size + batch);
    const cover: TreeNode[] = coverOf({ start: 0, end: size }).map((at) => ({ ...at, hash: hashAt(at) }));
    added.forEach((leaf, offset) => nodes.set(key(0, size + offset), leaf));
    const growth = grow(size, cover, added);
    for (const node of growth.nodes) {
      const at = key(node.level, node.index);
      if (nodes.has(at)) throw new Error(`node ${at} is written twice`);
      nodes.set(at, node.hash);
    }
    size = growth.size;
    roots.set(size, growth.root);
  }
  const hashOf = (range: LeafRange): Uint8Array => foldCover(coverOf(range).map(hashAt));
  return { leaves, size, roots, hashOf };
}

const batches = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

describe('Merkle tree', () => {
  // The vectors of Certificate Transparency's reference implementation (certificate-transparency, merkle_tree_test.cc).
  const vectorLeaves = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ].map((data) => leafHash(Buffer.from(data, 'hex')));
  test.each([
    [1, '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d'],
    [2, 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
    [3, 'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77'],
    [4, 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7'],
    [5, '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4'],
    [6, '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef'],
    [7, 'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c'],
    [8, '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  ])('the known root of %i leaves', (size, root) => {
    expect(hex(grow(0, [], vectorLeaves.slice(0, size)).root)).toBe(root);
  });

  test('grown in any batches, it has the naive root, and every node is written once', () => {
    fc.assert(
      fc.property(batches, (sizes) => {
        const tree = grownTree(sizes);
        for (const [size, root] of tree.roots) expect(hex(root)).toBe(hex(naiveRoot(tree.leaves.slice(0, size))));
      }),
      { numRuns: timesInputs(15) },
    );
  });

  test('every inclusion proof holds, is at most log2(n) long, and for no other leaf, place, size or root', () => {
    fc.assert(
      fc.property(batches, fc.nat(), fc.nat(), (sizes, pick, pickOther) => {
        const { leaves, size, hashOf } = grownTree(sizes);
        const index = pick % size;
        const leaf = leaves[index] ?? new Uint8Array();
        const root = naiveRoot(leaves);
        const proof = inclusionRanges(index, size).map(hashOf);
        expect(proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)));
        expect(verifyInclusion({ index, size, leaf, proof, root })).toBe(true);
        const other = pickOther % size;
        if (other !== index) {
          expect(verifyInclusion({ index: other, size, leaf, proof, root })).toBe(false);
          expect(verifyInclusion({ index, size, leaf: leaves[other] ?? new Uint8Array(), proof, root })).toBe(false);
        }
        expect(verifyInclusion({ index, size, leaf, proof: [...proof, root], root })).toBe(false);
        if (proof.length > 0) expect(verifyInclusion({ index, size, leaf, proof: proof.slice(1), root })).toBe(false);
        expect(verifyInclusion({ index: size, size, leaf, proof, root })).toBe(false);
      }),
      { numRuns: timesInputs(25) },
    );
  });

  test('every consistency proof holds, and fails for another earlier root', () => {
    fc.assert(
      fc.property(batches, fc.nat(), (sizes, pick) => {
        const { leaves, size, hashOf } = grownTree(sizes);
        const firstSize = 1 + (pick % size);
        const firstRoot = naiveRoot(leaves.slice(0, firstSize));
        const claim = {
          firstSize,
          firstRoot,
          secondSize: size,
          secondRoot: naiveRoot(leaves),
          proof: consistencyRanges(firstSize, size).map(hashOf),
        };
        expect(verifyConsistency(claim)).toBe(true);
        expect(verifyConsistency({ ...claim, firstRoot: leafHash(firstRoot) })).toBe(false);
        expect(verifyConsistency({ ...claim, secondRoot: leafHash(firstRoot) })).toBe(false);
        expect(verifyConsistency({ ...claim, proof: [...claim.proof, firstRoot] })).toBe(false);
        if (claim.proof.length > 0)
          expect(verifyConsistency({ ...claim, proof: claim.proof.slice(0, -1) })).toBe(false);
      }),
      { numRuns: timesInputs(25) },
    );
  });

  test('a size beyond 2^32 is split and climbed like any other', () => {
    const size = 2 ** 40 + 3;
    expect(inclusionRanges(2 ** 40 + 1, size)).toEqual([
      { start: 2 ** 40, end: 2 ** 40 + 1 },
      { start: 2 ** 40 + 2, end: size },
      { start: 0, end: 2 ** 40 },
    ]);
    expect(coverOf({ start: 0, end: size })).toEqual([
      { level: 40, index: 0 },
      { level: 1, index: 2 ** 39 },
      { level: 0, index: 2 ** 40 + 2 },
    ]);
  });
});
