import {
  actsInPerson,
  err,
  newId,
  ok,
  type Failure,
  type Principal,
  type Result,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import type { SessionTrustId } from '../domain/ids.js';
import type { Session } from '../domain/session.js';
import { sessionEnded } from '../domain/session-transitions.js';
import { fits, isSameAnswer, shapeTooLong, type SessionTrust, type TrustedCall } from '../domain/session-trust.js';
import type { SessionJournal } from './session-journal.js';
import type { SessionTrustRepository } from './session.ports.js';

/**
 * Keeps a person's "always". Later calls of the session with the same tool and shape answer the preset's question by
 * it. It is part of that person's answer to a call, so the rules of reviews apply to the person. Only the credential is
 * checked here (T55).
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
   * @param answered the call that the person answered, and whether they proved a second factor for it.
   * @returns the trust, or the one that the same credential said before; `session.trusted_by_token`, `session.ended`,
   *   `session.shape_too_long`.
   */
  async execute(
    tx: Tx,
    by: Principal,
    session: Session,
    { tool, toolDigest, executorDigest, shape }: TrustedCall,
    { callId, factorProved }: { readonly callId: ToolCallId; readonly factorProved: boolean },
  ): Promise<Result<SessionTrust>> {
    if (!actsInPerson(by)) return err(byToken);
    if (session.state !== 'open') return err(sessionEnded);
    const call = { tool, toolDigest, executorDigest, shape };
    if (!fits(call)) return err(shapeTooLong);
    const answer = { credentialId: by.credentialId, factorProved };
    const inForce = await this.trusts.covering(tx, session.id, call);
    const before = inForce.find((other) => isSameAnswer(other, answer));
    if (before !== undefined) return ok(before);
    const trust: SessionTrust = {
      id: newId<SessionTrustId>(),
      sessionId: session.id,
      ...call,
      madeBy: by.personId,
      ...answer,
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
