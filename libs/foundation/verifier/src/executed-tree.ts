import type { Json } from '#lib/canonical';
import { member } from './json-member.js';

/**
 * The tree of a command line that a runner says it executed, in the payload of its answer; null if none is told. An agent that makes its
 * calls itself tells none: its word is unverified.
 */
export const executedTree = (payload: Json): Json =>
  member(payload, 'unverified') === true ? null : member(payload, 'result', 'tree_digest');
