import { relevantDocument, type AutonomyReader } from '#lib/autonomy';
import type { Decision } from '#lib/policy-inputs';
import {
  err,
  ok,
  type Failure,
  type Principal,
  type Result,
  type SessionId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import type { PolicyDecisionPoint, RecordedDecision } from '#lib/policy';
import type { EnvironmentReader } from '#lib/task';
import { sameAutonomy, type Session, type SessionAutonomy } from '../domain/session.js';
import { sessionChangeInput } from '../domain/session-change-input.js';
import { sessionEnded } from '../domain/session-transitions.js';
import type { SessionAccess } from './session-access.js';
import { autonomyPayload, type SessionJournal } from './session-journal.js';
import type { SessionRepository } from './session.ports.js';

/** The ports of the use case. */
export interface ChangeSessionPorts {
  readonly uow: UnitOfWork;
  readonly sessions: Pick<SessionRepository, 'saveAutonomy'>;
  readonly access: SessionAccess;
  readonly environments: Pick<EnvironmentReader, 'byId'>;
  readonly autonomy: AutonomyReader;
  readonly policy: Pick<PolicyDecisionPoint, 'decide'>;
  readonly journal: SessionJournal;
}

/**
 * Changes preset, level or mode of a session; the next call is decided by them. Policy decides whether the change is looser
 * anywhere: everybody who takes part tightens, and a person loosens in a browser or in Slack (T55).
 *
 * Failures: `resource.not_found`, `session.not_yours`, `session.ended`; `session.loosened_by_token` and `policy.denied`, both
 * recorded.
 */
export class ChangeSessionAutonomy {
  constructor(private readonly ports: ChangeSessionPorts) {}

  execute(by: Principal, id: SessionId, change: Partial<SessionAutonomy>): Promise<Result<Session>> {
    const { uow, access, sessions, journal } = this.ports;
    return uow.run(by.tenantId, async (tx) => {
      const found = await access.toChange(tx, by, id);
      if (!found.ok) return found;
      const session = found.value;
      if (session.state !== 'open') return err(sessionEnded);
      const autonomy = { ...session.autonomy, ...change };
      if (sameAutonomy(session.autonomy, autonomy)) return ok(session);
      const decided = await this.decide(tx, by, session, autonomy);
      const entry = {
        level: decided.decision.obligations.audit_level,
        decisionId: decided.id,
        payload: { before: autonomyPayload(session.autonomy), after: autonomyPayload(autonomy) },
      };
      if (decided.decision.outcome !== 'allow') {
        await journal.record(tx, 'session.change_refused', session, by, entry);
        return err(refusedBy(decided.decision));
      }
      const changed: Session = { ...session, autonomy, revision: session.revision + 1 };
      await sessions.saveAutonomy(tx, changed);
      await journal.record(tx, 'session.changed', changed, by, entry);
      return ok(changed);
    });
  }

  private async decide(
    tx: Tx,
    principal: Principal,
    session: Session,
    after: SessionAutonomy,
  ): Promise<RecordedDecision> {
    const { environments, autonomy, policy } = this.ports;
    const environment = await environments.byId(tx, session.environment.id);
    if (environment === undefined) throw new Error(`session ${session.id} is in no environment`);
    const document = (await autonomy.current(tx))?.document ?? null;
    const { id, name, production, version } = environment;
    const subject = { type: 'session', id: session.id };
    const input = sessionChangeInput({
      tenantId: tx.tenantId,
      now: await tx.now(),
      autonomy: relevantDocument(document, name, ''),
      principal,
      environment: { id, name, production, version },
      before: session.autonomy,
      after,
    });
    return policy.decide(tx, 'session_change', input, { subject, within: [subject] });
  }
}

const LOOSENED_BY_TOKEN = 'session.loosened_by_token';

const refusedBy = ({ reasons }: Decision): Failure =>
  reasons.some(({ code }) => code === LOOSENED_BY_TOKEN)
    ? {
        kind: 'forbidden',
        code: LOOSENED_BY_TOKEN,
        message: 'This change lets calls through that the session asks about now, and a token may only tighten.',
        action: 'Have a person change it, signed in to a browser or in Slack.',
        reasons,
      }
    : {
        kind: 'forbidden',
        code: 'policy.denied',
        message: 'Policy does not allow this change of the session.',
        action: 'Read the reasons, and fix each of them.',
        reasons,
      };
