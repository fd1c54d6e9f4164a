import { z } from 'zod';
import type { Connection, ConnectionKind } from '#lib/connection';

const settings = z.object({
  url: z.string(),
  ca: z.string().nullable(),
  model: z.string(),
  /** The length of a vector to ask for; null for that of the model. */
  dimensions: z.int().nullable(),
});

/** The members of an embedder that an admin sets. */
export type EmbedderSettings = z.infer<typeof settings>;

/** The embedder of a tenant. Vectors of different generations are not comparable. */
export type Embedder = Connection<EmbedderSettings>;

/** Another model loosens nothing: the texts go to the same server. */
export const EMBEDDER: ConnectionKind<EmbedderSettings> = {
  kind: 'embedder',
  family: 'embedder',
  name: 'embedder',
  sends: 'the words of requests and questions are sent',
  settings,
  payload: z.strictObject({ id: z.string(), ...settings.shape }),
  isSame: (one, other) => one.url === other.url && one.model === other.model && one.dimensions === other.dimensions,
};
