import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { GrantKeyring, IssueGrant, type ToolDispatcher } from '#lib/dispatch';
import { createChangeRequests } from '#lib/change-request';
import { createDirectory } from '#lib/identity';
import { createStages } from '#lib/installation';
import type { AuditSink, Outbox } from '#lib/kernel';
import { StoredMfaProofs, TypeormFactorRepository, TypeormStepUpRepository } from '#lib/mfa';
import { createPolicy, loadPolicyBundle, OpaWasmPolicyEngine } from '#lib/policy';
import type { RunSettings } from '#lib/run';
import { TypeormEnvironmentRepository } from '#lib/tenancy';
import { createTools } from '#lib/tool';
import { TypeormGrantRepository } from '../../libs/registry/dispatch/src/adapters/typeorm-grant.repository.js';
import { FakeGrantKeyStore } from '../../libs/registry/dispatch/src/application/fake-grant-key.store.js';
import { FakeUnitOfWork } from '../../libs/foundation/kernel/src/fake-unit-of-work.js';
import type { TestDatabase } from './database.js';
import { testSeals } from './seals.js';

/** Everything outside the stages, which a test plays itself. */
export interface AroundStages {
  readonly audit: AuditSink;
  readonly dispatcher: ToolDispatcher;
  readonly outbox?: Outbox;
  readonly settings?: Partial<RunSettings>;
}

/** Compiling the policies takes as long as everything else. */
let engine: OpaWasmPolicyEngine | undefined;

/** The stages as an installation wires them, over a real database and real policies. No job is ever queued. The keys of grants
 * are in memory. */
export function wireStages(db: TestDatabase, { audit, dispatcher, outbox = silent, settings }: AroundStages) {
  const { uow } = db;
  const seals = testSeals();
  engine ??= new OpaWasmPolicyEngine(loadPolicyBundle(join(packageRoot(), 'policies')));
  const policy = createPolicy({ uow, engine });
  const directory = createDirectory({ system: db.systemQuery, seals });
  const { twoPersonRule } = createChangeRequests({
    uow,
    seals,
    audit,
    outbox,
    directory,
    publicUrl: 'http://127.0.0.1',
  });
  const tool = createTools({
    uow,
    twoPersonRule,
    audit,
    addresses: { rulesOf: () => Promise.resolve(() => 'allowed') },
  });
  const stages = createStages({
    uow,
    jobs: { enqueue: () => Promise.resolve() },
    seals,
    audit,
    outbox,
    twoPersonRule,
    directory,
    environments: new TypeormEnvironmentRepository(),
    proofs: new StoredMfaProofs(new TypeormStepUpRepository(), new TypeormFactorRepository(seals)),
    policy,
    tool,
    dispatch: {
      dispatcher,
      issue: new IssueGrant(
        uow,
        new TypeormGrantRepository(seals),
        new GrantKeyring(new FakeGrantKeyStore(new FakeUnitOfWork())),
        'http://127.0.0.1',
      ),
      revoker: { revoke: () => Promise.resolve(0) },
    },
    listeners: [],
    settings: { leaseMarginMs: 1_000, waitScale: 1, ...settings },
  });
  return { ...stages, tool, directory };
}

const silent: Outbox = { write: () => Promise.resolve() };
