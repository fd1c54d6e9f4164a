import { z } from 'zod';
import { actionId, MODAL_ACTIONS, REQUEST_ACTIONS, type ModalAction, type RequestAction } from './render-request.js';

/** The user, their workspace and the conversation of an interaction, as Slack signed it. */
interface Done {
  readonly user: string;
  /** Another one than that of the installation for users of the other side of a shared channel. */
  readonly team: string;
  /** The conversation in which that user alone sees a refusal. */
  readonly channel: string;
}

/** An interaction that Countersign works on. */
export type Interaction =
  | (Done & {
      readonly kind: 'button';
      readonly action: RequestAction;
      readonly value: string;
      /** Opens a modal within three seconds. */
      readonly trigger: string;
    })
  | (Done & {
      readonly kind: 'comment';
      /** The text of a modal: the comment of a review, or the word for `confirm`. */
      readonly action: ModalAction;
      readonly value: string;
      readonly comment: string;
    })
  | (Done & {
      /** A reply in the thread of one of our messages. */
      readonly kind: 'reply';
      readonly action: 'comment';
      /** The stored subject of that message. */
      readonly subject: string;
      readonly text: string;
    });

export const interactionSchema: z.ZodType<Interaction> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('button'),
    action: z.enum(REQUEST_ACTIONS),
    value: z.string(),
    trigger: z.string(),
    user: z.string(),
    team: z.string(),
    channel: z.string(),
  }),
  z.strictObject({
    kind: z.literal('comment'),
    action: z.enum(MODAL_ACTIONS),
    value: z.string(),
    comment: z.string(),
    user: z.string(),
    team: z.string(),
    channel: z.string(),
  }),
  z.strictObject({
    kind: z.literal('reply'),
    action: z.literal('comment'),
    subject: z.string(),
    text: z.string(),
    user: z.string(),
    team: z.string(),
    channel: z.string(),
  }),
]);

const slackId = z.string().regex(/^[A-Z0-9]{1,32}$/);
const short = z.string().max(2_100);

const envelopeSchema = z.object({ api_app_id: slackId, team: z.object({ id: slackId }) });

/** The user of a payload, and the organisation of the workspace if it has one. */
const bySchema = z.object({
  user: z.object({ id: slackId, team_id: slackId.nullish() }),
  team: z.object({ enterprise_id: slackId.nullish() }).nullish(),
});

const buttonSchema = bySchema.extend({
  type: z.literal('block_actions'),
  trigger_id: short,
  channel: z.object({ id: slackId }),
  actions: z.array(z.object({ action_id: short, value: short.optional() })).length(1),
});

/** The context that a modal carries beside its input. */
export interface ModalContext {
  readonly value: string;
  readonly channel: string;
}

const modalContextSchema = z.strictObject({ value: short, channel: slackId });

const submissionSchema = bySchema.extend({
  type: z.literal('view_submission'),
  view: z.object({
    callback_id: short,
    private_metadata: z.string().max(3_000),
    state: z.object({
      values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().max(4_000).nullish() }))),
    }),
  }),
});

/** Names of the only field of a modal. */
export const COMMENT_FIELD = { block: 'countersign.comment', action: 'comment' } as const;

/** The installation that a payload names. Its signature has to be checked with the secret of that installation. */
export function senderOf(payload: unknown): { readonly app: string; readonly team: string } | null {
  const parsed = envelopeSchema.safeParse(payload);
  return parsed.success ? { app: parsed.data.api_app_id, team: parsed.data.team.id } : null;
}

/** The interaction in a payload; null if it needs no work, such as a button that only opens a page. */
export function readInteraction(payload: unknown, team: string): Interaction | null {
  const button = buttonSchema.safeParse(payload);
  if (button.success) {
    const { channel, trigger_id: trigger, actions } = button.data;
    const [pressed] = actions;
    const action = REQUEST_ACTIONS.find((each) => actionId(each) === pressed?.action_id);
    if (action === undefined) return null;
    const by = userOf(button.data, team);
    return { kind: 'button', action, value: pressed?.value ?? '', trigger, ...by, channel: channel.id };
  }
  const submission = submissionSchema.safeParse(payload);
  if (!submission.success) return null;
  const { view } = submission.data;
  const action = MODAL_ACTIONS.find((each) => actionId(each) === view.callback_id);
  const context = contextOf(view.private_metadata);
  if (action === undefined || context === null) return null;
  const comment = view.state.values[COMMENT_FIELD.block]?.[COMMENT_FIELD.action]?.value ?? '';
  return { kind: 'comment', action, comment, ...userOf(submission.data, team), ...context };
}

const userOf = ({ user, team: named }: z.infer<typeof bySchema>, team: string): Pick<Done, 'user' | 'team'> => ({
  user: user.id,
  team: workspaceOfUser(user.team_id, { team, organisation: named?.enterprise_id }),
});

/**
 * The workspace of a user. The id of a user is unique in a workspace and in its organisation alone. A user of another
 * workspace in a shared channel may have the id of a linked one. A sister workspace of the organisation counts as
 * another, since no signed member says that both belong to it. Slack's reference promises no workspace of a user, so a
 * payload without one counts as of this one.
 *
 * @param home the workspace or organisation that Slack names beside the user.
 */
export const workspaceOfUser = (
  home: string | null | undefined,
  { team, organisation }: { readonly team: string; readonly organisation: string | null | undefined },
): string => (home === null || home === undefined || home === organisation ? team : home);

function contextOf(text: string): ModalContext | null {
  try {
    const parsed = modalContextSchema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
