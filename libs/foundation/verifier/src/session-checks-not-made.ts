import type { VerificationCode } from './verification-failure.js';

type Check = readonly [VerificationCode, string];

const decided: Check = ['story.call_decision', 'the call ID was decided as policy and people said'];
const sameCall: Check = ['story.executed_digest', 'the call ID was sent and answered as it was decided'];
const sameTree: Check = ['story.executed_tree', 'the call ID was sent with the tree that was decided on'];
const ranTree: Check = ['story.executed_tree', 'no runner executed another tree for the call ID than it was sent'];
const underSettings: Check = ['story.call_settings', 'each call was judged under the settings of the session'];
const inForce: Check = ['story.trust_used', 'each "always" that let a call through was in force, and covered it'];
const ofRequest: readonly Check[] = [
  ['story.approval_digest', 'exactly the call of the request ID was approved'],
  ['story.quorum', 'the right people approved by the request ID'],
  ['story.confirm_word', 'each approval by the request ID has the typed word, if policy obliged to it'],
  ['story.reviewer', 'each person who answered the request ID was one who may'],
];

/** The checks of a session's story that read the payload of an entry, by its action. `ID` stands for the entry's subject. */
export const SESSION_CHECKS: ReadonlyMap<string, readonly Check[]> = new Map<string, readonly Check[]>([
  ['approval_request.opened', [...ofRequest, ['story.trust', 'the call of the request ID took an "always"']]],
  [
    'review.submitted',
    [
      ...ofRequest,
      ['story.review_decision', 'policy allowed each answer to the request ID'],
      ['story.trust', 'an "always" was part of an answer to the request ID'],
    ],
  ],
  ['session.opened', [underSettings]],
  ['session.changed', [underSettings]],
  ['session.trusted', [['story.trust', 'each "always" was said in an answer to a call like those it covers'], inForce]],
  ['session.trust_revoked', [inForce]],
  [
    'tool_call.asked',
    [
      decided,
      ['story.call_changed', 'people were asked about the call ID as it was decided'],
      ['story.quorum', 'the right people approved the call ID'],
      ['story.reviewer', 'each person who answered about the call ID was one who may'],
      ['story.trust', 'an "always" was said about calls like ID'],
    ],
  ],
  [
    'tool_call.decided',
    [
      decided,
      ['story.call_after_end', 'the call ID was not allowed after the end of the session'],
      ['story.call_not_allowed', 'the call ID was allowed if it was sent'],
      sameCall,
      sameTree,
      inForce,
      ['story.trust_own', 'nobody behind the call ID let it through by an "always"'],
    ],
  ],
  ['tool_call.dispatched', [['story.call_attempt', 'the call ID was sent once an attempt'], sameCall, sameTree]],
  ...['cancelled', 'expired', 'failed', 'unknown', 'resolved'].map((what): [string, readonly Check[]] => [
    `tool_call.${what}`,
    [sameCall],
  ]),
  ...['succeeded', 'late_answer'].map((what): [string, readonly Check[]] => [`tool_call.${what}`, [sameCall, ranTree]]),
]);
