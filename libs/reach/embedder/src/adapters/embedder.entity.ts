import { connectionColumns, connectionKey } from '#lib/connection';
import { entity, integer, moment, nullable, real, text } from '#lib/database';

export const embedderEntity = entity('embedder', connectionKey, {
  ...connectionColumns,
  model: text(),
  dimensions: nullable(integer()),
  least: nullable(real()),
  batch: integer(),
  failures: integer(),
  nextAt: moment(),
});
