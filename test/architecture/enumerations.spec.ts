import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RowOf } from '#lib/database';
import type { AutonomyMode, Outcome } from '#lib/formats';
import type { AuditLevel } from '#lib/kernel';
import type { approvalRequestEntity, reviewEntity } from '#lib/approval';
import type { auditRetentionEntity } from '#lib/audit';
import type { automationSafeToolEntity, automationStepRunEntity } from '#lib/automation';
import type { changeRequestEntity } from '#lib/change-request';
import type { commentEntity } from '#lib/conversation';
import type { callGrantEntity } from '#lib/dispatch';
import type { haltEntity } from '#lib/halt';
import type { credentialEntity, enrolmentEntity } from '#lib/identity';
import type { impactReportEntity } from '#lib/impact';
import type { incidentEventEntity, incidentPageEntity } from '#lib/incident';
import type { hookExecutionEntity } from '#lib/lifecycle-hook';
import type { factorEntity, stepUpEntity } from '#lib/mfa';
import type { healthResultEntity, runEntity, runStepEntity, stepAttemptEntity } from '#lib/run';
import type { sessionEntity } from '#lib/session';
import type { issuerEntity, issuerStandingEntity } from '#lib/sign-in';
import type { secretBindingEntity } from '#lib/tenancy';
import type { toolCallEntity } from '#lib/tool-call';
import type { webhookEndpointEntity } from '#lib/webhook';
import type { Precedent } from '../../libs/evidence/precedent/src/domain/precedent.js';
import type { OutputChunk } from '../../libs/registry/runner-pool/src/application/runner.ports.js';
import type { ReminderKind } from '../../libs/stages/approval/src/domain/reminders.js';
import type { KeptChunk } from '../../libs/stages/tool-call/src/domain/call-output.js';
import type { MissingFact } from '../../libs/stages/tool-call/src/domain/unjudged-call.js';

/** Each value of a type, once: the compiler refuses one that is missing, and one too many. */
const valuesOf = <T extends string | null>(values: Readonly<Record<NonNullable<T>, true>>): readonly string[] =>
  Object.keys(values).sort();

/** The columns with values that the schema lists, with the type that their adapters read them as. */
const TYPED: Readonly<Record<string, readonly string[]>> = {
  'approval_reminder.which': valuesOf<ReminderKind>({ half_time: true, near_end: true, escalated: true }),
  'approval_request.phases': valuesOf<RowOf<typeof approvalRequestEntity>['phases']>({
    all: true,
    canary: true,
    promotion: true,
  }),
  'approval_request.start': valuesOf<RowOf<typeof approvalRequestEntity>['start']>({
    on_approval: true,
    manual: true,
    at: true,
  }),
  'approval_request.subject_type': valuesOf<RowOf<typeof approvalRequestEntity>['subjectType']>({
    plan: true,
    tool_call: true,
  }),
  'audit_entry.level': valuesOf<AuditLevel>({
    basic: true,
    detailed: true,
    full: true,
    full_with_evidence: true,
    critical: true,
  }),
  'audit_retention.level': valuesOf<RowOf<typeof auditRetentionEntity>['level']>({
    basic: true,
    detailed: true,
    full: true,
    full_with_evidence: true,
    critical: true,
  }),
  // The domain refuses the fourth risk: no automation changes production.
  'automation_safe_tool.risk': valuesOf<Exclude<RowOf<typeof automationSafeToolEntity>['risk'], 'state_change_prod'>>({
    read_only: true,
    plan_only: true,
    state_change_nonprod: true,
  }),
  'automation_step_run.type': valuesOf<RowOf<typeof automationStepRunEntity>['type']>({
    tool_action: true,
    condition: true,
    notify: true,
  }),
  'call_grant.basis': valuesOf<RowOf<typeof callGrantEntity>['basis']>({
    approval: true,
    policy: true,
    break_glass: true,
    simulation: true,
    rollback: true,
    health_check: true,
  }),
  'call_grant.source_type': valuesOf<RowOf<typeof callGrantEntity>['sourceType']>({
    run: true,
    simulation: true,
    tool_call: true,
    lifecycle_hook: true,
  }),
  'change_request.kind': valuesOf<RowOf<typeof changeRequestEntity>['kind']>({
    autonomy: true,
    tool_catalog: true,
    role_assignment: true,
    executor: true,
    environment: true,
    factor_reset: true,
    sign_in: true,
    enrolment: true,
    person_enabled: true,
    agent_owner: true,
    incident_settings: true,
    slack_app: true,
    slack_workspace: true,
    slack_routes: true,
    secret_binding: true,
    runner: true,
    audit_retention: true,
    audit_epoch: true,
    audit_key: true,
    automation_safe_tool: true,
    webhook: true,
    lifecycle_hook: true,
    siem_collector: true,
    embedder: true,
  }),
  'change_request.mfa_method': valuesOf<RowOf<typeof changeRequestEntity>['mfaMethod']>({
    passkey: true,
    totp: true,
    recovery_code: true,
  }),
  'comment.author_kind': valuesOf<RowOf<typeof commentEntity>['authorKind']>({ person: true, agent: true }),
  'comment.subject_type': valuesOf<RowOf<typeof commentEntity>['subjectType']>({
    approval_request: true,
    change_request: true,
  }),
  'comment.via': valuesOf<RowOf<typeof commentEntity>['via']>({ api: true, slack: true }),
  'credential.kind': valuesOf<RowOf<typeof credentialEntity>['kind']>({
    person_token: true,
    agent_token: true,
    delegation: true,
    browser_session: true,
    issuer_token: true,
    slack_link: true,
    automation: true,
  }),
  'decision.outcome': valuesOf<Outcome>({ allow: true, require_approval: true, deny: true }),
  'enrolment.channel': valuesOf<RowOf<typeof enrolmentEntity>['channel']>({
    shown: true,
    mailed: true,
    operator: true,
    bootstrap: true,
  }),
  'factor.kind': valuesOf<RowOf<typeof factorEntity>['kind']>({ totp: true, passkey: true }),
  'halt.kind': valuesOf<RowOf<typeof haltEntity>['kind']>({ tenant: true, environment: true, agent: true, tool: true }),
  'health_result.verdict': valuesOf<RowOf<typeof healthResultEntity>['verdict']>({
    healthy: true,
    roll_back: true,
    unclear: true,
  }),
  'impact_cell.mode': valuesOf<AutonomyMode>({ plan_only: true, canary_only: true, full_auto: true }),
  'impact_report.failure': valuesOf<RowOf<typeof impactReportEntity>['failure']>({
    batch_failed: true,
    worker_lost: true,
    change_unreadable: true,
    policies_moved: true,
  }),
  'impact_report.phase': valuesOf<RowOf<typeof impactReportEntity>['phase']>({
    waiting: true,
    working: true,
    outdated: true,
    done: true,
    cancelled: true,
    failed: true,
  }),
  'incident_event.kind': valuesOf<RowOf<typeof incidentEventEntity>['kind']>({
    opened: true,
    run: true,
    acknowledged: true,
    note: true,
    resolved: true,
    reviewed: true,
    overdue: true,
    page_failed: true,
  }),
  'incident_page.action': valuesOf<RowOf<typeof incidentPageEntity>['action']>({
    trigger: true,
    acknowledge: true,
    resolve: true,
  }),
  'incident_page.state': valuesOf<RowOf<typeof incidentPageEntity>['state']>({
    pending: true,
    sent: true,
    failed: true,
  }),
  'issuer.bearer_scopes': valuesOf<RowOf<typeof issuerEntity>['bearerScopes'][number]>({
    read: true,
    submit: true,
    run: true,
    review: true,
    halt: true,
    audit: true,
    admin: true,
  }),
  'issuer.provision': valuesOf<RowOf<typeof issuerEntity>['provision']>({ mapped: true, anybody: true, nobody: true }),
  'issuer_standing.how': valuesOf<RowOf<typeof issuerStandingEntity>['how']>({
    alone: true,
    two_people: true,
    confirmed: true,
  }),
  'lifecycle_hook_execution.kind': valuesOf<RowOf<typeof hookExecutionEntity>['kind']>({ log: true, command: true }),
  'precedent.subject_type': valuesOf<Precedent['subject']['type']>({ plan: true, tool_call: true }),
  'review.mfa_method': valuesOf<RowOf<typeof reviewEntity>['mfaMethod']>({
    passkey: true,
    totp: true,
    recovery_code: true,
  }),
  'review.verdict': valuesOf<RowOf<typeof reviewEntity>['verdict']>({
    approve: true,
    reject: true,
    request_changes: true,
  }),
  'run.phases': valuesOf<RowOf<typeof runEntity>['phases']>({ all: true, canary: true, promotion: true }),
  'run.requested': valuesOf<RowOf<typeof runEntity>['requested']>({ pause: true, cancel: true, roll_back: true }),
  'run_step.kind': valuesOf<RowOf<typeof runStepEntity>['kind']>({ call: true, health_check: true }),
  'run_step.on_failure': valuesOf<RowOf<typeof runStepEntity>['onFailure']>({
    pause: true,
    rollback: true,
    retry: true,
  }),
  'run_step.resolved_as': valuesOf<RowOf<typeof runStepEntity>['resolvedAs']>({ happened: true, did_not: true }),
  'run_step.unknown_of': valuesOf<RowOf<typeof runStepEntity>['unknownOf']>({ call: true, compensation: true }),
  'runner_output.stream': valuesOf<OutputChunk['stream']>({ stdout: true, stderr: true }),
  'secret_binding.purpose': valuesOf<RowOf<typeof secretBindingEntity>['purpose']>({
    tool_arguments: true,
    executor_token: true,
    sign_in: true,
    incidents: true,
  }),
  'session.ended_reason': valuesOf<RowOf<typeof sessionEntity>['endedReason']>({
    closed: true,
    cancelled: true,
    idle: true,
  }),
  'session.level': valuesOf<RowOf<typeof sessionEntity>['level']>({
    FULL_AUTO: true,
    SUPERVISED: true,
    CAUTIOUS: true,
    MANUAL: true,
  }),
  'session.mode': valuesOf<RowOf<typeof sessionEntity>['mode']>({
    'always-ask': true,
    'ask-on-write': true,
    'ask-on-external': true,
    'allow-safe-readonly': true,
  }),
  'session.preset': valuesOf<RowOf<typeof sessionEntity>['preset']>({
    tiers: true,
    levels: true,
    modes: true,
    cautious: true,
  }),
  'step_attempt.effect': valuesOf<RowOf<typeof stepAttemptEntity>['effect']>({ not_started: true, done: true }),
  'step_attempt.outcome': valuesOf<RowOf<typeof stepAttemptEntity>['outcome']>({
    succeeded: true,
    failed: true,
    unknown: true,
  }),
  'step_attempt.purpose': valuesOf<RowOf<typeof stepAttemptEntity>['purpose']>({ call: true, compensation: true }),
  'step_up.method': valuesOf<RowOf<typeof stepUpEntity>['method']>({ passkey: true, totp: true, recovery_code: true }),
  'tool_call.answered_by': valuesOf<RowOf<typeof toolCallEntity>['answeredBy']>({ executor: true, agent: true }),
  'tool_call.decided_as': valuesOf<RowOf<typeof toolCallEntity>['decidedAs']>({
    auto_approved: true,
    approved: true,
    rejected: true,
    trusted: true,
    timeout: true,
    denied: true,
    cancelled: true,
  }),
  'tool_call_output.stream': valuesOf<KeptChunk['stream']>({ stdout: true, stderr: true }),
  'tool_call_unjudged.code': valuesOf<MissingFact>({
    'policy.unknown_tool': true,
    'policy.unknown_environment': true,
    'policy.invalid_arguments': true,
  }),
  'webhook_endpoint.off_reason': valuesOf<RowOf<typeof webhookEndpointEntity>['offReason']>({
    person: true,
    gone: true,
    failing: true,
  }),
};

/** Columns that SQL alone reads. */
const IN_SQL: readonly string[] = ['precedent_trait.kind', 'tenant_move_state.allows'];

const WHOLE_CHECK = /check\s*\(\s*(\w+) (?:in \(([^()]*)\)\s*\)|<@ array\s*\[([^\]]*)\])/g;

/** The values that checks of a migration allow, by table and column. */
const listedIn = (migration: string): readonly (readonly [string, readonly string[]])[] =>
  [...migration.matchAll(/^create table (\w+) \(\n(.*?)\n\)/gms)].flatMap(([, table = '', columns = '']) =>
    [...columns.matchAll(WHOLE_CHECK)].map(([, column = '', values, members]) => [
      `${table}.${column}`,
      [...(values ?? members ?? '').matchAll(/'([^']+)'/g)].map(([, value = '']) => value).sort(),
    ]),
  );

const folder = join(__dirname, '../../migrations');
const listed = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .flatMap((name) => listedIn(readFileSync(join(folder, name), 'utf8')));

describe('a column with values that the schema lists', () => {
  it('has a type with exactly these values', () => {
    const found = Object.fromEntries(listed.filter(([column]) => !IN_SQL.includes(column)));
    expect(found).toEqual(TYPED);
  });

  it('is found in a migration', () => {
    const migration = `create table bad (
  kind text not null constraint bad_kind_check check (kind in ('one', 'two')),
  ways text[] not null constraint bad_ways_check check (
    ways <@ array['b', 'a']),
  constraint bad_end_check check ((ended_at is null) = (kind in ('one')))
);`;
    expect(listedIn(migration)).toEqual([
      ['bad.kind', ['one', 'two']],
      ['bad.ways', ['a', 'b']],
    ]);
  });
});
