import { unlessNotAuthentic, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import type { AutomationId } from '../domain/ids.js';
import { readAutomation, unreadable } from '../domain/read-automation.js';
import type { AutomationRepository } from './automation.ports.js';
import type { PauseAutomation } from './pause-automation.js';
import type { SettleTimes } from './settle-times.js';

/**
 * Starts the runs that are due by the schedules of an automation. Its row is locked, and each occurrence is a key of
 * its runs. Of several workers one starts it, and once, also if that worker is killed. An automation whose source this
 * version cannot read is paused.
 */
export class TriggerAutomation {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly automations: AutomationRepository,
    private readonly settling: SettleTimes,
    private readonly pausing: PauseAutomation,
  ) {}

  /** @returns whether the automation was due. */
  execute(tenantId: TenantId, id: AutomationId): Promise<boolean> {
    return unlessNotAuthentic(
      this.uow.run(tenantId, (tx) => this.#trigger(tx, id)),
      () => false,
    );
  }

  async #trigger(tx: Tx, id: AutomationId): Promise<boolean> {
    const automation = await this.automations.lock(tx, id);
    const now = await tx.now();
    if (automation?.state !== 'enabled' || automation.nextAt === null || automation.nextAt > now) return false;
    const read = readAutomation(automation.revision.source, now);
    if (!read.ok) {
      await this.pausing.execute(tx, automation, unreadable(read.error));
      return true;
    }
    await this.settling.execute(tx, automation, read.value, now);
    return true;
  }
}
