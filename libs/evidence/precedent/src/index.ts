/**
 * Precedents: the requests and runs of the past, with their approvers and their ends.
 *
 * Invariants: the transaction that ends a request or a run writes its precedent (triggers of the database do it); a tenant finds
 * its own alone; an agent reads structure, outcomes and its own words; a payload that the retention rule erases takes its words
 * along in the same transaction.
 *
 * With the embedder of the tenant, goals are found by their meaning, too. A worker makes their vectors, after the
 * precedent.
 *
 * A precedent is history and never authority: policies are not told of it, and nothing is approved by it. Only reads.
 */
export { FindPrecedents, type FoundPrecedents, type PrecedentHit } from './application/find-precedents.js';
export { precedentEntity, precedentVectorEntity } from './adapters/precedent.entity.js';
export { createPrecedents, createPrecedentStore } from './create-precedents.js';
