/**
 * Break-glass and its incidents. A person executes a plan at once on their own responsibility. Destinations and admins
 * are notified, and another person reviews the incident afterwards.
 *
 * Invariants: one transaction makes a run under break-glass and its incident. A second factor is proved for that very
 * invocation. Tenancy, schema, safety, halts, target locks and grants are never overridden. The timeline is append-only and
 * grows in the transactions of the run's moves. The invoker never reviews. An overdue review is escalated.
 *
 * Never decides on an invocation: policy does. Never calls Slack or a mail server: it writes to the outbox, and gives the
 * content of notices.
 */
export {
  destinationCheckEntity,
  incidentEntity,
  incidentEventEntity,
  incidentPageEntity,
  incidentSettingEntity,
} from './adapters/incident.entity.js';
export { ActOnIncident, type IncidentAction } from './application/act-on-incident.js';
export { BreakGlassAvailability, type Availability } from './application/break-glass-availability.js';
export { ChangeIncidentSettings } from './application/change-incident-settings.js';
export { CheckDestinations } from './application/check-destinations.js';
export type { IncidentSeen, Page } from './application/incident.ports.js';
export { InvokeBreakGlass } from './application/invoke-break-glass.js';
export { ReadIncidents, type IncidentDetail, type IncidentWaiting } from './application/read-incidents.js';
export { ResendPages } from './application/resend-pages.js';
export type { Destination } from './domain/destination.js';
export { stepsOf } from './domain/incident.js';
export type { IncidentSettings } from './domain/incident-settings.js';
export { createIncidents, createIncidentStore, createPager, type Incidents } from './create-incidents.js';
