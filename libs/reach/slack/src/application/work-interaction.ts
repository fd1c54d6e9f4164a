import type { ReadContent } from '#lib/delivery';
import type { Verdict } from '#lib/formats';
import {
  err,
  ok,
  type ApprovalRequestId,
  type AuditSink,
  type Failure,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { SlackContent } from '../domain/block-kit.js';
import { readButtonValue } from '../domain/button-value.js';
import type { Interaction } from '../domain/interaction.js';
import { renderLinkOffer, renderModal, renderRefusal, renderWord } from '../domain/render-replies.js';
import { MODAL_ACTIONS } from '../domain/render-request.js';
import type { LinkSlackUser } from './slack-links.js';
import {
  SlackCallError,
  type FreshSignIn,
  type ReceivedInteraction,
  type Reviews,
  type Runs,
  type SlackApi,
  type SlackInstallations,
  type SlackInteractions,
  type SlackWorkspace,
  type ThreadReplies,
} from './slack.ports.js';

const LEASE_MS = 30_000;
/** An interaction that fails this often will not work on another worker either. */
const MAX_ATTEMPTS = 5;
/** The wait after the first attempt that met an error. Each further one is four times as long, up to the lease. */
const AGAIN_MS = 1_000;
/** The outcome if Slack takes no answer or modal. A review before it may be on record. */
const REFUSED_BY_SLACK = 'refused_by_slack';

interface WorkInteractionDeps {
  readonly uow: UnitOfWork;
  readonly installations: SlackInstallations;
  readonly interactions: SlackInteractions;
  readonly links: LinkSlackUser;
  readonly slack: SlackApi;
  readonly fresh: FreshSignIn;
  readonly reviews: Reviews;
  readonly runs: Runs;
  readonly replies: ThreadReplies;
  readonly contents: Pick<ReadContent, 'request'>;
  readonly audit: AuditSink;
  readonly publicUrl: string;
}

/**
 * Carries out an interaction as the linked person. A review takes the way of every review: the same use case, rules and
 * records. The user alone sees a refusal, with its reason.
 */
export class WorkInteraction {
  constructor(private readonly deps: WorkInteractionDeps) {}

  async execute(tenantId: TenantId, id: string): Promise<void> {
    const received = await this.deps.uow.run(tenantId, (tx) => this.deps.interactions.claim(tx, id, LEASE_MS));
    if (received === null) return;
    try {
      await this.#finish(tenantId, received);
    } catch (error) {
      // Slack refuses the same call again. Another attempt would record the same refusal, or the same review, once more.
      const ended =
        error instanceof SlackCallError && !error.transient
          ? this.#done(tenantId, received, REFUSED_BY_SLACK)
          : this.#giveBack(tenantId, received);
      // The lease ends by itself, and the log needs the first error.
      await ended.catch(() => undefined);
      throw error;
    }
  }

  /** Somebody waits in Slack, so the next attempt does not wait for the lease. */
  async #giveBack(tenantId: TenantId, received: ReceivedInteraction): Promise<void> {
    const afterMs = Math.min(LEASE_MS, AGAIN_MS * 4 ** (received.attempts - 1));
    await this.deps.uow.run(tenantId, (tx) => this.deps.interactions.giveBack(tx, received, afterMs));
  }

  async #finish(tenantId: TenantId, received: ReceivedInteraction): Promise<void> {
    const workspace = await this.deps.uow.run(tenantId, (tx) => this.deps.installations.workspace(tx));
    const outcome =
      workspace === null || received.attempts > MAX_ATTEMPTS ? 'given_up' : await this.#work(workspace, received);
    await this.#done(tenantId, received, outcome);
  }

  #done(tenantId: TenantId, { id }: ReceivedInteraction, outcome: string): Promise<void> {
    return this.deps.uow.run(tenantId, (tx) => this.deps.interactions.done(tx, id, outcome));
  }

  async #work(workspace: SlackWorkspace, received: ReceivedInteraction): Promise<string> {
    const { interaction } = received;
    const done = await this.#decide(workspace, interaction);
    if (done.ok) return 'done';
    await this.#recordRefusal(workspace, received, done.error);
    const content =
      done.error.code === notLinked.code
        ? renderLinkOffer(await this.deps.links.offer(workspace.tenantId, interaction.user))
        : renderRefusal(done.error);
    await this.#answer(workspace, interaction, content);
    return done.error.code;
  }

  async #decide(workspace: SlackWorkspace, interaction: Interaction): Promise<Result<void>> {
    if (interaction.kind === 'reply') return this.#comment(workspace, interaction);
    const about = { tenantId: workspace.tenantId, action: interaction.action };
    const claim = readButtonValue(workspace.signingSecret, about, interaction.value);
    if (claim === null) return err(changedButton);
    // The signature of the button was verified.
    const requestId = claim.requestId as ApprovalRequestId;
    const person = await this.deps.links.principalOf(workspace.tenantId, interaction);
    if (person === null) return err(unknownUser(workspace, interaction));
    const typedIn = interaction.kind === 'button' && MODAL_ACTIONS.find((each) => each === interaction.action);
    if (typedIn) {
      const { value, channel, trigger } = interaction;
      const message = await this.deps.uow.run(workspace.tenantId, (tx) => this.deps.contents.request(tx, requestId));
      const modal = renderModal(typedIn, { value, channel }, message, this.deps.publicUrl);
      await this.deps.slack.openModal(workspace.botToken, trigger, modal);
      return ok(undefined);
    }
    const fresh = await this.deps.fresh.execute(person);
    if (!fresh.ok) return err({ ...fresh.error, action: `Sign in again at ${this.deps.publicUrl}, then repeat this.` });
    const reviewed = await this.deps.reviews.execute(person, requestId, {
      verdict: VERDICTS[interaction.action],
      subject_digest: claim.subjectDigest,
      ...(interaction.action === 'always' ? { always: true } : {}),
      ...(interaction.kind === 'comment' ? typed(interaction) : {}),
    });
    if (!reviewed.ok) return reviewed;
    const { request } = reviewed.value;
    // A call is allowed with its approval: nobody starts it.
    if (interaction.action !== 'approve_and_start' || request.subject.type !== 'plan') return ok(undefined);
    if (request.state !== 'approved') {
      if (request.state === 'open') {
        await this.#answer(
          workspace,
          interaction,
          renderWord('Your approval counts. Others are still needed; the last approver can start it.'),
        );
      }
      return ok(undefined);
    }
    const started = await this.deps.runs.execute(person, request.subject.id);
    return started.ok ? ok(undefined) : started;
  }

  /** A comment decides nothing, so it needs no fresh sign-in. */
  async #comment(workspace: SlackWorkspace, reply: Extract<Interaction, { kind: 'reply' }>): Promise<Result<void>> {
    const person = await this.deps.links.principalOf(workspace.tenantId, reply);
    if (person === null) return err(unknownUser(workspace, reply));
    if (reply.text.length > COMMENT_CHARACTERS) return err(tooLong);
    const said = await this.deps.replies.comment(person, reply.subject, reply.text, reply.channel);
    return said.ok ? ok(undefined) : said;
  }

  async #answer(workspace: SlackWorkspace, { channel, user }: Interaction, content: SlackContent): Promise<void> {
    await this.deps.slack.postEphemeral(workspace.botToken, { channel, user }, content);
  }

  /** A review records its own refusal. This records the interactions that never reach one. */
  async #recordRefusal(
    { tenantId, teamId }: SlackWorkspace,
    { id, interaction }: ReceivedInteraction,
    { code }: Failure,
  ): Promise<void> {
    await this.deps.uow.run(tenantId, (tx) =>
      this.deps.audit.record(tx, {
        action: 'slack_interaction.refused',
        actor: { kind: 'system', id: 'slack', display_name: 'slack', credential_id: null, on_behalf_of: null },
        level: 'full',
        subject: { type: 'slack_interaction', id },
        payload: { code, team_id: teamId, slack_user_id: interaction.user, wanted: interaction.action },
      }),
    );
  }
}

const VERDICTS: Readonly<Record<Exclude<Interaction['action'], 'comment'>, Verdict>> = {
  approve: 'approve',
  approve_and_start: 'approve',
  always: 'approve',
  confirm: 'approve',
  reject: 'reject',
  reject_call: 'reject',
  request_changes: 'request_changes',
};

/** The member of a review that a modal asked for. */
const typed = ({ action, comment }: Extract<Interaction, { kind: 'comment' }>) =>
  action === 'confirm' ? { confirm_word: comment.trim() } : { comment };

const changedButton: Failure = {
  kind: 'forbidden',
  code: 'slack.button_changed',
  message: 'This button was not made by Countersign for this, or the app has been set up anew since.',
  action: 'Open the request in Countersign.',
};

/** The same limit as in the API. */
const COMMENT_CHARACTERS = 4_000;

const tooLong: Failure = {
  kind: 'unprocessable',
  code: 'comment.too_long',
  message: `Your reply is not kept as a comment: it has more than ${COMMENT_CHARACTERS.toLocaleString('en')} characters.`,
  action: 'Say it in fewer words.',
};

const notLinked: Failure = {
  kind: 'forbidden',
  code: 'slack.not_linked',
  message: 'Countersign does not know who you are in Slack.',
  action: 'Link your account first.',
};

/** A link would name the user of this workspace who has the same id. */
const ofOtherWorkspace: Failure = {
  kind: 'forbidden',
  code: 'slack.other_workspace',
  message: 'You belong to another Slack workspace than the one that Countersign is installed in.',
  action: 'Open the request in Countersign.',
};

const unknownUser = ({ teamId }: SlackWorkspace, { team }: Interaction): Failure =>
  team === teamId ? notLinked : ofOtherWorkspace;
