import { createConnection, createConnectionStore, type ConnectionDeps, type ConnectionStore } from '#lib/connection';
import type { KeyWrapping, SealedElsewhere } from '#lib/tenancy';
import { embedderEntity } from './adapters/embedder.entity.js';
import { HttpsEmbedder } from './adapters/https-embedder.js';
import { TypeormEmbedderWork } from './adapters/typeorm-embedder-work.js';
import { AskTenantEmbedder } from './application/ask-tenant-embedder.js';
import type { EmbedderClient, EmbedderWork, VectorsWanted } from './application/embedder.ports.js';
import { FindVector } from './application/find-vector.js';
import { GiveVectors } from './application/give-vectors.js';
import { ReadEmbedderWork } from './application/read-embedder-work.js';
import { TestEmbedder } from './application/test-embedder.js';
import { EMBEDDER, type EmbedderSettings } from './domain/embedder.js';

/** The stored embedders of tenants, and the work for each. */
export interface EmbedderRows {
  readonly connections: ConnectionStore<EmbedderSettings>;
  readonly work: EmbedderWork;
}

/** The ports of this library that keep rows, over PostgreSQL. */
export const createEmbedderStore = (
  wrapping: KeyWrapping,
): EmbedderRows & { readonly connections: SealedElsewhere } => ({
  connections: createConnectionStore(EMBEDDER, embedderEntity, wrapping),
  work: new TypeormEmbedderWork(),
});

/** The guarded way to the embedders of tenants. */
export const createEmbedderClient = (...of: ConstructorParameters<typeof HttpsEmbedder>): EmbedderClient =>
  new HttpsEmbedder(...of);

export interface EmbedderDeps extends Omit<ConnectionDeps<EmbedderSettings>, keyof EmbedderRows> {
  readonly rows: EmbedderRows;
  readonly client: EmbedderClient;
}

export function createEmbedder({ rows, client, ...deps }: EmbedderDeps) {
  const { uow } = deps;
  const { connections, work } = rows;
  const connection = createConnection(EMBEDDER, { ...deps, ...rows });
  const asking = new AskTenantEmbedder(uow, connections, client);
  return {
    /** The address, the model and the token. */
    connection,
    findVector: new FindVector(uow, work, asking),
    /** The work for the texts of a keeper. */
    worksFor: (wanted: VectorsWanted) => ({
      giveVectors: new GiveVectors(uow, connections, work, asking, wanted),
      readWork: new ReadEmbedderWork(uow, work, wanted),
    }),
    testEmbedder: new TestEmbedder(connection.test, asking),
  };
}
