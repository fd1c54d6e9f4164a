import { canonicalJson, countValues, type Json } from '#lib/canonical';
import { mayBeBeyond } from './pack-bounds.js';

const PLENTY = 1_000_000;
const hashes = (count: number): Json => Array<Json>(count).fill('f'.repeat(64));
/** The members of a header that the event of an assembly lacks. */
const ofHeader = {
  format: 'countersign-audit-entry/v1',
  tenant_id: '0'.repeat(36),
  id: '0'.repeat(36),
  occurred_at: '2026-01-01T00:00:00.000Z',
  decision_id: null,
  payload_digest: `sha256:${'f'.repeat(64)}`,
};
const index = { epoch: 2 ** 31, leaf_index: 2 ** 32 };

it.each<[string, Json]>([
  ['an entry', { ...index, header: ofHeader, facts: { salt: 'f'.repeat(64), payload: null }, inclusion: hashes(32) }],
  ['a checkpoint', { epoch: 2 ** 31, note: 'n'.repeat(500), proof: hashes(33) }],
])('keeps the bytes and values that the proof of %s takes in a log of 2^32 entries', (_what, proof) => {
  const unproven = { contents: [], contentBytes: 0, headers: [], proofs: 1_000 };
  const [bytes, values] = [1_000 * (canonicalJson(proof).length + 1), 1_000 * countValues(proof)];
  expect(mayBeBeyond(unproven, { bytes: bytes - 1, values: PLENTY })).toBe(true);
  expect(mayBeBeyond(unproven, { bytes: PLENTY * 10, values: values - 1 })).toBe(true);
  expect(mayBeBeyond(unproven, { bytes: PLENTY * 10, values: PLENTY })).toBe(false);
});
