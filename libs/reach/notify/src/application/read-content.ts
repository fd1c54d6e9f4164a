import type { ApprovalRequestId, RunId, TenantId, UnitOfWork } from '#lib/kernel';
import type { SlackContent } from '../domain/block-kit.js';
import { renderNotice, renderRunNews } from '../domain/render-replies.js';
import { renderRequest, renderRequestNews, requestUrl, titleOf } from '../domain/render-request.js';
import type { Audience, NoticeSource, OutboxEntry } from './notify.ports.js';
import type { ReadRequestMessage } from './read-request-message.js';

/** What a message says where nothing can be decided: in a mail, in a browser's notification. */
export interface ReadableContent {
  readonly title: string;
  readonly content: SlackContent;
  readonly url: string;
}

/** Reads what there is to tell, at the moment it is told. */
export class ReadContent {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly requests: ReadRequestMessage,
    private readonly audience: Audience,
    private readonly notices: readonly NoticeSource[],
    private readonly publicUrl: string,
  ) {}

  /** Null where there is nothing to tell any more. */
  async execute(
    tenantId: TenantId,
    { topic, payload }: OutboxEntry,
    showing: 'subject' | 'requester' | 'thread',
  ): Promise<ReadableContent | null> {
    if (topic === 'run.changed') return this.#run(tenantId, payload);
    if (payload.request_id === undefined) return this.#notice(tenantId, topic, payload);
    const message = await this.requests.execute(tenantId, payload.request_id as ApprovalRequestId);
    if (message === null) return null;
    const url = requestUrl(this.publicUrl, message.id);
    if (showing === 'requester') {
      return { title: titleOf(message), content: renderRequestNews(message, this.publicUrl), url };
    }
    // Nobody is asked to decide what is decided already.
    if (message.state !== 'open') return null;
    const content = renderRequest(message, { publicUrl: this.publicUrl, value: () => '' });
    return { title: titleOf(message), content, url };
  }

  async #run(tenantId: TenantId, payload: OutboxEntry['payload']): Promise<ReadableContent | null> {
    const run = await this.uow.run(tenantId, (tx) => this.audience.run(tx, payload.run_id as RunId));
    if (run === null) return null;
    const content = renderRunNews({ event: payload.event ?? '', reason: run.reason, outcome: run.outcome });
    return { title: content.text, content, url: `${this.publicUrl}/runs/${run.id}` };
  }

  async #notice(tenantId: TenantId, topic: string, payload: OutboxEntry['payload']): Promise<ReadableContent | null> {
    const source = this.notices.find((each) => each.topic === topic);
    const notice = await this.uow.run(tenantId, async (tx) => source?.read(tx, payload));
    if (notice === undefined || notice === null) return null;
    return { title: notice.title, content: renderNotice(notice), url: notice.url };
  }
}
