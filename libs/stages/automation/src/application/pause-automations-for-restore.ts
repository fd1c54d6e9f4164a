import type { Tx } from '#lib/kernel';
import type { AutomationRepository } from './automation.ports.js';
import type { PauseAutomation } from './pause-automation.js';

/**
 * Applies a restore from a backup to automations (T30). The backup lacks runs and steps that did happen. Every enabled automation is
 * paused until an admin has looked, and an open run ends at its next turn.
 */
export class PauseAutomationsForRestore {
  constructor(
    private readonly automations: Pick<AutomationRepository, 'enabled' | 'lock'>,
    private readonly pausing: PauseAutomation,
  ) {}

  async execute(tx: Tx, { reason }: { readonly reason: string }): Promise<void> {
    for (const { id } of await this.automations.enabled(tx)) {
      const automation = await this.automations.lock(tx, id);
      if (automation?.state === 'enabled')
        await this.pausing.execute(tx, automation, { code: 'automation.restored', message: reason });
    }
  }
}
