import type { VerificationCode } from './verification-failure.js';

type Check = readonly [VerificationCode, string];

const sameCall: Check = ['story.executed_digest', 'the call ID was sent and answered as it was decided'];

/** The checks of the story of an automation's run that read the payload of an entry, by its action. `ID` stands for the entry's subject. */
export const AUTOMATION_RUN_CHECKS: ReadonlyMap<string, readonly Check[]> = new Map<string, readonly Check[]>([
  ['automation_run.step_called', [['story.call_not_allowed', 'each call of the run ID was decided before']]],
  [
    'tool_call.decided',
    [
      ['story.call_decision', 'the call ID was decided as policy said'],
      ['story.call_not_allowed', 'the call ID was allowed if it was sent'],
      sameCall,
    ],
  ],
  ['tool_call.dispatched', [['story.call_attempt', 'the call ID was sent once an attempt'], sameCall]],
  ...['cancelled', 'expired', 'succeeded', 'failed', 'unknown', 'resolved', 'late_answer'].map(
    (what): [string, readonly Check[]] => [`tool_call.${what}`, [sameCall]],
  ),
]);
