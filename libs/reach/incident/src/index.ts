/**
 * Break-glass, and the incidents that it opens: a person executes a plan at once on their own responsibility, everybody
 * who has to know is told, and somebody else looks into it afterwards.
 *
 * Invariants: a run under break-glass and its incident are made in one transaction; a second factor is proved for that
 * very invocation; what is not overridden (tenancy, schema, safety, halts, target locks, grants) holds as ever; the
 * timeline is append-only and grows in the transactions of the run's moves; nobody reviews what they invoked; what nobody
 * reviews in time is escalated.
 *
 * Never decides who may break the glass: policy does. Never speaks to Slack or to a mail server: it writes to the outbox
 * and says what to tell.
 */
export {
  destinationCheckEntity,
  incidentEntity,
  incidentEventEntity,
  incidentPageEntity,
  incidentSettingEntity,
} from './adapters/incident.entity.js';
export { TypeormDestinationChecks } from './adapters/typeorm-destination-checks.js';
export { TypeormIncidentSettings } from './adapters/typeorm-incident-settings.js';
export { ActOnIncident, type IncidentAction } from './application/act-on-incident.js';
export { BreakGlassAvailability, type Availability, type Told } from './application/break-glass-availability.js';
export { ChangeIncidentSettings } from './application/change-incident-settings.js';
export { CheckDestinations } from './application/check-destinations.js';
export type {
  IncidentRepository,
  IncidentSeen,
  IncidentSettingsStore,
  Page,
  PageQueue,
} from './application/incident.ports.js';
export { InvokeBreakGlass, type GlassBroken } from './application/invoke-break-glass.js';
export { ReadIncidents, type IncidentDetail, type IncidentWaiting } from './application/read-incidents.js';
export { ResendPages } from './application/resend-pages.js';
export type { Destination, Reach } from './domain/destination.js';
export { stepsOf, type Incident, type IncidentEvent } from './domain/incident.js';
export type { IncidentSettings } from './domain/incident-settings.js';
export { createIncidents, type Incidents } from './create-incidents.js';
