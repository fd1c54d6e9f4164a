import { bytes, entity, integer, moment, nullable, real, text, uuid } from '#lib/database';
import type { EmbedderId, PersonId } from '#lib/kernel';

export const embedderEntity = entity(
  'embedder',
  { id: uuid<EmbedderId>() },
  {
    url: text(),
    ca: nullable(text()),
    model: text(),
    dimensions: nullable(integer()),
    keyId: nullable(text()),
    nonce: nullable(bytes()),
    ciphertext: nullable(bytes()),
    generation: integer(),
    least: nullable(real()),
    answeredAt: nullable(moment()),
    error: nullable(text()),
    errorAt: nullable(moment()),
    failures: integer(),
    nextAt: moment(),
    createdBy: uuid<PersonId>(),
    createdAt: moment(),
  },
);
