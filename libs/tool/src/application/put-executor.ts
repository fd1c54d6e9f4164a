import type { ExecutorDocument } from '#lib/contracts';
import {
  actorOf,
  err,
  newId,
  notFound,
  ok,
  type AuditSink,
  type ExecutorId,
  type Principal,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import { executorDigest, readExecutor, type AddressVerdict } from '../domain/executor-document.js';
import { requireAdmin } from './require-admin.js';
import type { ExecutorRecord } from '../domain/tool-version.js';
import type { EnvironmentNames, ExecutorRepository } from './tool.ports.js';

/** The operator's rules for addresses outside, by name or literal address; nothing is resolved. */
export interface OutboundAddresses {
  rulesOf(tenantId: TenantId): Promise<(hostname: string, port: number) => AddressVerdict>;
}

/** Says what carries out tools in an environment. A changed address is a new version, and voids what was approved on the old one. */
export class PutExecutor {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly executors: ExecutorRepository,
    private readonly environments: EnvironmentNames,
    private readonly addresses: OutboundAddresses,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    principal: Principal,
    environmentName: string,
    name: string,
    document: ExecutorDocument,
  ): Promise<Result<ExecutorRecord>> {
    const admin = requireAdmin(principal);
    if (!admin.ok) return admin;
    const content = readExecutor(document, await this.addresses.rulesOf(principal.tenantId));
    if (!content.ok) {
      return err({
        kind: 'unprocessable',
        code: 'executor.invalid',
        message: 'The executor cannot be registered as it stands.',
        action: 'Correct what is listed and put it again.',
        errors: content.error,
      });
    }
    return this.uow.run(principal.tenantId, async (tx) => {
      const environment = await this.environments.byName(tx, environmentName);
      if (environment === null) return err(notFound('environment'));
      const standing = await this.executors.lock(tx, environment.id, name);
      const digest = executorDigest(environment.id, name, content.value);
      if (standing?.digest === digest) return ok(standing);
      const record: ExecutorRecord = {
        id: standing?.id ?? newId<ExecutorId>(),
        name,
        ...content.value,
        version: (standing?.version ?? 0) + 1,
        digest,
      };
      await this.executors.save(tx, environment.id, record, admin.value.personId, await tx.now());
      await this.audit.record(tx, {
        action: standing === null ? 'executor.created' : 'executor.updated',
        actor: actorOf(principal),
        level: 'full',
        subject: { type: 'executor', id: record.id },
        payload: {
          environment: environment.name,
          name,
          from:
            standing === null
              ? null
              : { url: standing.url, audience: standing.audience, secret: standing.secret, digest: standing.digest },
          to: { kind: record.kind, url: record.url, audience: record.audience, secret: record.secret, digest },
        },
      });
      return ok(record);
    });
  }
}
