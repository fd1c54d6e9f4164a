import { v7 } from 'uuid';
import { rolloutPlan } from './stages.js';

/** How a route that takes an id is called with somebody else's. */
interface Trespass {
  /** Which kind of id each parameter is. */
  readonly ids: Readonly<Record<string, string>>;
  /** A document that passes validation, so that it is the id that is refused. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

const digest = `sha256:${'0'.repeat(64)}`;
const note = { note: 'a drill' };

const REPORT = {
  outcome: 'succeeded',
  jti: '0199d0e0-0000-7000-8000-000000000000',
  arguments_digest: 'sha256:0',
  result: null,
};

/** Every route with an id in its path. A missing one fails the test: add the owner of its id. */
export const trespasses: Readonly<Record<string, Trespass>> = {
  absences_end: { ids: { id: 'absence' } },
  agents_change: { ids: { id: 'agent' }, body: { name: 'taken over' } },
  agents_delegate: { ids: { id: 'agent' }, body: { name: 'mine' } },
  agents_get: { ids: { id: 'agent' } },
  agents_reviewers: { ids: { id: 'agent' } },
  agents_token: { ids: { id: 'agent' }, body: { name: 'mine' } },
  approvalRequests_get: { ids: { id: 'request' } },
  approvalRequests_open: { ids: { id: 'plan' }, body: {} },
  approvalRequests_review: { ids: { id: 'request' }, body: { verdict: 'approve', plan_digest: digest } },
  approvalRequests_changesAsked: { ids: { id: 'task' } },
  approvalRequests_reviewers: { ids: { id: 'request' } },
  approvalRequests_reviews: { ids: { id: 'request' } },
  approvalRequests_withdraw: { ids: { id: 'request' } },
  audit_get: { ids: { id: 'entry' } },
  changeRequests_confirm: { ids: { id: 'change' }, body: { change_digest: digest } },
  changeRequests_get: { ids: { id: 'change' } },
  changeRequests_reject: { ids: { id: 'change' }, body: { comment: 'a drill' } },
  changeRequests_withdraw: { ids: { id: 'change' } },
  comments_commentOnChange: { ids: { id: 'change' }, body: { body: 'a drill' } },
  comments_commentOnRequest: { ids: { id: 'request' }, body: { body: 'a drill' } },
  comments_ofChange: { ids: { id: 'change' } },
  comments_ofRequest: { ids: { id: 'request' } },
  comments_readOfChange: { ids: { id: 'change' } },
  comments_readOfRequest: { ids: { id: 'request' } },
  decisions_get: { ids: { id: 'decision' } },
  environments_change: { ids: { id: 'environment' }, body: { production: false }, headers: { 'if-match': '"1"' } },
  environments_get: { ids: { id: 'environment' } },
  evidence_assemble: { ids: { id: 'plan' }, body: {} },
  evidence_assembleChange: { ids: { id: 'change' }, body: {} },
  factorReset_reset: { ids: { id: 'person' }, body: { reason: 'a drill' } },
  factors_confirmTotp: { ids: { id: 'factor' }, body: { code: '000000' } },
  factors_remove: { ids: { id: 'factor' } },
  halts_get: { ids: { id: 'halt' } },
  halts_lift: { ids: { id: 'halt' }, body: note },
  incidentPages_retry: { ids: { id: 'page' } },
  incidents_acknowledge: { ids: { id: 'incident' }, body: {} },
  incidents_get: { ids: { id: 'incident' } },
  incidents_note: { ids: { id: 'incident' }, body: { text: 'seen' } },
  incidents_resolve: { ids: { id: 'incident' }, body: { post_mortem: 'over' } },
  incidents_review: { ids: { id: 'incident' }, body: { comment: 'fine' } },
  outbox_retry: { ids: { id: 'message' } },
  people_change: { ids: { id: 'person' }, body: { disabled: true } },
  people_enrol: { ids: { id: 'person' } },
  people_mail: { ids: { id: 'person' } },
  people_get: { ids: { id: 'person' } },
  people_assign: { ids: { id: 'person' }, body: { role: 'SRELead' } },
  people_vouch: { ids: { id: 'person' }, body: { fingerprint: '00000 00000 00000 00000 00000 00000' } },
  people_revoke: { ids: { id: 'person', role: '=PlatformAdmin' } },
  people_withdraw: { ids: { id: 'person' } },
  plans_diff: { ids: { id: 'plan' }, query: `?against=${v7()}` },
  plans_get: { ids: { id: 'plan' } },
  plans_listOfTask: { ids: { id: 'task' } },
  plans_submit: { ids: { id: 'task' }, body: rolloutPlan() },
  plans_withdraw: { ids: { id: 'plan' } },
  queue_claim: { ids: { id: 'request' } },
  queue_release: { ids: { id: 'request' } },
  queue_seen: { ids: { id: 'request' } },
  pushSubscriptions_end: { ids: { id: 'subscription' } },
  runs_cancel: { ids: { id: 'run' }, body: note },
  runs_events: { ids: { id: 'run' } },
  runs_get: { ids: { id: 'run' } },
  runs_pause: { ids: { id: 'run' }, body: note },
  runs_report: { ids: { id: 'run', attemptId: 'step' }, body: REPORT },
  runs_resolve: { ids: { id: 'run', stepId: 'step' }, body: { effect: 'happened', note: 'seen' } },
  runs_resume: { ids: { id: 'run' }, body: note },
  runs_rollBack: { ids: { id: 'run' }, body: note },
  runs_start: { ids: { id: 'plan' } },
  runs_work: { ids: { id: 'run' } },
  runners_revoke: { ids: { id: 'runner' } },
  browserSessions_end: { ids: { id: 'session' } },
  sessionCalls_list: { ids: { id: 'agentSession' } },
  sessionToolCalls_submit: { ids: { id: 'agentSession' }, body: { tool: 'query_assets', arguments: {} } },
  sessionTrusts_list: { ids: { id: 'agentSession' } },
  sessionTrusts_revoke: { ids: { id: 'agentSession', trust: 'trust' } },
  sessions_change: { ids: { id: 'agentSession' }, body: { level: 'MANUAL' } },
  sessions_end: { ids: { id: 'agentSession' }, body: {} },
  sessions_get: { ids: { id: 'agentSession' } },
  simulations_get: { ids: { id: 'simulation' } },
  simulations_list: { ids: { id: 'plan' } },
  simulations_start: { ids: { id: 'plan' } },
  stepUps_prove: { ids: { id: 'stepUp' }, body: { method: 'totp', code: '000000' } },
  tasks_cancel: { ids: { id: 'task' } },
  tasks_get: { ids: { id: 'task' } },
  toolCalls_cancel: { ids: { id: 'toolCall' } },
  toolCalls_get: { ids: { id: 'toolCall' } },
  toolCalls_report: { ids: { id: 'toolCall' }, body: REPORT },
  toolCalls_resolve: { ids: { id: 'toolCall' }, body: { outcome: 'succeeded', note: 'It was done.' } },
  tokens_revoke: { ids: { id: 'token' } },
};
