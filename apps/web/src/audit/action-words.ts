import { ownMember } from '#lib/canonical';

/** Names that a subject of an entry goes by, if its own does not say it. */
const SUBJECTS: Readonly<Record<string, string>> = {
  approval_request: 'request',
  audit_checkpoint: 'checkpoint',
  audit_key: 'log key',
  audit_payload: 'payload',
  audit_retention: 'retention',
  automation_run: 'run of an automation',
  autonomy: 'autonomy document',
  break_glass: 'break-glass',
  credential: 'token',
  factor: 'second factor',
  outbox_message: 'message',
  push_subscription: 'notifications of a browser',
  sign_in: 'sign-in',
  slack: 'Slack app',
  slack_app: 'Slack app',
  slack_interaction: 'Slack click',
  slack_user: 'Slack account',
  step_up: 'step-up',
};

const ACTIONS: Readonly<Record<string, string>> = {
  'absence.begun': 'Delegation begun',
  'absence.ended': 'Delegation ended',
  'agent.handed_over': 'Agent handed over to another owner',
  'approval_request.not_required': 'No approval required',
  'approval_request.throttled': 'Asking for approval slowed down',
  'automation.missed': 'Time of an automation missed',
  'automation_run.skipped': 'Run of an automation left out',
  'automation_run.step_blocked': 'Step of an automation blocked',
  'automation_run.step_called': 'Tool called by an automation',
  'automation_run.step_ended': 'Step of an automation ended',
  'automation_safe_tool.added': 'Tool accepted for automations',
  'automation_safe_tool.forgery_removed': 'Forged tool for automations removed',
  'automation_safe_tool.removed': 'Tool no longer accepted for automations',
  'change.applied_alone': 'Change put in force by one person alone',
  'enrolment.issued': 'Invitation issued',
  'enrolment.withdrawn': 'Invitation withdrawn',
  'record.not_authentic': 'Record refused: its seal does not fit',
  'run.health_evaluated': 'Health of a run evaluated',
  'slack.routed': 'Slack channels set',
  'step_up.proved': 'Second factor proved',
  'tool_call.asked': 'People asked about a tool call',
  'tool_call.decided': 'Tool call decided',
  'tool_call.dispatched': 'Tool call dispatched',
  'tool_call.succeeded': 'Tool call succeeded',
  'tool_call.failed': 'Tool call failed',
  'tool_call.unknown': 'Outcome of a tool call unknown',
  'siem_collector.tested': 'Test sent to the SIEM collector',
  'embedder.tested': 'Test sent to the embedder',
  'tool_call.expired': 'Allowed tool call not made in time',
  'tool_call.cancelled': 'Allowed tool call denied before it left',
  'tool_call.limited': 'Tool calls refused by a limit',
  'tool_call.late_answer': 'Late answer to a tool call',
  'tool_call.resolved': 'Unknown tool call resolved',
  'webhook.resent': 'Webhook delivery sent again',
  'webhook.secret_rotated': 'Secret of a webhook made',
  'webhook.tested': 'Test sent to a webhook',
};

/** The action of an entry, in words: `approval_request.voided` is "Request voided". */
export function actionInWords(action: string): string {
  const known = ownMember(ACTIONS, action);
  if (known !== undefined) return known;
  const [subject = '', ...done] = action.split('.');
  const words = `${ownMember(SUBJECTS, subject) ?? subject} ${done.join(' ')}`.replaceAll('_', ' ').trim();
  return words.replace(/^./, (first) => first.toUpperCase());
}
