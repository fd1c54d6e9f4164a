import {
  askedBy,
  bold,
  clip,
  deadlineLines,
  paragraph,
  pastLines,
  requestSections,
  requestUrl,
  span,
  titleOf,
  type CallMessage,
  type Line,
  type RequestMessage,
} from '#lib/delivery';
import { visibleText } from '#lib/words';
import {
  escapeText,
  header,
  plain,
  richText,
  SLACK_LIMITS,
  type Block,
  type Button,
  type SlackContent,
} from './block-kit.js';

/**
 * The actions of the buttons of a request. `always`, `confirm` (an approval with a typed word) and `reject_call` are those of a call.
 * `open` only leads to the page.
 */
export const REQUEST_ACTIONS = [
  'approve',
  'approve_and_start',
  'always',
  'confirm',
  'reject',
  'reject_call',
  'request_changes',
] as const;
export type RequestAction = (typeof REQUEST_ACTIONS)[number];

/** The actions that open a modal, with one field to type in. */
export const MODAL_ACTIONS = ['confirm', 'reject', 'reject_call', 'request_changes'] as const;
export type ModalAction = (typeof MODAL_ACTIONS)[number];

export const actionId = (action: RequestAction | 'open' | 'step_up' | 'link'): string => `countersign.${action}`;

/** Makes the value of a button, which binds it to its request and plan: it works for no other. */
export type ButtonValue = (action: RequestAction) => string;

export interface RenderedRequest {
  readonly cut: boolean;
  readonly withButtons: (value: ButtonValue) => SlackContent;
}

/** Room that is kept for the closing lines and the buttons. */
const RESERVED_CHARACTERS = 1_000;
const RESERVED_BLOCKS = 5;

/**
 * A request as a Slack message, from the expanded steps and the records (T11). The text of others is visible and inert
 * (T10). A message that is cut has no button that decides. An approver has to read all of it, on the page.
 */
export function renderRequest(message: RequestMessage, publicUrl: string): RenderedRequest {
  const title = titleOf(message);
  const { blocks, cut } = requestBody(message);
  const closing = richText([...pastLines(message), ...cutLines(message, cut), ...deadlineLines(message)], {
    characters: RESERVED_CHARACTERS,
    blocks: 2,
  });
  const text = clip(escapeText(visibleText(`${title}. ${askedBy(message)}`)), SLACK_LIMITS.sectionText);
  const shown = [header(title), ...blocks, ...closing.blocks];
  return {
    cut: cut > 0,
    withButtons: (value) => ({ text, blocks: [...shown, actions(message, { value, publicUrl }, cut > 0)] }),
  };
}

/** The sections, without the first that does not fit and all after it. */
export function requestBody(message: RequestMessage): { readonly blocks: readonly Block[]; readonly cut: number } {
  const blocks: Block[] = [];
  let characters = SLACK_LIMITS.message - RESERVED_CHARACTERS - SLACK_LIMITS.headerText;
  let cut = 0;
  for (const lines of requestSections(message)) {
    const room = {
      characters: cut > 0 ? 0 : characters,
      blocks: SLACK_LIMITS.blocks - RESERVED_BLOCKS - blocks.length,
    };
    const rendered = richText(lines, room);
    blocks.push(...rendered.blocks);
    characters -= rendered.used;
    cut += rendered.cut;
  }
  return { blocks, cut };
}

const cutLines = ({ state }: RequestMessage, cut: number): Line[] =>
  cut === 0 || state !== 'open' ? [] : [tooLongHere(cut)];

export const tooLongHere = (cut: number): Line =>
  paragraph(
    bold('This cannot be approved here: '),
    span(`${String(cut)} characters of it do not fit into a message. Open it to see and decide on all of it.`),
  );

function actions(
  message: RequestMessage,
  { value, publicUrl }: { readonly value: ButtonValue; readonly publicUrl: string },
  cut: boolean,
): Block {
  const page = requestUrl(publicUrl, message.id);
  const decides = message.state === 'open' && !cut;
  const press = (action: RequestAction, label: string, style?: Button['style']): Button => ({
    type: 'button',
    action_id: actionId(action),
    text: plain(label),
    value: value(action),
    ...(style === undefined ? {} : { style }),
  });
  const approvingCall = ({ always, confirmWord }: CallMessage): readonly Button[] => [
    press(confirmWord === null ? 'approve' : 'confirm', 'Approve', 'primary'),
    ...(always === null ? [] : [press('always', 'Always in this session')]),
  ];
  // Only the last approval that is asked for starts the run.
  const last = message.asked.reduce((open, { count, filled }) => open + count - filled, 0) <= 1;
  const approving: readonly Button[] = message.mfa
    ? [
        {
          type: 'button',
          action_id: actionId('step_up'),
          text: plain('Approve with second factor'),
          url: `${page}?review=approve`,
          style: 'primary',
        },
      ]
    : message.type === 'tool_call'
      ? approvingCall(message)
      : message.start.kind === 'on_approval'
        ? [press('approve', last ? 'Approve and start' : 'Approve', 'primary')]
        : message.start.kind === 'manual' && last
          ? [press('approve', 'Approve', 'primary'), press('approve_and_start', 'Approve and start')]
          : [press('approve', 'Approve', 'primary')];
  return {
    type: 'actions',
    block_id: `countersign.request.${message.id}`,
    elements: [
      ...(decides
        ? [
            ...approving,
            ...(message.type === 'plan'
              ? [press('reject', 'Reject', 'danger'), press('request_changes', 'Request changes')]
              : [press('reject_call', 'Reject', 'danger')]),
          ]
        : []),
      { type: 'button', action_id: actionId('open'), text: plain('Open'), url: page },
    ],
  };
}
