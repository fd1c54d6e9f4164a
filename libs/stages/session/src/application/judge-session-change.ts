import { relevantDocument, type AutonomyReader } from '#lib/autonomy';
import type { Decision } from '#lib/formats';
import type { Failure, Principal, Tx } from '#lib/kernel';
import type { PolicyDecisionPoint, RecordedDecision } from '#lib/policy';
import type { EnvironmentReader } from '#lib/task';
import type { Session, SessionAutonomy } from '../domain/session.js';
import { sessionChangeInput } from '../domain/session-change-input.js';

/** Has policy decide whether settings are looser than others anywhere, and who may loosen them (T55). */
export class JudgeSessionChange {
  constructor(
    private readonly environments: Pick<EnvironmentReader, 'byId'>,
    private readonly autonomy: AutonomyReader,
    private readonly policy: Pick<PolicyDecisionPoint, 'decide'>,
  ) {}

  async execute(
    tx: Tx,
    principal: Principal,
    session: Pick<Session, 'id' | 'environment'>,
    { before, after }: { readonly before: SessionAutonomy; readonly after: SessionAutonomy },
  ): Promise<RecordedDecision> {
    const environment = await this.environments.byId(tx, session.environment.id);
    if (environment === null) throw new Error(`session ${session.id} is in no environment`);
    const document = (await this.autonomy.current(tx))?.document ?? null;
    const { id, name, production, version } = environment;
    const subject = { type: 'session', id: session.id };
    const input = sessionChangeInput({
      tenantId: tx.tenantId,
      now: await tx.now(),
      autonomy: relevantDocument(document, name, ''),
      principal,
      environment: { id, name, production, version },
      before,
      after,
    });
    return this.policy.decide(tx, 'session_change', input, { subject, within: [subject] });
  }
}

const LOOSENED_BY_TOKEN = 'session.loosened_by_token';

/** The refusal of a decision. @param byToken its words if all that is wrong is the token. */
export const refusedBy = ({ reasons }: Decision, byToken: Pick<Failure, 'code' | 'message' | 'action'>): Failure =>
  reasons.some(({ code }) => code === LOOSENED_BY_TOKEN)
    ? { kind: 'forbidden', ...byToken, reasons }
    : {
        kind: 'forbidden',
        code: 'policy.denied',
        message: 'Policy does not allow these settings of the session.',
        action: 'Read the reasons, and fix each of them.',
        reasons,
      };

/** The words for a change of a session. */
export const changedByToken = {
  code: LOOSENED_BY_TOKEN,
  message: 'This change lets calls through that the session asks about now, and a token may only tighten.',
  action: 'Have a person change it, signed in to a browser or in Slack.',
};

/** The words for a larger budget. */
export const raisedByToken: Failure = {
  kind: 'forbidden',
  code: LOOSENED_BY_TOKEN,
  message: 'A token may only lower the budget of calls.',
  action: changedByToken.action,
};

/** The words for a new session. */
export const openedByToken = {
  code: 'session.opened_looser',
  message:
    'This session would let calls through that a session asks about by default. A token may not open such a session.',
  action: 'Have a person open it, signed in to a browser, or leave preset, level and mode out.',
};

/** The words for the limits of a new session. */
export const limitsByToken: Failure = {
  kind: 'forbidden',
  code: openedByToken.code,
  message: 'A token opens no session with more calls, or a longer wait for answers, than a session has by default.',
  action:
    'Have a person open it, signed in to a browser, or leave call_budget, calls_per_turn and approval_seconds out.',
};
