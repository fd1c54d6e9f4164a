import { actorOf, type IncidentId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { isOverdue } from '../domain/incident.js';
import type { IncidentJournal } from './incident-journal.js';
import type { IncidentRepository, OverdueIncidents } from './incident.ports.js';

/** Tells the destinations of an incident, once, that nobody has reviewed it in time. A sweep: what it missed is due again. */
export class EscalateOverdue {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly overdue: OverdueIncidents,
    private readonly incidents: IncidentRepository,
    private readonly journal: IncidentJournal,
  ) {}

  async execute(atMost: number): Promise<void> {
    for (const { tenantId, id } of await this.overdue.due(atMost)) await this.#escalate(tenantId, id);
  }

  #escalate(tenantId: TenantId, id: IncidentId): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      const incident = await this.incidents.lock(tx, id);
      const now = await tx.now();
      if (incident?.escalatedAt !== null || !isOverdue(incident, now)) return;
      const recorded = await this.journal.record(tx, incident, {
        kind: 'overdue',
        actor: actorOf({ kind: 'system', tenantId, name: 'incident-escalation' }),
        text: `Its review was due, and it is ${incident.state}.`,
        data: { state: incident.state, notifies: [...incident.notifies] },
        at: now,
        tell: 'overdue',
      });
      await this.incidents.save(tx, { ...recorded, escalatedAt: now });
    });
  }
}
