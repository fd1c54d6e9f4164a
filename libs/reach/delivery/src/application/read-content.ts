import type { ApprovalRequestId, OutboxMessage, OutboxPayloads, Tx } from '#lib/kernel';
import type { Content } from '../domain/content.js';
import { noticeContent } from '../domain/notice.js';
import { requestContent, requestNewsContent, requestUrl } from '../domain/request-content.js';
import type { RequestMessage } from '../domain/request-message.js';
import { runNoticeContent } from '../domain/run-notice.js';
import type { Destination } from '../domain/destination.js';
import type { RecipientDirectory, NoticeSources, NoticeToTell, NotifiedRun } from './delivery.ports.js';
import { readNotice } from './read-notice.js';
import type { ReadRequestMessage } from './read-request-message.js';

/** Reads the content of messages when they are sent. Each result is null if there is nothing to tell any more. */
export class ReadContent {
  constructor(
    private readonly requests: Pick<ReadRequestMessage, 'execute'>,
    private readonly directory: Pick<RecipientDirectory, 'run'>,
    private readonly notices: NoticeSources,
    private readonly publicUrl: string,
  ) {}

  /**
   * The content for channels that bring each message alone.
   *
   * @param known the request, if it was read before.
   */
  async execute(
    tx: Tx,
    message: OutboxMessage,
    { showing }: Destination,
    known?: RequestMessage | null,
  ): Promise<Content | null> {
    switch (message.topic) {
      case 'approval_request.changed':
      case 'approval_request.reminder':
        return this.#ofRequest(known ?? (await this.request(tx, message.payload.request_id)), showing);
      case 'run.changed':
        return (await this.run(tx, message.payload))?.content ?? null;
      default: {
        const notice = await readNotice(this.notices, tx, message);
        return notice === null ? null : noticeContent(notice);
      }
    }
  }

  #ofRequest(request: RequestMessage | null, showing: Destination['showing']): Content | null {
    if (request === null) return null;
    const url = requestUrl(this.publicUrl, request.id);
    if (showing === 'requester') return requestNewsContent(request, url);
    // A decided request asks for nothing.
    return request.state === 'open' ? requestContent(request, url) : null;
  }

  request(tx: Tx, id: ApprovalRequestId): Promise<RequestMessage | null> {
    return this.requests.execute(tx, id);
  }

  /** The request that a message is about; null if it is about something else. */
  async requestOf(tx: Tx, { topic, payload }: OutboxMessage): Promise<ApprovalRequestId | null> {
    if ('request_id' in payload) return payload.request_id;
    if (topic !== 'run.changed') return null;
    return (await this.directory.run(tx, payload.run_id))?.requestId ?? null;
  }

  async run(
    tx: Tx,
    { run_id: runId, event }: OutboxPayloads['run.changed'],
  ): Promise<{ readonly run: NotifiedRun; readonly content: Content } | null> {
    const run = await this.directory.run(tx, runId);
    if (run === null) return null;
    const { reason, outcome } = run;
    const content = runNoticeContent({ event, reason, outcome }, `${this.publicUrl}/runs/${run.id}`);
    return { run, content };
  }

  /** Whether a line of the message is about to come, for which a channel without edits waits. */
  async awaits(tx: Tx, message: OutboxMessage): Promise<boolean> {
    return (await this.notice(tx, message))?.awaits === true;
  }

  /** Messages of requests and runs are no notices. */
  async notice(tx: Tx, message: OutboxMessage): Promise<NoticeToTell | null> {
    switch (message.topic) {
      case 'approval_request.changed':
      case 'approval_request.reminder':
      case 'run.changed':
        return null;
      default:
        return readNotice(this.notices, tx, message);
    }
  }
}
