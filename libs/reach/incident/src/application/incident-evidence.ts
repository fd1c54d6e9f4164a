import type { Json } from '#lib/canonical';
import type { PlanId, Tx } from '#lib/kernel';
import { incidentDocument, incidentEventDocument, incidentEventId } from '../domain/evidence-documents.js';
import type { IncidentRepository } from './incident.ports.js';

interface IncidentEvidenceDocument {
  readonly kind: 'incident' | 'incident-event';
  readonly id: string;
  readonly document: Json;
}

/** The incidents in the evidence of a plan: each as it was opened, with its whole timeline. */
export class IncidentEvidence {
  readonly section = 'incident';

  constructor(private readonly incidents: IncidentRepository) {}

  async collect(tx: Tx, planId: PlanId): Promise<readonly IncidentEvidenceDocument[]> {
    const documents: IncidentEvidenceDocument[] = [];
    // A plan has few incidents: each one has a run of its own.
    for (const { incident, runId } of await this.incidents.ofPlan(tx, planId)) {
      documents.push({ kind: 'incident', id: incident.id, document: incidentDocument(incident, runId) });
      for (const event of await this.incidents.events(tx, incident.id)) {
        const id = incidentEventId(incident.id, event.seq);
        documents.push({ kind: 'incident-event', id, document: incidentEventDocument(incident.id, event) });
      }
    }
    return documents;
  }
}
