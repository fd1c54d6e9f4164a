import { createConnection, createConnectionStore, type ConnectionDeps } from '#lib/connection';
import type { TenantId } from '#lib/kernel';
import type { AllowedPrivateHosts } from '#lib/outbound';
import type { Keys } from '#lib/tenancy';
import { embedderEntity } from './adapters/embedder.entity.js';
import { HttpsEmbedder } from './adapters/https-embedder.js';
import { TypeormEmbedderWork } from './adapters/typeorm-embedder-work.js';
import { AskTenantEmbedder } from './application/ask-tenant-embedder.js';
import type { VectorsWanted } from './application/embedder.ports.js';
import { FindVector } from './application/find-vector.js';
import { GiveVectors } from './application/give-vectors.js';
import { ReadEmbedderWork } from './application/read-embedder-work.js';
import { TestEmbedder } from './application/test-embedder.js';
import { EMBEDDER, type EmbedderSettings } from './domain/embedder.js';

export interface EmbedderDeps extends Omit<ConnectionDeps<EmbedderSettings>, 'connections' | 'work'> {
  readonly keys: Pick<Keys, 'wrapping'>;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  /** By which the operator names a tenant there. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
}

/** The embedders of tenants. */
export type Embedders = ReturnType<typeof createEmbedder>;

export function createEmbedder({ keys, allowedPrivateHosts, slugOf, ...deps }: EmbedderDeps) {
  const { uow } = deps;
  const connections = createConnectionStore(EMBEDDER, embedderEntity, keys.wrapping);
  const work = new TypeormEmbedderWork();
  const connection = createConnection(EMBEDDER, { ...deps, connections, work });
  const asking = new AskTenantEmbedder(uow, connections, new HttpsEmbedder(allowedPrivateHosts, slugOf));
  return {
    staleTokens: connections,
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
