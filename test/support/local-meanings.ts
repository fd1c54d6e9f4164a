import type { Database } from '#lib/database';
import type { TenantId } from '#lib/kernel';
import { createPrecedentStore } from '#lib/precedent';
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

/** Gives texts their vectors, each of length 1. */
type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

const locally: Embed = (texts) => Promise.resolve(texts.map((text) => unitVectorOf(text)));

/** Meanings by a model, however long it takes. */
export async function meaningsBy(embed: Embed): Promise<Meanings> {
  const least = leastOf(await embed(CALIBRATION));
  if (least === null) throw new Error('The model tells meanings hardly apart.');
  return {
    execute: async (_tenant, question) => {
      if (question.trim() === '') return null;
      const [vector] = await embed([question]);
      return vector === undefined ? null : { generation: 1, vector, least };
    },
  };
}

const least = leastOf(CALIBRATION.map((text) => unitVectorOf(text))) ?? 1;

/** Meanings without a server. */
export const localMeanings: Meanings = {
  execute: (_tenant, question) => Promise.resolve({ generation: 1, vector: unitVectorOf(question), least }),
};

/** Gives all precedents of a tenant their vectors, as a worker does. */
export async function giveVectors(
  uow: Database['uow'],
  tenantId: TenantId,
  generation = 1,
  embed = locally,
): Promise<void> {
  const { vectors } = createPrecedentStore();
  const texts = await uow.run(tenantId, (tx) => vectors.without(tx, generation, 10_000));
  const given = await embed(texts.map(({ text }) => text));
  await uow.run(tenantId, (tx) => vectors.keep(tx, generation, texts, given));
}
