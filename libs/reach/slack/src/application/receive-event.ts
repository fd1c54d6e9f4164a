import { createHash } from 'node:crypto';
import { ok, type Result, type UnitOfWork } from '#lib/kernel';
import type { SlackHeaders } from '../domain/slack-signature.js';
import { challengeOf, readEvent } from '../domain/slack-event.js';
import type { SlackInteractions, SlackMessages } from './slack.ports.js';
import { unsigned, type ReceiveInteraction } from './receive-interaction.js';

/** Threads with comments: those of a request, of its requester's message, and of a change. */
const TALKED_ABOUT = /^(request|told|change_request\.changed):[0-9a-f-]{36}$/;

/**
 * Takes events of Slack: with a signature over the raw bytes (T12), each event once (T13). Only a reply in the thread of one
 * of our messages is stored.
 *
 * Failures: `slack.signature`, for every kind of wrong signature.
 */
export class ReceiveEvent {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly receiving: ReceiveInteraction,
    private readonly messages: Pick<SlackMessages, 'subjectAt'>,
    private readonly interactions: SlackInteractions,
  ) {}

  /** @returns the challenge for Slack, if it checks the address; else null. */
  async execute(body: string, headers: SlackHeaders): Promise<Result<string | null>> {
    const parsed = documentOf(body);
    const challenge = challengeOf(parsed);
    if (challenge !== null) return ok(challenge);
    const event = readEvent(parsed);
    if (event === null) return { ok: false, error: unsigned };
    const signed = await this.receiving.verify(body, headers, event);
    if (!signed.ok) return signed;
    const { reply, id } = event;
    if (reply === null || reply.text === '') return ok(null);
    const { user, userTeam: team, channel, threadTs, text } = reply;
    return this.uow.run(signed.value.tenantId, async (tx) => {
      const subject = await this.messages.subjectAt(tx, { channel, ts: threadTs });
      if (subject === null || !TALKED_ABOUT.test(subject)) return ok(null);
      const digest = createHash('sha256').update(`event:${id}`, 'utf8').digest();
      await this.interactions.receive(tx, digest, {
        kind: 'reply',
        action: 'comment',
        subject,
        text,
        user,
        team,
        channel,
      });
      return ok(null);
    });
  }
}

function documentOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
