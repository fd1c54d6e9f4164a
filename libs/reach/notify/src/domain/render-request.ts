import { proofWords } from '#lib/contracts';
import { counted, secondsInWords, stateInWords, visibleText } from '#lib/kernel';
import {
  clip,
  escapeText,
  moment,
  plain,
  richText,
  SLACK_LIMITS,
  span,
  type Block,
  type Button,
  type Line,
  type SlackContent,
} from './block-kit.js';
import { bold, bullet, paragraph, quote, shown } from './render-lines.js';
import { whatIsDone } from './render-what-is-done.js';
import type { RequestMessage } from './request-message.js';

/** What a button of a request does; `open` only leads to the page. */
export const REQUEST_ACTIONS = ['approve', 'approve_and_start', 'reject', 'request_changes'] as const;
export type RequestAction = (typeof REQUEST_ACTIONS)[number];

export const actionId = (action: RequestAction | 'open' | 'step_up' | 'link'): string => `countersign.${action}`;

/** What the buttons carry, and where they lead. */
export interface RequestButtons {
  /** Says which request and plan a button is for, so that nobody can make it say another. */
  readonly value: (action: RequestAction) => string;
  readonly publicUrl: string;
}

export const requestUrl = (publicUrl: string, id: string): string => `${publicUrl}/requests/${id}`;

/** Kept free for what must always be said: the reason why something was cut, the time left, the buttons. */
const RESERVED_CHARACTERS = 1_000;
const RESERVED_BLOCKS = 5;

/**
 * A request as a Slack message: from the expanded steps and the records (T11), every word of others visible and inert (T10).
 * Where something had to be cut there is nothing to decide with: who decides reads all of it, on the page.
 */
export function renderRequest(
  message: RequestMessage,
  buttons: RequestButtons,
): SlackContent & { readonly cut: boolean } {
  const title = titleOf(message);
  const { blocks, cut } = body(message);
  const closing = richText(closingLines(message, cut), { characters: RESERVED_CHARACTERS, blocks: 2 });
  return {
    text: clip(escapeText(visibleText(`${title}. ${askedBy(message)}`)), SLACK_LIMITS.sectionText),
    blocks: [
      { type: 'header', text: plain(clip(visibleText(title), SLACK_LIMITS.headerText)) },
      ...blocks,
      ...closing.blocks,
      actions(message, buttons, cut > 0),
    ],
    cut: cut > 0,
  };
}

/** The sections in the order of what matters; the first that does not fit, and all after it, are missing. */
function body(message: RequestMessage): { readonly blocks: readonly Block[]; readonly cut: number } {
  const blocks: Block[] = [];
  let characters = SLACK_LIMITS.message - RESERVED_CHARACTERS - SLACK_LIMITS.headerText;
  let cut = 0;
  const sections = [
    who(message),
    whatIsDone(message.description),
    asked(message),
    askedToChange(message),
    changed(message),
    predicted(message),
    said(message),
  ];
  for (const lines of sections) {
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

const STATE_TITLES: Readonly<Record<RequestMessage['state'], string>> = {
  open: 'Approval asked for',
  granted: 'Approved',
  denied: 'Rejected',
  changes_requested: 'Changes requested',
  expired: 'Expired',
  voided: 'Void',
  consumed: 'Approved',
};

/** `Approval asked for: execute_rollout_prod on 47 targets, image web-2026.13, revision 2 in production`. */
export function titleOf({ state, description, environment, run }: RequestMessage): string {
  const title = run === null ? STATE_TITLES[state] : `Run ${stateInWords(run.state)}`;
  return `${title}: ${description.headline} in ${environment.name}`;
}

function askedBy({ requester }: RequestMessage): string {
  const behalf = requester.onBehalfOf === null ? '' : ` on behalf of ${requester.onBehalfOf}`;
  return `Asked by the ${requester.kind} ${requester.name}${behalf}`;
}

const WHAT_RUNS = {
  all: 'all phases',
  canary: 'the canary phases only',
  promotion: 'what the canary left',
} as const;

/** Seen before it is read. */
const RISK_SIGNS = { low: '🟢', medium: '🟡', high: '🟠', critical: '🔴' } as const;

function who(message: RequestMessage): Line[] {
  const { requester, environment, description, whatRuns } = message;
  const { risk, revision, targets } = description;
  return [
    paragraph(
      span(`${RISK_SIGNS[risk]} `),
      bold(`${risk.toUpperCase()} RISK`),
      span(' in '),
      bold(environment.name),
      span(environment.production && environment.name !== 'production' ? ', which is production' : ''),
      span(`: ${WHAT_RUNS[whatRuns]} of revision ${String(revision)}, ${counted(targets.length, 'target')}.`),
    ),
    paragraph(
      span('Asked by '),
      bold(requester.name),
      span(` (${requester.kind})`),
      ...(requester.onBehalfOf === null ? [] : [span(' on behalf of '), bold(requester.onBehalfOf)]),
      span('.'),
    ),
  ];
}

function asked(message: RequestMessage): Line[] {
  const slots = message.asked.map(
    ({ count, roles, filled }) => `${String(count)} of ${roles.join(' or ')} (${String(filled)} so far)`,
  );
  return [
    paragraph(
      span('Policy asks for '),
      bold(slots.length === 0 ? 'nobody' : slots.join(' and ')),
      span(message.mfa ? ', each with a second factor.' : '.'),
    ),
    ...message.why.map((reason) => bullet(shown(reason))),
    ...message.reviews.map(reviewLine),
    ...(message.closedReason === null ? [] : [paragraph(shown(message.closedReason))]),
  ];
}

/** Of many ways in, so many are named. */
const MOST_KNOWN_BY = 3;

/** An approval says what shows that it was them, and by what they are known: only a passkey signs. */
const reviewLine = ({ person, knownBy, verdict, comment, method }: RequestMessage['reviews'][number]): Line =>
  bullet(
    bold(person),
    ...(knownBy.length === 0 ? [] : [span(' ('), shown(knownBy.slice(0, MOST_KNOWN_BY).join('; ')), span(')')]),
    span(` ${VERDICTS[verdict]}${verdict === 'approve' ? ` (${proofWords(method)})` : ''}`),
    ...(comment === '' ? [] : [span(': '), shown(comment)]),
  );

const VERDICTS = { approve: 'approved', reject: 'rejected', request_changes: 'asked for changes' } as const;

/** Without it nobody knows why there is another revision. */
const askedToChange = ({ changesAsked }: RequestMessage): Line[] =>
  changesAsked.map(({ revision, person, comment }) =>
    bullet(bold(person), span(` asked for changes on revision ${String(revision)}: `), shown(comment)),
  );

function changed({ changedSince }: RequestMessage): Line[] {
  if (changedSince === null) return [];
  const lines = changedSince.lines.length === 0 ? ['nothing that is executed'] : changedSince.lines;
  return [
    paragraph(span('Changed since '), bold(changedSince.people.join(', ')), span(' approved:')),
    ...lines.map((line) => bullet(shown(line))),
  ];
}

function predicted({ simulation }: RequestMessage): Line[] {
  if (simulation === null) return [paragraph(span('Nothing was simulated.'))];
  return [
    paragraph(
      span('Simulation predicts '),
      bold(counted(simulation.affected, 'asset')),
      span(` affected in about ${secondsInWords(Math.round(simulation.minutes) * 60)}.`),
      span(
        ` Risk as predicted by ${simulation.by.length === 0 ? 'nobody' : simulation.by.join(' and ')}: ${simulation.risk}.`,
      ),
    ),
    ...(simulation.affected === 0 ? [bullet(bold('It finds nothing that this plan changes.'))] : []),
    ...(simulation.points.length === 0 ? [] : [bullet(span('to watch: '), shown(simulation.points.join(', ')))]),
  ];
}

/** What is said of it by whoever submitted it, labelled as such and kept apart. */
function said({ requester, said: { goal, summary } }: RequestMessage): Line[] {
  return [
    paragraph(
      // A person may have asked about what an agent wrote.
      span(
        requester.kind === 'agent'
          ? `Written by ${visibleText(requester.name)}; not verified. Trust the steps, not this text:`
          : 'Written by the submitter; not verified. Trust the steps, not this text:',
        { italic: true },
      ),
    ),
    quote(shown(goal)),
    ...(summary === null ? [] : [quote(shown(summary))]),
  ];
}

function closingLines(message: RequestMessage, cut: number): Line[] {
  return [
    ...(cut === 0 || message.state !== 'open'
      ? []
      : [
          paragraph(
            bold('This cannot be approved here: '),
            span(`${String(cut)} characters of it do not fit into a message. Open it to see and decide on all of it.`),
          ),
        ]),
    ...deadlineLines(message),
  ];
}

function deadlineLines({ state, deadline, start, run }: RequestMessage): Line[] {
  if (run !== null || deadline === null) return [];
  const starts =
    start.kind === 'at'
      ? [span(' It starts at '), moment(start.at), span(', or once it is approved, if that is later.')]
      : [span(start.kind === 'manual' ? ' It is started by hand.' : ' It starts when it is approved.')];
  return [
    paragraph(
      span(state === 'open' ? 'To be decided until ' : 'To be started until '),
      moment(deadline),
      span('.'),
      ...starts,
    ),
  ];
}

function actions(message: RequestMessage, { value, publicUrl }: RequestButtons, cut: boolean): Block {
  const page = requestUrl(publicUrl, message.id);
  const decides = message.state === 'open' && !cut;
  const press = (action: RequestAction, label: string, style?: Button['style']): Button => ({
    type: 'button',
    action_id: actionId(action),
    text: plain(label),
    value: value(action),
    ...(style === undefined ? {} : { style }),
  });
  // Others are still asked after this approval: nothing starts by it.
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
        ? [...approving, press('reject', 'Reject', 'danger'), press('request_changes', 'Request changes')]
        : []),
      { type: 'button', action_id: actionId('open'), text: plain('Open'), url: page },
    ],
  };
}

/** A reminder, in the thread of the request. @param which of them it is: why people are told again. */
export function renderReminder(message: RequestMessage, which: string, publicUrl: string): SlackContent {
  const why = WHY_AGAIN[which];
  return short(message, `Still to be decided: ${titleOf(message)}.`, publicUrl, [
    ...(why === undefined ? [] : [paragraph(span(why))]),
    ...deadlineLines(message),
  ]);
}

const WHY_AGAIN: Readonly<Record<string, string | undefined>> = {
  half_time: 'Half of its time is over.',
  near_end: 'Its time is almost over.',
  escalated: 'Nobody has decided, so it is escalated: further people are told of it as the autonomy document says.',
};

/** What became of a request, for whoever asked. */
export function renderRequestNews(message: RequestMessage, publicUrl: string): SlackContent {
  const reviews = message.reviews.map(reviewLine);
  const reason = message.closedReason === null ? [] : [paragraph(shown(message.closedReason))];
  return short(message, `${titleOf(message)}.`, publicUrl, [...reason, ...reviews, ...deadlineLines(message)]);
}

function short(message: RequestMessage, title: string, publicUrl: string, lines: readonly Line[]): SlackContent {
  const body = richText([paragraph(bold(title)), ...lines], { characters: SLACK_LIMITS.sectionText, blocks: 4 });
  return {
    text: clip(escapeText(visibleText(title)), SLACK_LIMITS.sectionText),
    blocks: [
      ...body.blocks,
      {
        type: 'actions',
        block_id: `countersign.news.${message.id}`,
        elements: [
          { type: 'button', action_id: actionId('open'), text: plain('Open'), url: requestUrl(publicUrl, message.id) },
        ],
      },
    ],
  };
}
