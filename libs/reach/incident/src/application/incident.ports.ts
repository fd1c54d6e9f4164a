import type { JsonObject } from '#lib/canonical';
import type { IncidentState, RunState } from '#lib/formats';
import type { IncidentId, PageRequest, PersonId, PlanId, RunId, TenantId, Tx } from '#lib/kernel';
import type { PlanHeadline } from '#lib/plan';
import type { WorkFilter } from '#lib/task';
import type { AddressCheck } from '../domain/destination.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import type { Incident, IncidentEvent, OpenIncident } from '../domain/incident.js';
import type { PageAction } from '../domain/page-event.js';

/** The filter of a list of incidents. An absent member does not filter. */
export interface IncidentFilter extends WorkFilter {
  readonly state?: IncidentState;
  readonly planId?: PlanId;
  /** Only incidents without a review. */
  readonly unreviewed?: true;
  /** Only incidents with an overdue review. */
  readonly overdue?: true;
}

/** An incident with its run, its environment and the names of its people. */
export interface IncidentSeen {
  readonly incident: Incident;
  readonly runId: RunId;
  readonly runState: RunState;
  readonly headline: PlanHeadline;
  readonly environment: string;
  readonly production: boolean;
  /** The display names of everybody who acted on it. */
  readonly people: ReadonlyMap<PersonId, string>;
  readonly overdue: boolean;
}

/** Incidents of the transaction's tenant. Locked after the run. */
export interface IncidentRepository {
  insert(tx: Tx, incident: OpenIncident): Promise<void>;
  lock(tx: Tx, id: IncidentId): Promise<Incident | null>;
  /** Saves state, count of events, and the steps of people. */
  save(tx: Tx, incident: Incident): Promise<void>;
  find(tx: Tx, id: IncidentId): Promise<IncidentSeen | null>;
  /** Newest first. */
  list(tx: Tx, filter: IncidentFilter, page: PageRequest): Promise<readonly IncidentSeen[]>;
  /** In the order in which they were opened, each with its run. */
  ofPlan(tx: Tx, planId: PlanId): Promise<readonly { readonly incident: Incident; readonly runId: RunId }[]>;
  appendEvent(tx: Tx, id: IncidentId, event: IncidentEvent): Promise<void>;
  /** In order. */
  events(tx: Tx, id: IncidentId): Promise<readonly IncidentEvent[]>;
}

export interface IncidentSettingsStore {
  /** The platform's defaults if the tenant has no settings. */
  read(tx: Tx): Promise<IncidentSettings>;
  /** As `read`, and locks the settings until the transaction ends. */
  lock(tx: Tx): Promise<IncidentSettings>;
  save(tx: Tx, settings: IncidentSettings, by: PersonId): Promise<void>;
}

/** The results of test messages to addresses. */
export interface DestinationCheckStore {
  /** By address. */
  all(tx: Tx): Promise<ReadonlyMap<string, AddressCheck>>;
  /** False, and nothing is written, if the Slack set-up behind the address changed since the test began. */
  save(tx: Tx, check: Omit<AddressCheck, 'outdated'>): Promise<boolean>;
  /** Voids the last tests of these addresses, because of `why`. They are due again, and a test begun before `at` is not kept. */
  outdate(tx: Tx, addresses: readonly string[], at: number, why: string): Promise<void>;
  /** Deletes the tests of every address but these. */
  keepOnly(tx: Tx, addresses: readonly string[]): Promise<void>;
  /** The address of a check by its id; null if it is gone. */
  addressOf(tx: Tx, id: string): Promise<string | null>;
}

/** The channels of delivery. */
export interface ReachesAddresses {
  /** The name of the channel that has this address; null if none has. */
  channelOf(address: string): string | null;
  /** The addresses that settings may name, in words: `a mail address (ops@example.com)`. */
  addressForms(): readonly string[];
  /** Sends one message to an address. @returns why it failed, or null if the address took it. */
  test(tenantId: TenantId, address: string): Promise<string | null>;
  /** The names of the channels that reach each of the people as persons. */
  reaching(tx: Tx, people: readonly PersonId[]): Promise<ReadonlyMap<PersonId, readonly string[]>>;
}

/** A person who hears of every incident, and the channels beside the inbox and the banner. */
export interface NotifiedPerson {
  readonly id: PersonId;
  readonly displayName: string;
  readonly by: readonly string[];
}

/** The PlatformAdmins and SecurityReviewers. They hear of every incident as people. */
export interface AlwaysNotified {
  read(tx: Tx): Promise<readonly NotifiedPerson[]>;
}

/** One event for PagerDuty. */
export interface Page {
  readonly id: string;
  readonly incidentId: IncidentId;
  readonly action: PageAction;
  readonly state: 'pending' | 'sent' | 'failed';
  readonly attempts: number;
  readonly lastError: string | null;
  readonly createdAt: number;
}

/** Events for PagerDuty. Each is written in the transaction of its incident, and sent afterwards, in order. */
export interface PageQueue {
  /** Writes each action once. Without a trigger, it writes neither acknowledge nor resolve. */
  write(tx: Tx, incidentId: IncidentId, action: PageAction): Promise<void>;
  /** Leases a due event after all earlier ones are sent or given up, and counts the attempt. */
  claim(tx: Tx, id: string, leaseMs: number): Promise<Page | null>;
  sent(tx: Tx, id: string): Promise<void>;
  postpone(tx: Tx, id: string, error: string, delayMs: number): Promise<void>;
  giveUp(tx: Tx, id: string, error: string): Promise<void>;
  of(tx: Tx, incidentId: IncidentId): Promise<readonly Page[]>;
  /** Events that were given up, newest first. */
  failed(tx: Tx, page: PageRequest): Promise<readonly Page[]>;
  lock(tx: Tx, id: string): Promise<Page | null>;
  /** Makes a failed event due again, with all later ones of the same incident. */
  retry(tx: Tx, page: Page): Promise<void>;
}

/** Sends one event to an Events API v2 address. Throws if the address cannot be reached. */
export interface Pager {
  send(
    tenantId: TenantId,
    url: string,
    event: JsonObject,
  ): Promise<{ readonly status: number; readonly retryAfterSeconds: number | null; readonly body: string }>;
}
