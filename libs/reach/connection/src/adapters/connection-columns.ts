import { bytes, integer, moment, nullable, text, uuid, type entity, type RowOf } from '#lib/database';
import type { ConnectionId, PersonId } from '#lib/kernel';

/** The key of each table of connections. */
export const connectionKey = { id: uuid<ConnectionId>() };

/** The columns that each table of connections has. */
export const connectionColumns = {
  url: text(),
  ca: nullable(text()),
  keyId: nullable(text()),
  nonce: nullable(bytes()),
  ciphertext: nullable(bytes()),
  generation: integer(),
  answeredAt: nullable(moment()),
  error: nullable(text()),
  errorAt: nullable(moment()),
  createdBy: uuid<PersonId>(),
  createdAt: moment(),
};

/** A row of such a table, without the columns of its kind. */
export type ConnectionRow = RowOf<ReturnType<typeof entity<typeof connectionKey, typeof connectionColumns>>>;
