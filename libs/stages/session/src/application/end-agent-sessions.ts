import type { AgentId, Principal, Tx } from '#lib/kernel';
import { isOpen } from '../domain/session.js';
import type { SessionEnding } from './end-session.js';
import type { SessionRepository } from './session.ports.js';

const CHUNK = 100;

/** Ends every open session that an agent takes part in, in the transaction in which the agent is disabled. */
export class EndAgentSessions {
  constructor(
    private readonly sessions: Pick<SessionRepository, 'list' | 'lock'>,
    private readonly ending: SessionEnding,
  ) {}

  /** @param by the time in epoch milliseconds, and the principal of the records. */
  async execute(
    tx: Tx,
    agentId: AgentId,
    { principal, at }: { readonly principal: Principal; readonly at: number },
  ): Promise<void> {
    for (;;) {
      // A session that has ended has left the list: the first page is the next.
      const open = await this.sessions.list(tx, { state: 'open', agentId }, { limit: CHUNK, after: null });
      if (open.length === 0) return;
      for (const { id } of open) {
        const session = await this.sessions.lock(tx, id);
        if (session !== null && isOpen(session)) await this.ending.end(tx, session, 'cancel', principal, at);
      }
    }
  }
}
