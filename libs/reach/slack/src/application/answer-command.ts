import { ok, type Result } from '#lib/kernel';
import type { Block } from '../domain/block-kit.js';
import { renderLinkOffer, renderWord } from '../domain/render-replies.js';
import type { SlackHeaders } from '../domain/slack-signature.js';
import type { ReceiveInteraction } from './receive-interaction.js';
import type { LinkSlackUser } from './slack-links.js';

/** An answer that the user of the command sees alone. */
export interface CommandAnswer {
  readonly response_type: 'ephemeral';
  readonly text: string;
  readonly blocks: Block[];
}

const USER = /^[UW][A-Z0-9]{1,31}$/;

/** The command /countersign in Slack: `link` offers to link the account. Failures: `slack.signature`. */
export class AnswerCommand {
  constructor(
    private readonly receiving: ReceiveInteraction,
    private readonly links: LinkSlackUser,
  ) {}

  /** @param body the raw form. */
  async execute(body: string, headers: SlackHeaders): Promise<Result<CommandAnswer>> {
    const form = new URLSearchParams(body);
    const sender = { app: form.get('api_app_id') ?? '', team: form.get('team_id') ?? '' };
    const signed = await this.receiving.verify(body, headers, sender);
    if (!signed.ok) return signed;
    const { tenantId, team } = signed.value;
    const user = form.get('user_id') ?? '';
    const wanted = (form.get('text') ?? '').trim().toLowerCase();
    if (wanted !== 'link' || !USER.test(user)) {
      return ok(answer(renderWord('Type "/countersign link" to link your Slack account with Countersign.')));
    }
    const person = await this.links.principalOf(tenantId, { team, user });
    if (person !== null) return ok(answer(renderWord(`You are linked already: you act as ${person.displayName}.`)));
    return ok(answer(renderLinkOffer(await this.links.offer(tenantId, user))));
  }
}

const answer = ({ text, blocks }: { text: string; blocks: readonly Block[] }): CommandAnswer => ({
  response_type: 'ephemeral',
  text,
  blocks: [...blocks],
});
