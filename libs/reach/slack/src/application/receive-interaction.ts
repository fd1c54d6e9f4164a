import { createHash } from 'node:crypto';
import { err, ok, type Failure, type Result, type TenantId, type Tx, type UnitOfWork } from '#lib/kernel';
import { readInteraction, senderOf } from '../domain/interaction.js';
import { isFromSlack, type SlackHeaders } from '../domain/slack-signature.js';
import type { SlackInstallations, SlackInteractions } from './slack.ports.js';

/** A request with a right signature. */
export interface SignedRequest {
  readonly tenantId: TenantId;
  readonly team: string;
}

/**
 * Takes interactions of Slack. Each has a signature over the raw bytes, is at most five minutes old (T12), and counts
 * once (T13). The transaction that checks the signature stores the interaction. Then it is acknowledged, and a worker
 * does the rest.
 *
 * Failures: `slack.signature`, for every kind of wrong signature.
 */
export class ReceiveInteraction {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly installations: SlackInstallations,
    private readonly interactions: SlackInteractions,
  ) {}

  /** @param body the raw interaction. */
  async execute(body: string, headers: SlackHeaders): Promise<Result<void>> {
    const payload = payloadOf(body);
    const sender = senderOf(payload);
    if (sender === null) return err(unsigned);
    const tenantId = await this.installations.locate(sender.app, sender.team);
    if (tenantId === null) return err(unsigned);
    const digest = createHash('sha256').update(body, 'utf8').digest();
    return this.uow.run(tenantId, async (tx) => {
      if (!(await this.#isSigned(tx, body, headers))) return err(unsigned);
      const interaction = readInteraction(payload, sender.team);
      if (interaction !== null) await this.interactions.receive(tx, digest, interaction);
      return ok(undefined);
    });
  }

  /** Whether the app and workspace that a request names have signed it. Before this check no part of it counts. */
  async verify(
    body: string,
    headers: SlackHeaders,
    sender: { readonly app: string; readonly team: string },
  ): Promise<Result<SignedRequest>> {
    const tenantId = await this.installations.locate(sender.app, sender.team);
    if (tenantId === null) return err(unsigned);
    const good = await this.uow.run(tenantId, (tx) => this.#isSigned(tx, body, headers));
    return good ? ok({ tenantId, team: sender.team }) : err(unsigned);
  }

  async #isSigned(tx: Tx, body: string, headers: SlackHeaders): Promise<boolean> {
    const [secret, now] = await Promise.all([this.installations.signingSecret(tx), tx.now()]);
    return secret !== null && isFromSlack(secret, body, headers, now);
  }
}

function payloadOf(body: string): unknown {
  try {
    return JSON.parse(new URLSearchParams(body).get('payload') ?? '');
  } catch {
    return null;
  }
}

export const unsigned: Failure = {
  kind: 'unauthenticated',
  code: 'slack.signature',
  message: 'This was not signed by a Slack app that is installed here, or not within the last five minutes.',
  action: 'Check the signing secret in the settings against the one that Slack shows, and the clock.',
};
