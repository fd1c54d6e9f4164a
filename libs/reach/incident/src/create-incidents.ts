import type { People, PlanSubjects, VoidRequests } from '#lib/approval';
import type { AutonomyReader } from '#lib/autonomy';
import type { GuardedFetch } from '#lib/dispatch';
import type { MfaProofs, Seats } from '#lib/identity';
import type { AuditSink, TwoPersonRule, Outbox, TenantId, UnitOfWork } from '#lib/kernel';
import type { PlanRepository, ReadDescription } from '#lib/plan';
import type { PolicyDecisionPoint } from '#lib/policy';
import type { CreateRun } from '#lib/run';
import { SLACK } from '#lib/slack';
import type { SecretVault } from '#lib/tenancy';
import { GuardedPager } from './adapters/guarded-pager.js';
import { SqlAlwaysNotified } from './adapters/sql-always-notified.js';
import { SqlDestinationChecks } from './adapters/sql-destination-checks.js';
import { SqlIncidentRepository } from './adapters/sql-incident.repository.js';
import { SqlPageQueue } from './adapters/sql-page-queue.js';
import { TypeormIncidentSettings } from './adapters/typeorm-incident-settings.js';
import { ActOnIncident } from './application/act-on-incident.js';
import { BreakGlassAvailability } from './application/break-glass-availability.js';
import { ChangeIncidentSettings } from './application/change-incident-settings.js';
import { CheckDestinations } from './application/check-destinations.js';
import { DestinationNotices } from './application/destination-notices.js';
import { EscalateOverdue } from './application/escalate-overdue.js';
import { FollowRun } from './application/follow-run.js';
import { FollowSlack } from './application/follow-slack.js';
import { IncidentEvidence } from './application/incident-evidence.js';
import { IncidentJournal } from './application/incident-journal.js';
import { IncidentNotices } from './application/incident-notices.js';
import type {
  AlwaysNotified,
  DestinationCheckStore,
  IncidentRepository,
  IncidentSettingsStore,
  PageQueue,
  Pager,
  ReachesAddresses,
} from './application/incident.ports.js';
import { InvokeBreakGlass } from './application/invoke-break-glass.js';
import { ReadIncidents } from './application/read-incidents.js';
import { ResendPages } from './application/resend-pages.js';
import { SendPages } from './application/send-pages.js';
import { SlackNotices } from './application/slack-notices.js';

/** The stored incidents with their settings and pages, and the people who hear of each. */
export interface IncidentRows {
  readonly incidents: IncidentRepository;
  readonly settings: IncidentSettingsStore;
  readonly checks: DestinationCheckStore;
  readonly pages: PageQueue;
  readonly notified: AlwaysNotified;
}

/** The ports of this library that read and keep rows, over PostgreSQL. */
export const createIncidentStore = (reaches: Pick<ReachesAddresses, 'reaching'>): IncidentRows => ({
  incidents: new SqlIncidentRepository(),
  settings: new TypeormIncidentSettings(),
  checks: new SqlDestinationChecks(),
  pages: new SqlPageQueue(),
  notified: new SqlAlwaysNotified(reaches),
});

/** The way to PagerDuty. */
export const createPager = (fetch: GuardedFetch): Pager => new GuardedPager(fetch);

export interface IncidentDeps {
  readonly uow: UnitOfWork;
  readonly rows: IncidentRows;
  readonly audit: AuditSink;
  readonly outbox: Outbox;
  readonly twoPersonRule: TwoPersonRule;
  readonly policy: Pick<PolicyDecisionPoint, 'decide' | 'evaluate'>;
  readonly proofs: MfaProofs;
  readonly seats: Pick<Seats, 'standingOf'>;
  readonly vault: Pick<SecretVault, 'resolve'>;
  readonly pager: Pager;
  readonly autonomy: AutonomyReader;
  readonly plan: {
    readonly plans: Pick<PlanRepository, 'withStatus'>;
    readonly readDescription: Pick<ReadDescription, 'execute'>;
  };
  readonly approval: {
    readonly planSubjects: PlanSubjects;
    readonly people: People;
    readonly voidRequests: Pick<VoidRequests, 'glassBroken'>;
  };
  readonly runs: Pick<CreateRun, 'execute'>;
  readonly reaches: Omit<ReachesAddresses, 'reaching'>;
  /** The address of Countersign in a browser. */
  readonly publicUrl: string;
  /** The operator's rule for an address, by its spelling. */
  readonly mayConnect: (tenantId: TenantId, url: URL) => Promise<'allowed' | 'public' | 'refused'>;
}

/** Break-glass and incidents. */
export type Incidents = ReturnType<typeof createIncidents>;

export function createIncidents(deps: IncidentDeps) {
  const { uow, audit, outbox, twoPersonRule, policy, proofs, seats, vault, autonomy, publicUrl } = deps;
  const { plans, readDescription } = deps.plan;
  const { planSubjects: subjects, people, voidRequests } = deps.approval;
  const { incidents, settings, checks, pages, notified } = deps.rows;
  const channelOf = (address: string): string | null => deps.reaches.channelOf(address);
  const journal = new IncidentJournal(incidents, settings, pages, audit, outbox);
  const checkDestinations = new CheckDestinations(uow, settings, checks, deps.reaches, audit, outbox);
  return {
    checkDestinations,
    followRun: new FollowRun(incidents, journal),
    followSlack: new FollowSlack(settings, checks, audit, outbox, (address) => channelOf(address) === SLACK),
    invokeBreakGlass: new InvokeBreakGlass(uow, {
      subjects,
      plans,
      people,
      proofs,
      policy,
      approvals: voidRequests,
      runs: deps.runs,
      incidents,
      settings,
      journal,
      audit,
    }),
    breakGlassAvailability: new BreakGlassAvailability({
      uow,
      subjects,
      plans,
      people,
      proofs,
      policy,
      notices: {
        settings,
        checks,
        people: notified,
        channelOf,
      },
    }),
    actOnIncident: new ActOnIncident(uow, incidents, seats, journal),
    escalateOverdue: new EscalateOverdue(uow, incidents, settings, journal),
    readIncidents: new ReadIncidents(uow, incidents, pages, seats, notified),
    incidentEvidence: new IncidentEvidence(incidents),
    incidentNotices: new IncidentNotices(incidents, settings, notified, readDescription, publicUrl),
    destinationNotices: new DestinationNotices(checks, settings, notified, publicUrl),
    slackNotices: new SlackNotices({ people, autonomy, settings, checks, notified, channelOf, publicUrl }),
    changeIncidentSettings: new ChangeIncidentSettings({
      uow,
      settings,
      vault,
      mayConnect: deps.mayConnect,
      autonomy,
      checks,
      testing: checkDestinations,
      reaches: deps.reaches,
      twoPersonRule,
      audit,
    }),
    resendPages: new ResendPages(uow, pages, audit),
    sendPages: new SendPages(uow, {
      pages,
      incidents,
      settings,
      vault,
      pager: deps.pager,
      journal,
      publicUrl,
    }),
  };
}
