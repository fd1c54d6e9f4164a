import { nodeHash } from '#lib/verifier';

/** A full subtree: `level` is its height, and it covers the 2^level leaves from `index * 2^level`. */
export interface NodeAt {
  readonly level: number;
  readonly index: number;
}

export interface TreeNode extends NodeAt {
  readonly hash: Uint8Array;
}

/** The leaves from `start` up to, not including, `end`: a range that RFC 6962 gives a hash. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The largest power of two that is at most `n`. */
function powerWithin(n: number): { readonly level: number; readonly width: number } {
  let level = 0;
  let width = 1;
  while (width * 2 <= n) {
    width *= 2;
    level += 1;
  }
  return { level, width };
}

/** The place at which RFC 6962 section 2.1 splits n > 1 leaves: the largest power of two smaller than n. */
const splitOf = (n: number): number => powerWithin(n - 1).width;

/** The full subtrees that a range consists of, from left to right, each smaller than the one before. */
export function coverOf({ start, end }: LeafRange): NodeAt[] {
  const cover: NodeAt[] = [];
  for (let at = start; at < end;) {
    const { level, width } = powerWithin(end - at);
    cover.push({ level, index: at / width });
    at += width;
  }
  return cover;
}

/** The hash of a range, from the hashes of its {@link coverOf | cover}. */
export function foldCover(hashes: readonly Uint8Array[]): Uint8Array {
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

/** The growth of a tree by leaves: full subtrees above level 0, and the new root. */
export interface Growth {
  readonly size: number;
  readonly root: Uint8Array;
  readonly nodes: readonly TreeNode[];
}

/**
 * Appends leaf hashes to a tree.
 *
 * @param size leaves before.
 * @param cover the nodes of `coverOf({ start: 0, end: size })`.
 * @param leaves at least one.
 * @param hashOf the hash of a node, from those of its children.
 */
export function grow(
  size: number,
  cover: readonly TreeNode[],
  leaves: readonly Uint8Array[],
  hashOf: typeof nodeHash = nodeHash,
): Growth {
  const stack = [...cover];
  const nodes: TreeNode[] = [];
  leaves.forEach((leaf, offset) => {
    let node: TreeNode = { level: 0, index: size + offset, hash: leaf };
    for (let left = stack.at(-1); left?.level === node.level; left = stack.at(-1)) {
      stack.pop();
      node = { level: node.level + 1, index: left.index / 2, hash: hashOf(left.hash, node.hash) };
      nodes.push(node);
    }
    stack.push(node);
  });
  return { size: size + leaves.length, root: foldCover(stack.map((node) => node.hash)), nodes };
}

/** The ranges of the inclusion proof of leaf `index` in a tree of `size` (RFC 6962 section 2.1.1). */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + splitOf(end - start);
    if (index < middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  return ranges.reverse();
}

/** The ranges of the proof that the tree of `first` leaves begins the tree of `second` (RFC 6962 section 2.1.2). */
export function consistencyRanges(first: number, second: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, second];
  while (first !== end) {
    const middle = start + splitOf(end - start);
    if (first <= middle) {
      ranges.push({ start: middle, end });
      end = middle;
    } else {
      ranges.push({ start, end: middle });
      start = middle;
    }
  }
  // If the first tree is one full subtree from the start, the checker has its root already.
  if (start !== 0) ranges.push({ start, end });
  return ranges.reverse();
}
