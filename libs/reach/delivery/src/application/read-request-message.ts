import { readerOf, type ReadRequests, type ReadNotifiedRequest, type NotifiedRequest } from '#lib/approval';
import type { ApprovalRequestId, Principal, Tx } from '#lib/kernel';
import { requestMessage, type MessageContext, type RequestMessage } from '../domain/request-message.js';
import type { RecipientDirectory, MessageRecipients } from './delivery.ports.js';

/** A message compares the request with the earlier approvals of at most this many people. */
const MAX_EARLIER = 3;
const PAGE = 20;

/** Tells of earlier requests of the same kind. */
export interface PastOfRequests {
  /**
   * Null if there is no such request, or it is not open.
   *
   * @param counted as {@link OpenedFacts} has it; absent to be read.
   */
  lineOf(tx: Tx, id: ApprovalRequestId, counted?: unknown): Promise<string | null>;
}

/** Reads a request as channels show it. */
export class ReadRequestMessage {
  constructor(
    private readonly told: Pick<ReadNotifiedRequest, 'execute'>,
    private readonly requests: Pick<ReadRequests, 'get' | 'list'>,
    private readonly directory: Pick<RecipientDirectory, 'context'>,
    private readonly past: PastOfRequests,
  ) {}

  /**
   * The reads of the approval library join the enclosing transaction, which `tx` is.
   *
   * @returns null if there is no such request.
   */
  async execute(tx: Tx, id: ApprovalRequestId): Promise<RequestMessage | null> {
    const notifier: Principal = { kind: 'system', tenantId: tx.tenantId, name: 'notifier' };
    const [found, context, past] = await Promise.all([
      this.told.execute(notifier, id),
      this.directory.context(tx, id),
      this.past.lineOf(tx, id),
    ]);
    if (!found.ok || context === null) return null;
    const { approvedBefore, ...names } = context;
    const earlierApprovals = approvedBefore ? await this.#earlier(notifier, found.value) : [];
    return requestMessage(found.value, { ...names, earlierApprovals, past });
  }

  /**
   * The same from the facts of the transaction that opened the request.
   *
   * @param told the recipients, of a task without an earlier approval.
   */
  async opened(
    tx: Tx,
    known: NotifiedRequest,
    { id, opened, requesterName, onBehalfOfName }: MessageRecipients,
  ): Promise<RequestMessage> {
    const past = await this.past.lineOf(tx, id, opened?.past);
    return requestMessage(known, { requesterName, onBehalfOfName, earlierApprovals: [], run: null, past });
  }

  /** The differences from the task's last request with an approval, for each of its approvers. */
  async #earlier(notifier: Principal, { request }: NotifiedRequest): Promise<MessageContext['earlierApprovals']> {
    const page = { limit: PAGE, after: { at: request.openedAt, id: request.id } };
    if (request.subject.type !== 'plan') return [];
    const before = await this.requests.list(notifier, { taskId: request.subject.taskId }, page);
    const last = before.find(({ quorum }) => quorum.filled.length > 0);
    if (last === undefined) return [];
    const approvals: { person: string; changes: MessageContext['earlierApprovals'][number]['changes'] }[] = [];
    for (const { personId } of last.quorum.filled.slice(0, MAX_EARLIER)) {
      const seen = await this.requests.get(readerOf(notifier.tenantId, personId, 'read'), request.id);
      if (!seen.ok || seen.value.changesSinceMyReview === null) continue;
      approvals.push({
        person: last.people.get(personId)?.displayName ?? '',
        changes: seen.value.changesSinceMyReview,
      });
    }
    return approvals;
  }
}
