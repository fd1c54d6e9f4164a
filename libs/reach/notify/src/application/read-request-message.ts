import { readerOf, type ReadRequests, type RequestDetail } from '#lib/approval';
import type { RunState } from '#lib/contracts';
import type { ApprovalRequestId, PersonId, Principal, TenantId, UnitOfWork } from '#lib/kernel';
import { requestMessage, type MessageContext, type RequestMessage } from '../domain/request-message.js';
import type { Audience } from './notify.ports.js';

/** Whose earlier approvals are compared with what is asked now, at most. */
const MOST_EARLIER = 3;
const PAGE = 20;

/** Reads a request as it is shown outside. */
export class ReadRequestMessage {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly requests: ReadRequests,
    private readonly audience: Audience,
  ) {}

  /** Null where there is no such request. */
  async execute(tenantId: TenantId, id: ApprovalRequestId): Promise<RequestMessage | null> {
    const notifier: Principal = { kind: 'system', tenantId, name: 'notifier' };
    const found = await this.requests.get(notifier, id);
    if (!found.ok) return null;
    const detail = found.value;
    const { requester } = detail.request;
    const reading = this.uow.run(tenantId, async (tx) => {
      const about = [...(requester.kind === 'person' ? [requester.id] : []), requester.onBehalfOf].filter(isPerson);
      const people = new Map((await this.audience.people(tx, about)).map((each) => [each.id, each.displayName]));
      return {
        requesterName:
          requester.kind === 'person'
            ? (people.get(requester.id) ?? '')
            : await this.audience.agentName(tx, requester.id),
        onBehalfOfName: requester.onBehalfOf === null ? null : (people.get(requester.onBehalfOf) ?? ''),
        run: await this.audience.runOf(tx, id),
      };
    });
    const [names, earlierApprovals] = await Promise.all([reading, this.#earlier(tenantId, detail)]);
    return requestMessage(detail, {
      ...names,
      run: names.run === null ? null : { id: names.run.id, state: names.run.state as RunState },
      earlierApprovals,
    });
  }

  /** What differs for each of those who approved the task's request before this one. */
  async #earlier(tenantId: TenantId, { request }: RequestDetail): Promise<MessageContext['earlierApprovals']> {
    const notifier: Principal = { kind: 'system', tenantId, name: 'notifier' };
    const page = { limit: PAGE, after: { at: request.openedAt, id: request.id } };
    const before = await this.requests.list(notifier, { taskId: request.subject.taskId }, page);
    const last = before.find(({ quorum }) => quorum.filled.length > 0);
    if (last === undefined) return [];
    const approvals: { person: string; changes: MessageContext['earlierApprovals'][number]['changes'] }[] = [];
    for (const { personId } of last.quorum.filled.slice(0, MOST_EARLIER)) {
      const seen = await this.requests.get(readerOf(tenantId, personId, 'read'), request.id);
      if (!seen.ok || seen.value.changesSinceMyReview === null) continue;
      approvals.push({
        person: last.people.get(personId)?.displayName ?? '',
        changes: seen.value.changesSinceMyReview,
      });
    }
    return approvals;
  }
}

const isPerson = (id: PersonId | null): id is PersonId => id !== null;
