import { sha256 } from '@noble/hashes/sha2.js';

/** Length of every hash here: SHA-256. */
export const HASH_LENGTH = 32;

/** Hash of a leaf: SHA-256 of 0x00 and its data (RFC 6962 section 2.1). */
export function leafHash(data: Uint8Array): Uint8Array {
  return sha256.create().update(Uint8Array.of(0)).update(data).digest();
}

/** Hash of an inner node: SHA-256 of 0x01 and both children (RFC 6962 section 2.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(Uint8Array.of(1)).update(left).update(right).digest();
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

// Tree sizes pass 2^32, so halves are divisions and not bit shifts.
const half = (n: number): number => Math.floor(n / 2);
const isOdd = (n: number): boolean => n % 2 === 1;

/** The claim of an inclusion proof: the leaf at `index` is in the tree of `size` leaves with this `root`. */
export interface InclusionClaim {
  readonly index: number;
  readonly size: number;
  readonly leaf: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/** Checks an inclusion proof (RFC 9162 section 2.1.3.2). */
export function verifyInclusion({ index, size, leaf, proof, root }: InclusionClaim): boolean {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let node = index;
  let last = size - 1;
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0 || sibling.length !== HASH_LENGTH) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      hash = nodeHash(hash, sibling);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && sameBytes(hash, root);
}

/** The claim of a consistency proof: the tree of `secondSize` begins with the very leaves of the tree of `firstSize`. */
export interface ConsistencyClaim {
  readonly firstSize: number;
  readonly firstRoot: Uint8Array;
  readonly secondSize: number;
  readonly secondRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

/** Checks a consistency proof (RFC 9162 section 2.1.4.2); equal sizes need equal roots and an empty proof. */
export function verifyConsistency(claim: ConsistencyClaim): boolean {
  const { firstSize, firstRoot, secondSize, secondRoot, proof } = claim;
  if (!Number.isSafeInteger(firstSize) || !Number.isSafeInteger(secondSize)) return false;
  if (firstSize < 1 || firstSize > secondSize) return false;
  if (firstSize === secondSize) return proof.length === 0 && sameBytes(firstRoot, secondRoot);

  let node = firstSize - 1;
  let last = secondSize - 1;
  while (isOdd(node)) {
    node = half(node);
    last = half(last);
  }
  // A first tree that is one full subtree is its own start; otherwise the proof begins with the start.
  const path = node === 0 ? [firstRoot, ...proof] : proof;
  const [start, ...rest] = path;
  if (start === undefined || path.some((hash) => hash.length !== HASH_LENGTH)) return false;
  let first = start;
  let second = start;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      first = nodeHash(sibling, first);
      second = nodeHash(sibling, second);
      while (!isOdd(node) && node !== 0) {
        node = half(node);
        last = half(last);
      }
    } else {
      second = nodeHash(second, sibling);
    }
    node = half(node);
    last = half(last);
  }
  return last === 0 && sameBytes(first, firstRoot) && sameBytes(second, secondRoot);
}
