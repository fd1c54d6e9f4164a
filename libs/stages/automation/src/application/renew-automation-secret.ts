import { randomBytes } from 'node:crypto';
import { actorOf, err, notFound, ok, type Principal, type Result, type UnitOfWork } from '#lib/kernel';
import { requireAdmin } from '#lib/tool';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationJournal } from './automation-journal.js';
import type { AutomationSecrets } from './automation-webhook.ports.js';
import type { AutomationRepository } from './automation.ports.js';

/** How long an earlier secret stays good, so that the sender has time to change: a day. */
const OVERLAP_MS = 24 * 3_600_000;

/** A new secret, shown this once. */
export interface ShownAutomationSecret {
  readonly secret: string;
  /** Until when earlier ones are good, epoch milliseconds. */
  readonly earlierUntil: number;
}

/**
 * Makes the secret that signs the messages to an automation: 256 random bits, in the form of Standard Webhooks. Failures: those of
 * `requireAdmin`, `resource.not_found`.
 */
export class RenewAutomationSecret {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly automations: Pick<AutomationRepository, 'lock'>,
    private readonly secrets: Pick<AutomationSecrets, 'renew'>,
    private readonly journal: AutomationJournal,
  ) {}

  /** @param revoke whether earlier secrets are refused at once. */
  execute(by: Principal, id: AutomationId, revoke: boolean): Promise<Result<ShownAutomationSecret>> {
    const admin = requireAdmin(by);
    if (!admin.ok) return Promise.resolve(admin);
    return this.uow.run(by.tenantId, async (tx) => {
      const automation = await this.automations.lock(tx, id);
      if (automation === null) return err(notFound('automation'));
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      const now = await tx.now();
      const earlierUntil = revoke ? now : now + OVERLAP_MS;
      await this.secrets.renew(tx, id, secret, earlierUntil);
      await this.journal.record(tx, automation, 'automation.secret_rotated', actorOf(by), { revoked: revoke });
      return ok({ secret, earlierUntil });
    });
  }
}
