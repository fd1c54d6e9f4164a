import type { AuditSink, TenantId, TwoPersonRule, UnitOfWork } from '#lib/kernel';
import type { AllowedPrivateHosts } from '#lib/outbound';
import type { Keys } from '#lib/tenancy';
import { HttpsEmbedder } from './adapters/https-embedder.js';
import { SqlEmbedders } from './adapters/sql-embedders.js';
import { AskTenantEmbedder } from './application/ask-tenant-embedder.js';
import { ChangeEmbedder } from './application/change-embedder.js';
import type { MayConnect, VectorsWanted } from './application/embedder.ports.js';
import { FindVector } from './application/find-vector.js';
import { GiveVectors } from './application/give-vectors.js';
import { ReadEmbedder } from './application/read-embedder.js';
import { RemoveEmbedder } from './application/remove-embedder.js';
import { SetEmbedderToken } from './application/set-embedder-token.js';
import { TestEmbedder } from './application/test-embedder.js';

export interface EmbedderDeps {
  readonly uow: UnitOfWork;
  readonly keys: Pick<Keys, 'wrapping'>;
  readonly audit: AuditSink;
  readonly twoPersonRule: TwoPersonRule;
  readonly allowedPrivateHosts: AllowedPrivateHosts;
  /** By which the operator names a tenant there. */
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
  readonly mayConnect: MayConnect;
}

/** The embedders of tenants. */
export type Embedders = ReturnType<typeof createEmbedder>;

export function createEmbedder({ uow, keys, audit, twoPersonRule, mayConnect, ...deps }: EmbedderDeps) {
  const embedders = new SqlEmbedders(keys.wrapping);
  const client = new HttpsEmbedder(deps.allowedPrivateHosts, deps.slugOf);
  const asking = new AskTenantEmbedder(uow, embedders, client);
  return {
    staleTokens: embedders,
    findVector: new FindVector(uow, embedders, asking),
    /** The work for the texts of a keeper. */
    worksFor: (wanted: VectorsWanted) => ({
      giveVectors: new GiveVectors(uow, embedders, asking, wanted),
      readEmbedder: new ReadEmbedder(uow, embedders, wanted),
    }),
    changeEmbedder: new ChangeEmbedder(uow, { embedders, mayConnect, twoPersonRule, audit }),
    setEmbedderToken: new SetEmbedderToken(uow, embedders, audit),
    removeEmbedder: new RemoveEmbedder(uow, embedders, twoPersonRule, audit),
    testEmbedder: new TestEmbedder(uow, embedders, asking, audit),
  };
}
