import { actorOf, type IncidentId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { stateInWords } from '#lib/words';
import { destinationsOf, escalate } from '../domain/escalation.js';
import type { IncidentJournal } from './incident-journal.js';
import type { IncidentRepository, IncidentSettingsStore } from './incident.ports.js';

/**
 * Escalates an overdue review, and again each day until somebody acts. The first escalation notifies the destinations of the
 * incident; each further one adds another destination of the tenant. PlatformAdmins and SecurityReviewers hear of each.
 */
export class EscalateOverdue {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly incidents: IncidentRepository,
    private readonly settings: IncidentSettingsStore,
    private readonly journal: IncidentJournal,
  ) {}

  execute(tenantId: TenantId, id: IncidentId): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      const incident = await this.incidents.lock(tx, id);
      const now = await tx.now();
      const escalated = incident === null ? null : escalate(incident, now);
      if (escalated === null) return;
      const { destinations } = await this.settings.read(tx);
      const recorded = await this.journal.record(tx, escalated, {
        kind: 'overdue',
        actor: actorOf({ kind: 'system', tenantId, name: 'incident-escalation' }),
        text: `Its review was due, and it is ${stateInWords(escalated.state)}.`,
        data: {
          state: escalated.state,
          escalations: escalated.escalations,
          notifies: [...destinationsOf(escalated, destinations)],
        },
        at: now,
        notice: 'overdue',
      });
      await this.incidents.save(tx, recorded);
    });
  }
}
