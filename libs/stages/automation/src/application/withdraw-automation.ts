import { actorOf, err, notFound, ok, type Failure, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import type { Automation } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationRepository } from './automation.ports.js';

/**
 * Withdraws a proposal: by the agent or person who made it, before an admin enables it. It is disabled, and its name is free again.
 *
 * Failures: `resource.not_found`, `automation.not_yours`, `automation.not_proposed`.
 */
export class WithdrawAutomation {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly automations: Pick<AutomationRepository, 'lock' | 'proposer' | 'save'>,
    private readonly journal: AutomationJournal,
  ) {}

  execute(by: Principal, id: AutomationId): Promise<Result<Automation>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const automation = await this.automations.lock(tx, id);
      if (automation === null) return err(notFound('automation'));
      const [actor, proposer] = [actorOf(by), await this.automations.proposer(tx, id)];
      if (proposer?.kind !== actor.kind || proposer.id !== actor.id) return err(notYours);
      if (automation.state !== 'proposed') return err(notProposed);
      const next: Automation = { ...automation, state: 'disabled', version: automation.version + 1 };
      await this.automations.save(tx, next);
      await this.journal.record(tx, next, 'automation.withdrawn', actor);
      return ok(next);
    });
  }
}

const notYours: Failure = {
  kind: 'forbidden',
  code: 'automation.not_yours',
  message: 'Somebody else proposed this automation.',
  action: 'Have an admin disable it.',
};

const notProposed: Failure = {
  kind: 'conflict',
  code: 'automation.not_proposed',
  message: 'The automation does not wait for an admin any more.',
  action: 'Have an admin disable it.',
};
