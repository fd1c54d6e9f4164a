import type { ApprovalRequestId, RunId, Tx } from '#lib/kernel';
import type { Content } from '../domain/content.js';
import { noticeContent } from '../domain/notice.js';
import { requestContent, requestNewsContent, requestUrl } from '../domain/request-content.js';
import type { RequestMessage } from '../domain/request-message.js';
import { runNoticeContent } from '../domain/run-notice.js';
import type { Destination } from '../domain/destination.js';
import type { RecipientDirectory, AttemptedEntry, NoticeSource, NoticeToTell, NotifiedRun } from './delivery.ports.js';
import type { ReadRequestMessage } from './read-request-message.js';

/** Reads the content of messages when they are sent. Each result is null if there is nothing to tell any more. */
export class ReadContent {
  constructor(
    private readonly requests: Pick<ReadRequestMessage, 'execute'>,
    private readonly directory: Pick<RecipientDirectory, 'run'>,
    private readonly notices: readonly NoticeSource[],
    private readonly publicUrl: string,
  ) {}

  /**
   * The content for channels that bring each message alone.
   *
   * @param known the request, if it was read before.
   */
  async execute(
    tx: Tx,
    { topic, payload }: AttemptedEntry,
    { showing }: Destination,
    known?: RequestMessage | null,
  ): Promise<Content | null> {
    if (topic === 'run.changed') return (await this.run(tx, payload))?.content ?? null;
    if (payload.request_id === undefined) {
      const notice = await this.notice(tx, topic, payload);
      return notice === null ? null : noticeContent(notice);
    }
    // A message with another topic than these is about a request.
    const message = known ?? (await this.request(tx, payload.request_id as ApprovalRequestId));
    if (message === null) return null;
    const url = requestUrl(this.publicUrl, message.id);
    if (showing === 'requester') return requestNewsContent(message, url);
    // A decided request asks for nothing.
    return message.state === 'open' ? requestContent(message, url) : null;
  }

  request(tx: Tx, id: ApprovalRequestId): Promise<RequestMessage | null> {
    return this.requests.execute(tx, id);
  }

  /** The request that a message is about; null if it is about something else. */
  async requestOf(tx: Tx, { topic, payload }: AttemptedEntry): Promise<ApprovalRequestId | null> {
    // A message names its request by the id.
    if (payload.request_id !== undefined) return payload.request_id as ApprovalRequestId;
    if (topic !== 'run.changed') return null;
    // A message of this topic names its run.
    return (await this.directory.run(tx, payload.run_id as RunId))?.requestId ?? null;
  }

  async run(
    tx: Tx,
    payload: AttemptedEntry['payload'],
  ): Promise<{ readonly run: NotifiedRun; readonly content: Content } | null> {
    // The message is about a run.
    const run = await this.directory.run(tx, payload.run_id as RunId);
    if (run === null) return null;
    const { reason, outcome } = run;
    const content = runNoticeContent(
      { event: payload.event ?? '', reason, outcome },
      `${this.publicUrl}/runs/${run.id}`,
    );
    return { run, content };
  }

  /** Whether a line of the message is about to come, for which a channel without edits waits. */
  async awaits(tx: Tx, { topic, payload }: AttemptedEntry): Promise<boolean> {
    if (topic === 'run.changed' || payload.request_id !== undefined) return false;
    return (await this.notice(tx, topic, payload))?.awaits === true;
  }

  async notice(tx: Tx, topic: string, payload: AttemptedEntry['payload']): Promise<NoticeToTell | null> {
    return (await this.notices.find((source) => source.topic === topic)?.read(tx, payload)) ?? null;
  }
}
