import type { ApprovalState } from '#lib/formats';
import { err, ok, type AgentId, type Failure, type Principal, type Result } from '#lib/kernel';

/** How many comments an agent writes on a task's requests before a person answers. */
export const MAX_UNANSWERED = 5;
/** How many characters an agent writes at most; people have twice as many. */
export const AGENT_CHARACTERS = 2_000;

/** The facts of a subject that decide who may comment. */
export type Speakable =
  | {
      readonly type: 'approval_request';
      readonly state: ApprovalState;
      /** The agent that submitted the plan; null for a person. */
      readonly planAgentId: AgentId | null;
    }
  | { readonly type: 'change_request' };

/**
 * Decides whether a person or an agent may write this comment. People always may. An agent comments only on requests
 * for its own plans that are open or sent back. It comments at most {@link MAX_UNANSWERED} times until a person
 * answers.
 *
 * @param unanswered how many comments agents wrote on the task's requests since a person last did.
 */
export function decideComment(
  principal: Principal,
  about: Speakable,
  body: string,
  unanswered: number,
): Result<undefined> {
  if (principal.kind === 'person') return ok(undefined);
  if (principal.kind !== 'agent' || about.type !== 'approval_request') return err(personOnly);
  if (about.planAgentId !== principal.agentId) return err(notOwnPlan);
  if (about.state !== 'open' && about.state !== 'changes_requested') return err(closed);
  if (body.length > AGENT_CHARACTERS) return err(tooLong);
  if (unanswered >= MAX_UNANSWERED) return err(limit);
  return ok(undefined);
}

/** The refusal of any author but a person. */
export const personOnly: Failure = {
  kind: 'forbidden',
  code: 'comment.person_only',
  message: 'Only people comment on a change of a guardrail.',
  action: 'Comment on an approval request of your own plan, or ask a person to comment here.',
};

const notOwnPlan: Failure = {
  kind: 'forbidden',
  code: 'comment.not_own_plan',
  message: 'Agents comment only on approval requests for plans that they submitted themselves.',
  action: 'Comment on a request of your own plan.',
};

const closed: Failure = {
  kind: 'conflict',
  code: 'comment.request_closed',
  message: 'This request is decided or over: agents comment only while it is open, or after people asked for changes.',
  action: 'Submit a new revision, ask for approval, and comment on the new request.',
};

const tooLong: Failure = {
  kind: 'unprocessable',
  code: 'comment.too_long',
  message: `An agent's comment has at most ${AGENT_CHARACTERS.toLocaleString('en')} characters.`,
  action: 'Say it in fewer words.',
  errors: [
    {
      pointer: '/body',
      code: 'comment.too_long',
      message: `must have at most ${String(AGENT_CHARACTERS)} characters`,
    },
  ],
};

const limit: Failure = {
  kind: 'conflict',
  code: 'comment.limit',
  message: `You wrote ${String(MAX_UNANSWERED)} comments on requests of this task, and no person has answered.`,
  action: 'Wait until a person comments or reviews. Then you can comment again.',
  details: { most: MAX_UNANSWERED },
};
