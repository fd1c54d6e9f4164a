import type { PlanDescription } from '#lib/contracts';
import { visibleText, type Failure } from '#lib/kernel';
import {
  clip,
  escapeText,
  plain,
  richText,
  SLACK_LIMITS,
  span,
  type Block,
  type Line,
  type SlackContent,
} from './block-kit.js';
import { COMMENT_FIELD, type ModalContext } from './interaction.js';
import { actionId } from './render-request.js';
import { whatIsDone } from './render-what-is-done.js';

/** A modal of Slack's. */
export interface SlackModal {
  readonly type: 'modal';
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly title: ReturnType<typeof plain>;
  readonly submit: ReturnType<typeof plain>;
  readonly close: ReturnType<typeof plain>;
  readonly blocks: readonly object[];
}

const line = (text: string, bold = false): Line => ({
  kind: 'paragraph',
  spans: [bold ? span(visibleText(text), { bold: true }) : span(visibleText(text))],
});

const contentOf = (text: string, lines: readonly Line[], more: readonly Block[] = []): SlackContent => ({
  text: clip(escapeText(visibleText(text)), SLACK_LIMITS.sectionText),
  blocks: [...richText(lines, { characters: SLACK_LIMITS.sectionText, blocks: 10 }).blocks, ...more],
});

/** A refusal, for whoever clicked alone: what, why by policy, and what to do. */
export const renderRefusal = ({ message, action, reasons = [] }: Failure): SlackContent =>
  contentOf(message, [
    line(message, true),
    // A sole reason is often the message itself.
    ...reasons
      .filter((reason) => reason.message !== message)
      .map((reason): Line => ({ kind: 'bullet', spans: [span(visibleText(reason.message))] })),
    ...(action === undefined ? [] : [line(action)]),
  ]);

/** A word to whoever clicked alone. */
export const renderWord = (text: string): SlackContent => contentOf(text, [line(text)]);

/** For a Slack user whom no person has claimed: the way to become one's own. */
export const renderLinkOffer = (url: string): SlackContent =>
  contentOf(
    'Countersign does not know who you are in Slack.',
    [
      line('Countersign does not know who you are in Slack.', true),
      line(
        'Open this once, signed in to Countersign, and confirm that this Slack account is yours. It is good for ten minutes and for nobody else.',
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

const VERBS = { reject: 'Reject', request_changes: 'Request changes' } as const;

/** Asks why: a rejection and a wish for changes need their reason. */
export const renderCommentModal = (action: 'reject' | 'request_changes', context: ModalContext): SlackModal => ({
  type: 'modal',
  callback_id: actionId(action),
  private_metadata: JSON.stringify(context),
  title: plain(VERBS[action]),
  submit: plain(VERBS[action]),
  close: plain('Cancel'),
  blocks: [
    {
      type: 'input',
      block_id: COMMENT_FIELD.block,
      label: plain('What is wrong with it?'),
      element: {
        type: 'plain_text_input',
        action_id: COMMENT_FIELD.action,
        multiline: true,
        min_length: 1,
        max_length: 3_000,
      },
    },
  ],
});

/** What a run tells in the thread of its request. */
export interface RunNews {
  readonly event: string;
  readonly reason: string | null;
  readonly outcome: string | null;
}

const RUN_WORDS: Readonly<Record<string, string>> = {
  'run.started': 'The run has started.',
  'run.paused': 'The run is paused.',
  'run.resumed': 'The run goes on.',
  'run.completed': 'The run is complete.',
  'run.rolling_back': 'The run is being rolled back.',
  'run.rolled_back': 'The run was rolled back.',
  'run.rollback_failed': 'Rolling back failed: somebody has to look.',
  'run.cancelled': 'The run was cancelled.',
  'run.failed': 'The run failed.',
};

/** One event of a run, for the thread. */
export const renderRunNews = ({ event, reason, outcome }: RunNews): SlackContent => {
  const words = RUN_WORDS[event] ?? event;
  return contentOf(words, [
    line(words, true),
    ...(reason === null ? [] : [line(reason)]),
    ...(outcome === null ? [] : [line(outcome)]),
  ]);
};

/** Something other than a request that people are told of: a change that waits for a second person, an incident. */
export interface Notice {
  readonly title: string;
  /** Facts, one a line. */
  readonly lines: readonly string[];
  /** What was executed or would be; null for what is about no plan. */
  readonly done: PlanDescription | null;
  /** In somebody's own words, and whose. */
  readonly words: { readonly of: string; readonly text: string } | null;
  readonly url: string;
}

/** A notice as a message: nothing in it decides anything. */
export function renderNotice({ title, lines, done, words, url }: Notice): SlackContent {
  const body = richText(
    [
      ...lines.map((each): Line => ({ kind: 'bullet', spans: [span(visibleText(each))] })),
      ...(done === null ? [] : whatIsDone(done)),
      ...(words === null
        ? []
        : [line(`In the words of ${words.of}:`), { kind: 'quote' as const, spans: [span(visibleText(words.text))] }]),
    ],
    { characters: SLACK_LIMITS.message - 1_000, blocks: 40 },
  );
  return {
    text: clip(escapeText(visibleText(title)), SLACK_LIMITS.sectionText),
    blocks: [
      { type: 'header', text: plain(clip(visibleText(title), SLACK_LIMITS.headerText)) },
      ...body.blocks,
      ...(body.cut === 0
        ? []
        : richText([line('There is more to it: open it.')], { characters: 100, blocks: 1 }).blocks),
      {
        type: 'actions',
        block_id: 'countersign.notice',
        elements: [{ type: 'button', action_id: actionId('open'), text: plain('Open'), url }],
      },
    ],
  };
}
