import { ownMember } from '#lib/canonical';
import type { PathOf } from '#lib/client';
import { BROWSER_SESSION } from './query-client.js';

/** Paths of the API that pages read. */
export type Paths = readonly PathOf<'get'>[];

/** The paths that show plans. */
const PLANS: Paths = ['/v1/plans', '/v1/tasks/{id}/plans', '/v1/break-glass/availability'];

/** The paths that may answer otherwise after a change of this kind, and with each the paths below it. */
const AFFECTED: Readonly<Record<string, Paths>> = {
  approval_request: ['/v1/approval-requests', '/v1/tasks/{id}/changes-asked', ...PLANS, '/v1/inbox', '/v1/overview'],
  plan: [...PLANS, '/v1/approval-requests', '/v1/tasks'],
  run: ['/v1/runs', '/v1/reports/production-changes', ...PLANS, '/v1/tasks', '/v1/overview', '/v1/inbox'],
  task: ['/v1/tasks'],
  halt: ['/v1/halts', '/v1/runs', '/v1/automations/safe-tools'],
  change_request: [
    ...(['/v1/change-requests', '/v1/inbox', '/v1/autonomy', '/v1/tools', '/v1/webhooks'] as const),
    ...(['/v1/lifecycle-hooks', '/v1/siem-collector', '/v1/embedder'] as const),
    ...(['/v1/environments', '/v1/slack', '/v1/issuers'] as const),
    ...(['/v1/incident-settings', '/v1/incident-destinations'] as const),
    ...(['/v1/automation-safe-list', '/v1/automations/safe-tools', '/v1/secrets', '/v1/audit/keys'] as const),
    ...(['/v1/people', '/v1/roles', '/v1/invitations', '/v1/agents', '/v1/sign-in/options', '/v1/set-up'] as const),
    ...(['/v1/configuration/{name}', '/v1/audit/checkpoint'] as const),
  ],
  session: ['/v1/sessions'],
  tool_call: ['/v1/sessions', '/v1/tool-calls/{id}'],
  tool_call_output: ['/v1/tool-calls/{id}/output'],
  incident: ['/v1/incidents', '/v1/overview', '/v1/inbox'],
  comment: ['/v1/approval-requests/{id}/comments', '/v1/change-requests/{id}/comments', '/v1/unread-comments'],
  person: ['/v1/people', BROWSER_SESSION],
  agent: ['/v1/agents'],
  automation: ['/v1/automations'],
  automation_run: ['/v1/automations/{id}'],
  webhook: ['/v1/webhooks'],
  lifecycle_hook: ['/v1/lifecycle-hooks'],
};

/** The paths that pages read again after an event of this type. */
export const affectedBy = (type: string): Paths => ownMember(AFFECTED, type) ?? [];
