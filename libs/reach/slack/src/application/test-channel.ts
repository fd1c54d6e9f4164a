import { setTimeout as delay } from 'node:timers/promises';
import { testMessage } from '#lib/delivery';
import { newId, type TenantId, type UnitOfWork } from '#lib/kernel';
import { renderNotice } from '../domain/render-replies.js';
import { SlackCallError, type SlackApi, type SlackInstallations } from './slack.ports.js';

/** A test waits at most this long if Slack asks it to. */
const MAX_WAIT_MS = 5_000;

/** Posts a test message in a channel at once. */
export class TestChannel {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly installations: Pick<SlackInstallations, 'workspace'>,
    private readonly slack: SlackApi,
    private readonly publicUrl: string,
  ) {}

  /** @returns why it failed, for an admin; null if it was posted. */
  async execute(tenantId: TenantId, channel: string): Promise<string | null> {
    const workspace = await this.uow.run(tenantId, (tx) => this.installations.workspace(tx));
    if (workspace === null) return 'Slack is not connected: an admin connects it under Settings, Slack.';
    const message = { channel, threadTs: null, content: renderNotice(testMessage(this.publicUrl)), id: newId() };
    const post = (): Promise<SlackCallError | null> =>
      this.slack.post(workspace.botToken, message).then(
        () => null,
        (error: unknown) => {
          if (error instanceof SlackCallError) return error;
          throw error;
        },
      );
    const refused = await post();
    const waitMs = refused?.retryAfterMs ?? Infinity;
    if (waitMs > MAX_WAIT_MS) return refused?.message ?? null;
    await delay(waitMs);
    return (await post())?.message ?? null;
  }
}
