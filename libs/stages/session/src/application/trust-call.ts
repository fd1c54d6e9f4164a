import {
  actsInPerson,
  err,
  newId,
  ok,
  type Failure,
  type Principal,
  type Result,
  type SessionTrustId,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import type { Session } from '../domain/session.js';
import { sessionEnded } from '../domain/session-transitions.js';
import { fits, shapeTooLong, type SessionTrust, type TrustedCall } from '../domain/session-trust.js';
import type { SessionJournal } from './session-journal.js';
import type { SessionTrustRepository } from './session.ports.js';

/**
 * Keeps a person's "always": later calls of the session with the same tool and shape answer the preset's question by it. It is
 * part of that person's answer to a call, so the rules of reviews admit the person. Only the credential is checked here (T55).
 */
export class TrustCall {
  constructor(
    private readonly trusts: SessionTrustRepository,
    private readonly journal: SessionJournal,
  ) {}

  /**
   * In the transaction of the answer.
   *
   * @param session locked.
   * @param callId the call that the person answered.
   * @returns the trust, or the one that is in force already; `session.trusted_by_token`, `session.ended`,
   *   `session.shape_too_long`.
   */
  async execute(
    tx: Tx,
    by: Principal,
    session: Session,
    { tool, shape }: TrustedCall,
    callId: ToolCallId,
  ): Promise<Result<SessionTrust>> {
    if (!actsInPerson(by)) return err(byToken);
    if (session.state !== 'open') return err(sessionEnded);
    if (!fits({ tool, shape })) return err(shapeTooLong);
    const inForce = await this.trusts.covering(tx, session.id, { tool, shape });
    if (inForce !== null) return ok(inForce);
    const trust: SessionTrust = {
      id: newId<SessionTrustId>(),
      sessionId: session.id,
      tool,
      shape,
      madeBy: by.personId,
      credentialId: by.credentialId,
      madeAt: await tx.now(),
      revoked: null,
    };
    await this.trusts.insert(tx, trust);
    await this.journal.record(tx, 'session.trusted', session, by, {
      level: 'full',
      payload: { trust_id: trust.id, tool, shape, tool_call_id: callId },
    });
    return ok(trust);
  }
}

const byToken: Failure = {
  kind: 'forbidden',
  code: 'session.trusted_by_token',
  message: 'A token cannot say "always": an agent may have it.',
  action: 'Sign in to a browser and answer there, or answer in Slack.',
};
