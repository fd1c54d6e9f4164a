import type { ApprovalRequestId, RunId, TenantId, UnitOfWork } from '#lib/kernel';
import { buttonValue } from '../domain/button-value.js';
import type { SlackContent } from '../domain/block-kit.js';
import type { PlaceParts } from '../domain/place.js';
import { renderNotice, renderRunNews } from '../domain/render-replies.js';
import { renderReminder, renderRequest, renderRequestNews } from '../domain/render-request.js';
import type { PlaceDelivery } from './deliver-outbox.js';
import type { Audience, Delivery, NoticeSource, OutboxEntry, SlackMessages, SlackWorkspace } from './notify.ports.js';
import type { PutSlackMessage } from './put-slack-message.js';
import type { ReadRequestMessage } from './read-request-message.js';

/** What is told in Slack: a request's message kept up to date, what happens to its run in the thread, and a word to who asked. */
export class DeliverToSlack implements PlaceDelivery {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly put: PutSlackMessage,
    private readonly messages: Pick<SlackMessages, 'postedAt'>,
    private readonly requests: ReadRequestMessage,
    private readonly audience: Audience,
    private readonly notices: readonly NoticeSource[],
    private readonly publicUrl: string,
  ) {}

  async deliver(tenantId: TenantId, entry: OutboxEntry, { target, showing }: PlaceParts): Promise<Delivery> {
    const requestId = await this.#requestOf(tenantId, entry);
    if (requestId === null) return this.#notice(tenantId, entry, target, showing);
    const subject = `request:${requestId}`;
    switch (showing) {
      case 'subject':
        return this.put.execute(tenantId, { subject, target, threadOf: null }, (workspace) =>
          this.#request(workspace, requestId),
        );
      case 'thread':
        return this.put.execute(tenantId, { subject: `news:${entry.id}`, target, threadOf: subject }, () =>
          this.#news(tenantId, entry, requestId),
        );
      case 'requester':
        return this.#requester(tenantId, entry, requestId, target);
    }
  }

  async #requestOf(tenantId: TenantId, { topic, payload }: OutboxEntry): Promise<ApprovalRequestId | null> {
    if (payload.request_id !== undefined) return payload.request_id as ApprovalRequestId;
    if (topic !== 'run.changed') return null;
    const run = await this.uow.run(tenantId, (tx) => this.audience.run(tx, payload.run_id as RunId));
    return run?.requestId ?? null;
  }

  async #request(workspace: SlackWorkspace, id: ApprovalRequestId): Promise<SlackContent | null> {
    const message = await this.requests.execute(workspace.tenantId, id);
    if (message === null) return null;
    const { text, blocks } = renderRequest(message, {
      publicUrl: this.publicUrl,
      value: (action) =>
        buttonValue(workspace.signingSecret, {
          tenantId: workspace.tenantId,
          action,
          requestId: message.id,
          planDigest: message.planDigest,
        }),
    });
    return { text, blocks };
  }

  async #news(tenantId: TenantId, entry: OutboxEntry, requestId: ApprovalRequestId): Promise<SlackContent | null> {
    if (entry.topic === 'approval_request.reminder') {
      const message = await this.requests.execute(tenantId, requestId);
      return message?.state === 'open' ? renderReminder(message, entry.payload.which ?? '', this.publicUrl) : null;
    }
    return this.#runNews(tenantId, entry);
  }

  async #runNews(tenantId: TenantId, { payload }: OutboxEntry): Promise<SlackContent | null> {
    const run = await this.uow.run(tenantId, (tx) => this.audience.run(tx, payload.run_id as RunId));
    if (run === null) return null;
    const event = payload.event ?? '';
    // By the time it is told the run may have moved on: what belongs to another state is left out.
    const current = event.endsWith(run.state) || (event === 'run.started' && run.state === 'executing');
    return renderRunNews({ event, reason: current ? run.reason : null, outcome: current ? run.outcome : null });
  }

  /** One message says how the request stands, and is kept up to date to the run's end; what happened stands in its thread. */
  async #requester(
    tenantId: TenantId,
    entry: OutboxEntry,
    requestId: ApprovalRequestId,
    target: string,
  ): Promise<Delivery> {
    const own = `told:${entry.id}`;
    if (entry.topic === 'approval_request.reminder')
      return this.put.execute(tenantId, { subject: own, target, threadOf: null }, () =>
        this.#news(tenantId, entry, requestId),
      );
    const standing = `told:${requestId}`;
    const told = await this.put.execute(tenantId, { subject: standing, target, threadOf: null }, async () => {
      const message = await this.requests.execute(tenantId, requestId);
      return message === null ? null : renderRequestNews(message, this.publicUrl);
    });
    if (told.kind !== 'delivered' || entry.topic !== 'run.changed') return told;
    return this.put.execute(tenantId, { subject: own, target, threadOf: standing }, () =>
      this.#runNews(tenantId, entry),
    );
  }

  async #notice(
    tenantId: TenantId,
    { topic, payload }: OutboxEntry,
    target: string,
    showing: PlaceParts['showing'],
  ): Promise<Delivery> {
    const source = this.notices.find((each) => each.topic === topic);
    const found = await this.uow.run(tenantId, async (tx) => {
      const notice = await source?.read(tx, payload);
      if (notice == null) return null;
      const inThread = showing === 'thread' ? (notice.thread ?? null) : null;
      const parent = inThread === null ? null : await this.messages.postedAt(tx, inThread.of, target);
      return { notice, inThread, parent };
    });
    if (found === null) return { kind: 'delivered' };
    const { notice, inThread, parent } = found;
    // Without the message there is no thread; and what was written in it stands there already.
    if (inThread !== null && (parent === null || (parent.channel !== null && parent.channel === inThread.notIn)))
      return { kind: 'delivered' };
    const about = { subject: `${topic}:${notice.id}`, target, threadOf: inThread?.of ?? null };
    return this.put.execute(tenantId, about, () => Promise.resolve(renderNotice(notice)));
  }
}
