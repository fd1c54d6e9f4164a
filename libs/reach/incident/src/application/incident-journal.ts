import { ownMember, type JsonObject } from '#lib/canonical';
import type { IncidentEventKind } from '#lib/formats';
import { inPlan } from '#lib/kernel';
import type { Actor, AuditSink, EvidenceRef, Outbox, Tx } from '#lib/kernel';
import { incidentEventEvidence } from '../domain/evidence-documents.js';
import type { Incident, IncidentEvent } from '../domain/incident.js';
import { PAGE_ACTIONS } from '../domain/page-event.js';
import type { IncidentRepository, IncidentSettingsStore, PageQueue } from './incident.ports.js';

/** One event of an incident. */
export interface IncidentRecord {
  readonly kind: IncidentEventKind;
  readonly actor: Actor;
  readonly text: string;
  readonly data?: JsonObject;
  readonly at: number;
  /** The name of the event in the outbox; null if no notice is sent. */
  readonly notice: string | null;
  readonly evidence?: readonly EvidenceRef[];
}

/**
 * Writes each event of an incident in its own transaction: into timeline, audit log, outbox, and the queue of pages.
 */
export class IncidentJournal {
  constructor(
    private readonly incidents: IncidentRepository,
    private readonly settings: IncidentSettingsStore,
    private readonly pages: PageQueue,
    private readonly audit: AuditSink,
    private readonly outbox: Outbox,
  ) {}

  /** @returns the incident with its new count of events. The caller saves it. */
  async record<I extends Incident>(tx: Tx, incident: I, happening: IncidentRecord): Promise<I> {
    const { kind, actor, text, at } = happening;
    const event: IncidentEvent = {
      seq: incident.eventCount + 1,
      kind,
      actor,
      text,
      data: happening.data ?? {},
      at,
    };
    await this.incidents.appendEvent(tx, incident.id, event);
    await this.audit.record(tx, {
      action: `incident.${AUDITED[kind]}`,
      actor,
      level: 'critical',
      subject: { type: 'incident', id: incident.id },
      within: inPlan(incident),
      evidence: [incidentEventEvidence(incident.id, event), ...(happening.evidence ?? [])],
      payload: { seq: event.seq, text, ...event.data },
    });
    if (happening.notice !== null) {
      const payload = { incident_id: incident.id, event: happening.notice };
      await this.outbox.write(tx, { topic: 'incident.changed', payload });
    }
    const page = ownMember(PAGE_ACTIONS, kind);
    if (page !== undefined && (await this.settings.read(tx)).pagerDuty !== null) {
      await this.pages.write(tx, incident.id, page);
    }
    return { ...incident, eventCount: event.seq };
  }
}

const AUDITED: Readonly<Record<IncidentEventKind, string>> = {
  opened: 'opened',
  run: 'run_moved',
  acknowledged: 'acknowledged',
  note: 'noted',
  resolved: 'resolved',
  reviewed: 'reviewed',
  overdue: 'escalated',
  page_failed: 'page_failed',
};
