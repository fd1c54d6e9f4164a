import { actorOf, err, notFound, ok, type AuditSink, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import { requireAdmin } from '#lib/tool';
import type { RunnerId } from '../domain/ids.js';
import type { Runner } from '../domain/runner.js';
import type { RunnerDispatchRepository } from './runner-dispatch.ports.js';
import type { RunnerMcpServers } from './runner-mcp-servers.port.js';
import type { RunnerRepository } from './runner.ports.js';

/**
 * Refuses a runner from now on, with all its keys, and forgets its MCP servers. The calls that it has taken are lost: their effect is unknown, and a person
 * finds out. One person does it alone, since it only tightens.
 */
export class RevokeRunner {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
    private readonly mcpServers: Pick<RunnerMcpServers, 'replace'>,
    private readonly dispatches: RunnerDispatchRepository,
    private readonly audit: AuditSink,
    private readonly wake: (tenantId: Principal['tenantId'], pool: string) => void,
  ) {}

  /** Failures: those of {@link requireAdmin}, `resource.not_found`. */
  async execute(by: Principal, id: RunnerId): Promise<Result<Runner>> {
    const admin = requireAdmin(by);
    if (!admin.ok) return admin;
    const revoked = await this.uow.run(by.tenantId, async (tx): Promise<Result<Runner>> => {
      const runner = await this.runners.find(tx, id, 'update');
      if (runner === null) return err(notFound('runner'));
      if (runner.revokedAt !== null) return ok(runner);
      const now = await tx.now();
      await this.runners.revoke(tx, id, admin.value.personId, now);
      await this.mcpServers.replace(tx, id, []);
      const taken = await this.dispatches.lockTaken(tx, id);
      for (const call of taken) await this.dispatches.save(tx, call.id, { ...call, state: 'lost', endedAt: now });
      await this.audit.record(tx, {
        action: 'runner.revoked',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'runner', id },
        payload: { name: runner.name, pool: runner.pool, lost_calls: taken.map((call) => call.id) },
      });
      return ok({ ...runner, revokedAt: now });
    });
    if (revoked.ok) this.wake(by.tenantId, revoked.value.pool);
    return revoked;
  }
}
