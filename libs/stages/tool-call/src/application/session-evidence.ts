import type { Approvals } from '#lib/approval';
import type { PageRequest, SessionId, Tx } from '#lib/kernel';
import type { ToolCallRepository } from './tool-call.port.js';

const CHUNK = 200;

type RequestEvidence = Pick<Approvals['approvalEvidence'], 'about'>;
type Documents = Awaited<ReturnType<RequestEvidence['about']>>;

/** Hands out the requests and reviews about the calls of a session, for its evidence pack. */
export class SessionEvidence {
  readonly section = 'session';

  constructor(
    private readonly calls: Pick<ToolCallRepository, 'list'>,
    private readonly requests: RequestEvidence,
  ) {}

  async collect(tx: Tx, id: SessionId): Promise<Documents> {
    const documents: Documents[number][] = [];
    for (let after: PageRequest['after'] = null; ;) {
      const calls = await this.calls.list(tx, { sessionId: id, agentId: null, state: null }, { limit: CHUNK, after });
      for (const { requestId } of calls)
        if (requestId !== null) documents.push(...(await this.requests.about(tx, requestId)));
      const last = calls.at(-1);
      if (last === undefined || calls.length < CHUNK) return documents;
      after = { at: last.askedAt, id: last.id };
    }
  }
}
