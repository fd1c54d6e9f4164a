import type { ModalView } from '@slack/types';
import {
  bold,
  bullet,
  clip,
  gistOf,
  noticeContent,
  paragraph,
  requestUrl,
  shown,
  titleOf,
  type Content,
  type Line,
  type Notice,
  type RequestMessage,
} from '#lib/delivery';
import type { Failure } from '#lib/kernel';
import { visibleText } from '#lib/words';
import { escapeText, header, plain, richText, SLACK_LIMITS, type Block, type SlackContent } from './block-kit.js';
import { COMMENT_FIELD, type ModalContext } from './interaction.js';
import { actionId, requestBody, tooLongHere, type ModalAction } from './render-request.js';

const contentOf = (text: string, lines: readonly Line[], more: readonly Block[] = [], blocks = 10): SlackContent => ({
  text: clip(escapeText(visibleText(text)), SLACK_LIMITS.sectionText),
  blocks: [...richText(lines, { characters: SLACK_LIMITS.sectionText, blocks }).blocks, ...more],
});

/** A refusal, for the user who clicked: the message, the reasons of policy, and the next step. */
export const renderRefusal = ({ message, action, reasons = [] }: Failure): SlackContent =>
  contentOf(message, [
    paragraph(bold(message)),
    // The only reason is often the message itself.
    ...reasons.filter((reason) => reason.message !== message).map((reason) => bullet(shown(reason.message))),
    ...(action === undefined ? [] : [paragraph(shown(action))]),
  ]);

/** A sentence for the user who clicked. */
export const renderWord = (text: string): SlackContent => contentOf(text, [paragraph(shown(text))]);

/** For a Slack user without a person: how to link the account. */
export const renderLinkOffer = (url: string): SlackContent =>
  contentOf(
    'Countersign does not know who you are in Slack.',
    [
      paragraph(bold('Countersign does not know who you are in Slack.')),
      paragraph(
        shown(
          'Open this once, signed in to Countersign, and confirm that this Slack account is yours. It is good for ten minutes and for nobody else.',
        ),
      ),
    ],
    [
      {
        type: 'actions',
        block_id: 'countersign.link',
        elements: [
          { type: 'button', action_id: actionId('link'), text: plain('Link my account'), url, style: 'primary' },
        ],
      },
    ],
  );

interface ModalWords {
  readonly verb: string;
  readonly label: string;
  readonly optional?: true;
  readonly oneLine?: true;
}

const MODAL_WORDS: Readonly<Record<ModalAction, ModalWords>> = {
  confirm: { verb: 'Approve', label: 'This call destroys something. Type CONFIRM to approve it.', oneLine: true },
  reject: { verb: 'Reject', label: 'What is wrong with it?' },
  reject_call: { verb: 'Reject', label: 'What is wrong with it?', optional: true },
  request_changes: { verb: 'Request changes', label: 'What is wrong with it?' },
};

/** A typed word approves one call, so "always", which has no button beside it, is left out. */
const bodyToConfirm = (message: RequestMessage) =>
  requestBody(message.type === 'tool_call' ? { ...message, always: null } : message);

/**
 * Asks for the text that an action needs: a comment, or the word that the policy of sessions asks for. A modal hides
 * the message on a phone, so it names the request and its gist. It shows a call that a typed word approves. A cut call
 * takes no word: the modal leads to the page.
 *
 * @param message the request that the text is about; null if it is gone.
 */
export const renderModal = (
  action: ModalAction,
  context: ModalContext,
  message: RequestMessage | null,
  publicUrl: string,
): ModalView => {
  const title = message === null ? [] : [header(titleOf(message))];
  if (message === null) return formOf(action, context, title);
  if (action !== 'confirm') return formOf(action, context, [...title, ...contentOf('', [gistOf(message)]).blocks]);
  const { blocks, cut } = bodyToConfirm(message);
  if (cut === 0) return formOf(action, context, [...title, ...blocks]);
  const url = requestUrl(publicUrl, message.id);
  return {
    type: 'modal',
    title: plain(MODAL_WORDS[action].verb),
    close: plain('Close'),
    blocks: [
      ...title,
      ...richText([tooLongHere(cut)], { characters: SLACK_LIMITS.sectionText, blocks: 1 }).blocks,
      openButton('countersign.cut', url),
    ],
  };
};

const formOf = (action: ModalAction, context: ModalContext, about: readonly Block[]): ModalView => {
  const { verb, label, optional = false, oneLine = false } = MODAL_WORDS[action];
  return {
    type: 'modal',
    callback_id: actionId(action),
    private_metadata: JSON.stringify(context),
    title: plain(verb),
    submit: plain(verb),
    close: plain('Cancel'),
    blocks: [
      ...about,
      {
        type: 'input',
        block_id: COMMENT_FIELD.block,
        label: plain(label),
        optional,
        element: {
          type: 'plain_text_input',
          action_id: COMMENT_FIELD.action,
          multiline: !oneLine,
          ...(optional ? {} : { min_length: 1 }),
          max_length: 3_000,
        },
      },
    ],
  };
};

/** An event of a run, for the thread of its request. */
export const renderRunNews = ({ title, lines }: Content): SlackContent =>
  contentOf(title, [paragraph(bold(title)), ...lines]);

/** A reminder, or how a request stands: a message without buttons that decide. */
export const renderShort = (id: string, { title, lines, closing, url }: Content): SlackContent =>
  contentOf(
    `${title}.`,
    [paragraph(bold(`${title}.`)), ...lines, ...closing],
    [openButton(`countersign.news.${id}`, url)],
    4,
  );

/** A notice as a message: nothing in it decides anything. */
export function renderNotice(notice: Notice): SlackContent {
  const { title, lines, url } = noticeContent(notice);
  const body = richText(lines, { characters: SLACK_LIMITS.message - 1_000, blocks: 40 });
  return {
    text: clip(escapeText(visibleText(title)), SLACK_LIMITS.sectionText),
    blocks: [
      header(title),
      ...body.blocks,
      ...(body.cut === 0
        ? []
        : richText([paragraph(shown('There is more to it: open it.'))], { characters: 100, blocks: 1 }).blocks),
      openButton('countersign.notice', url),
    ],
  };
}

const openButton = (blockId: string, url: string): Block => ({
  type: 'actions',
  block_id: blockId,
  elements: [{ type: 'button', action_id: actionId('open'), text: plain('Open'), url }],
});
