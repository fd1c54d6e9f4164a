import { actorOf, err, notFound, ok, type AuditSink, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import { requireAdmin } from '#lib/tool';
import type { TakeBackAutomationCalls } from '#lib/tool-call';
import { endForgedEntry } from './end-forged-entry.js';
import type { SafeToolRepository } from './safe-tool.ports.js';

/**
 * Takes a tool off the tenant's list of safe tools, at once. Calls of automations that have not left go with it. That
 * ends a forged entry, too.
 *
 * Failures: those of `requireAdmin`, `resource.not_found`.
 */
export class RemoveSafeTool {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly entries: SafeToolRepository,
    private readonly audit: AuditSink,
    private readonly calls: Pick<TakeBackAutomationCalls, 'execute'>,
  ) {}

  async execute(by: Principal, tool: string): Promise<Result<void>> {
    const admin = requireAdmin(by);
    if (!admin.ok) return admin;
    return this.uow.run(by.tenantId, async (tx) => {
      await this.entries.lockForChange(tx);
      const entry = await this.entries.find(tx, tool);
      const now = await tx.now();
      const { personId } = admin.value;
      if (entry === null) {
        const end = { tool, by: personId, actor: actorOf(by), at: now };
        const ended = await endForgedEntry(tx, this.entries, this.audit, end);
        return ended ? ok(undefined) : err(notFound('automation-safe tool'));
      }
      await this.entries.remove(tx, entry, personId, now);
      await this.calls.execute(tx, { kind: 'tool', tool }, by, notSafe(tool));
      await this.audit.record(tx, {
        action: 'automation_safe_tool.removed',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'automation_safe_tool', id: entry.id },
        payload: { tool, version: entry.version },
      });
      return ok(undefined);
    });
  }
}

const notSafe = (tool: string) => ({
  code: 'automation.not_safe',
  message: `Tool ${tool} was taken off the automation-safe modify list before the call left`,
});
