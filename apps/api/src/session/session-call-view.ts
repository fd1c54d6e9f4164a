import type { SessionCallView } from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';
import type { Session } from '#lib/session';
import type { ReadCall } from '#lib/tool-call';
import { pathVerdictView } from '../policy/path-verdict-view.js';
import { shellVerdictView } from '../policy/shell-verdict-view.js';
import { submitterView } from '../task/task-views.js';

/** A call of a session as the API answers it. */
export const sessionCallView = (
  { approvalSeconds }: Pick<Session, 'approvalSeconds'>,
  { call, level, category, impact, command }: ReadCall,
): SessionCallView => ({
  id: call.id,
  tool: call.tool.name,
  tool_version: call.tool.version,
  submitter: submitterView(call.submitter),
  client_call_id: call.clientCallId,
  turn_id: call.turnId,
  reason: call.reason,
  // Zod's type of JSON has no readonly members.
  arguments: call.arguments as SessionCallView['arguments'],
  targets: [...call.targets],
  risk: level,
  category,
  impact,
  command,
  shell: call.shell === null ? null : shellVerdictView(call.shell),
  paths: call.paths && pathVerdictView(call.paths),
  state: call.state,
  decision: call.state === 'pending' ? null : call.decidedAs,
  denial: 'denial' in call ? call.denial : null,
  decision_id: call.decisionId,
  request_id: call.requestId,
  asked_at: toTimestamp(call.askedAt),
  answer_by: call.state === 'pending' ? toTimestamp(call.askedAt + approvalSeconds * 1_000) : null,
  decided_at: call.state === 'pending' ? null : toTimestamp(call.decidedAt),
  executor: call.executor?.name ?? null,
  // As the arguments.
  result: 'result' in call ? (call.result as SessionCallView['result']) : null,
  error: 'error' in call ? call.error : null,
  finished_at: toTimestampOrNull('finishedAt' in call ? call.finishedAt : null),
});
