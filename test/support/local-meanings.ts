import type { Database } from '#lib/database';
import type { TenantId } from '#lib/kernel';
import { SqlPrecedentVectors } from '../../libs/evidence/precedent/src/adapters/sql-precedent-vectors.js';
import type { Meanings } from '../../libs/evidence/precedent/src/application/meaning.ports.js';
import { CALIBRATION, leastOf } from '../../libs/reach/embedder/src/domain/calibration.js';
import { vectorOf } from './test-embedder.js';

const DIMENSIONS = 256;

/** A vector of length 1, as the embedder of tests gives it. */
export function unitVectorOf(text: string, dimensions = DIMENSIONS): Float32Array {
  const vector = vectorOf(text, dimensions);
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (part) => part / length);
}

const least = leastOf(CALIBRATION.map((text) => unitVectorOf(text))) ?? 1;

/** Meanings without a server. */
export const localMeanings: Meanings = {
  execute: (_tenant, question) => Promise.resolve({ generation: 1, vector: unitVectorOf(question), least }),
};

/** Gives all precedents of a tenant their vectors, as a worker does. */
export async function giveVectors(uow: Database['uow'], tenantId: TenantId, generation = 1): Promise<void> {
  const vectors = new SqlPrecedentVectors();
  await uow.run(tenantId, async (tx) => {
    const texts = await vectors.without(tx, generation, 10_000);
    await vectors.keep(
      tx,
      generation,
      texts,
      texts.map(({ text }) => unitVectorOf(text)),
    );
  });
}
