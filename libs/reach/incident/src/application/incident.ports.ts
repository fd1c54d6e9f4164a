import type { JsonObject } from '#lib/canonical';
import type { IncidentState, RunState, ToldBy } from '#lib/contracts';
import type { Digest, IncidentId, PageRequest, PersonId, PlanId, RunId, TenantId, Tx } from '#lib/kernel';
import type { WorkFilter } from '#lib/task';
import type { AddressCheck } from '../domain/destination.js';
import type { IncidentSettings } from '../domain/incident-settings.js';
import type { Incident, IncidentEvent, OpenIncident } from '../domain/incident.js';
import type { PageAction } from '../domain/page-event.js';

/** Which incidents a list holds; a member left out does not filter. */
export interface IncidentFilter extends WorkFilter {
  readonly state?: IncidentState;
  readonly planId?: PlanId;
  /** Only those that nobody has reviewed yet. */
  readonly unreviewed?: true;
  /** Only those whose review is overdue. */
  readonly overdue?: true;
}

/** An incident with what stands around it, by name. */
export interface IncidentSeen {
  readonly incident: Incident;
  readonly runId: RunId;
  readonly runState: RunState;
  readonly environment: string;
  readonly production: boolean;
  /** Display names of everybody who did something to it. */
  readonly people: ReadonlyMap<PersonId, string>;
  readonly overdue: boolean;
}

/** Incidents of the transaction's tenant. Locked after the run. */
export interface IncidentRepository {
  insert(tx: Tx, incident: OpenIncident): Promise<void>;
  lock(tx: Tx, id: IncidentId): Promise<Incident | null>;
  /** State, count of events, and what people did. */
  save(tx: Tx, incident: Incident): Promise<void>;
  find(tx: Tx, id: IncidentId): Promise<IncidentSeen | null>;
  /** Newest first. */
  list(tx: Tx, filter: IncidentFilter, page: PageRequest): Promise<readonly IncidentSeen[]>;
  /** In the order they were opened, with the run of each. */
  ofPlan(tx: Tx, planId: PlanId): Promise<readonly { readonly incident: Incident; readonly runId: RunId }[]>;
  appendEvent(tx: Tx, id: IncidentId, event: IncidentEvent): Promise<void>;
  /** In order. */
  events(tx: Tx, id: IncidentId): Promise<readonly IncidentEvent[]>;
}

export interface IncidentSettingsStore {
  /** The platform's defaults where the tenant has set nothing. */
  read(tx: Tx): Promise<IncidentSettings>;
  /** As `read`, and against every other change until the transaction ends. */
  lock(tx: Tx): Promise<IncidentSettings>;
  save(tx: Tx, settings: IncidentSettings, by: PersonId): Promise<void>;
}

/** What is known of the addresses that test messages went to. */
export interface DestinationCheckStore {
  /** By address. */
  all(tx: Tx): Promise<ReadonlyMap<string, AddressCheck>>;
  /** False, and nothing is written, if the Slack set-up behind the address changed since the test began. */
  save(tx: Tx, check: Omit<AddressCheck, 'outdated'>): Promise<boolean>;
  /** What was found of these addresses counts no more, because of `why`: they are due, and a test begun before `at` is not kept. */
  outdate(tx: Tx, addresses: readonly string[], at: number, why: string): Promise<void>;
  /** Forgets every address but these. */
  keepOnly(tx: Tx, addresses: readonly string[]): Promise<void>;
  /** The address of a check by its id; null if it is gone. */
  addressOf(tx: Tx, id: string): Promise<string | null>;
}

/** Sends one message to an address of a destination. @returns why it failed, or null if the address took it. */
export interface ReachesAddresses {
  test(tenantId: TenantId, address: string): Promise<string | null>;
}

/** Somebody who hears of every incident, and how beyond the inbox and the banner. */
export interface ToldPerson {
  readonly id: PersonId;
  readonly displayName: string;
  readonly by: readonly ToldBy[];
}

/** PlatformAdmins and SecurityReviewers: every incident is told to them as people. */
export interface AlwaysTold {
  read(tx: Tx): Promise<readonly ToldPerson[]>;
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

/** Events for PagerDuty: written with what they tell of, sent afterwards, in order. */
export interface PageQueue {
  /** Once an action; acknowledging and resolving only where it was triggered. */
  write(tx: Tx, incidentId: IncidentId, action: PageAction): Promise<void>;
  /** Takes one that is due and whose forerunners are sent or given up, counts the attempt, and keeps others off it. */
  claim(tx: Tx, id: string, leaseMs: number): Promise<Page | null>;
  sent(tx: Tx, id: string): Promise<void>;
  postpone(tx: Tx, id: string, error: string, delayMs: number): Promise<void>;
  giveUp(tx: Tx, id: string, error: string): Promise<void>;
  of(tx: Tx, incidentId: IncidentId): Promise<readonly Page[]>;
  /** What was given up, newest first. */
  failed(tx: Tx, page: PageRequest): Promise<readonly Page[]>;
  lock(tx: Tx, id: string): Promise<Page | null>;
  /** Makes one that was given up due again, and whatever followed it for the same incident. */
  retry(tx: Tx, page: Page): Promise<void>;
}

/** Sends one event to an Events API v2 address; throws where it cannot be reached. */
export interface Pager {
  send(
    tenantId: TenantId,
    url: string,
    event: JsonObject,
  ): Promise<{ readonly status: number; readonly retryAfterSeconds: number | null; readonly body: string }>;
}

/** Says whether Countersign may connect to an address at all; the connection itself is checked again. */
export type MayConnect = (tenantId: TenantId, url: URL) => Promise<'allowed' | 'public' | 'refused'>;

/** What is executed, as its invoker saw it. */
export interface SeenPlan {
  readonly planId: PlanId;
  readonly planDigest: Digest;
}
