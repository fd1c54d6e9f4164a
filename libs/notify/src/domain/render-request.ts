import { visibleText } from '#lib/kernel';
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
  type Span,
} from './block-kit.js';
import { foldTargets } from './fold-targets.js';
import type { CallGroup } from './group-calls.js';
import type { PhaseShown, RequestMessage } from './request-message.js';

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
  const sections = [who(message), asked(message), changed(message), predicted(message), steps(message), said(message)];
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

/** `Approval asked for: execute_rollout_prod on 47 targets in production`. */
export function titleOf({ state, tools, targets, environment, run }: RequestMessage): string {
  const changing = tools.filter(({ effect }) => effect !== 'read');
  const named = changing.length === 0 ? tools : changing;
  const what = named.length > 2 ? `${String(named.length)} tools` : named.map(({ name }) => name).join(' and ');
  const title = run === null ? STATE_TITLES[state] : `Run ${run.state.replaceAll('_', ' ')}`;
  return `${title}: ${what} on ${counted(targets.length, 'target')} in ${environment.name}`;
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

function who(message: RequestMessage): Line[] {
  const { requester, environment, revision, whatRuns, targets, tools } = message;
  const changing = new Set(tools.filter(({ effect }) => effect !== 'read').map(({ effect }) => effect));
  return [
    paragraph(
      bold(requester.name),
      span(` (${requester.kind}) asks`),
      ...(requester.onBehalfOf === null ? [] : [span(' on behalf of '), bold(requester.onBehalfOf)]),
      span(' to change '),
      bold(environment.name),
      span(environment.production ? ' (production)' : ' (not production)'),
      span(`: plan revision ${String(revision)}, ${WHAT_RUNS[whatRuns]}, ${counted(targets.length, 'target')}`),
      span(changing.has('destructive') ? ', some of it ' : ''),
      ...(changing.has('destructive') ? [span('destructive', { bold: true })] : []),
      span('.'),
    ),
    ...tools.map((tool) =>
      bullet(
        code(`${tool.name} v${String(tool.version)}`),
        span(` ${tool.risk}, ${tool.effect}${tool.idempotent ? '' : ', not idempotent'}`),
      ),
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
    ...message.reviews.map(({ person, verdict, comment }) =>
      bullet(bold(person), span(` ${VERDICTS[verdict]}`), ...(comment === '' ? [] : [span(': '), shown(comment)])),
    ),
    ...(message.closedReason === null ? [] : [paragraph(shown(message.closedReason))]),
  ];
}

const VERDICTS = { approve: 'approved', reject: 'rejected', request_changes: 'asked for changes' } as const;

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
      span(` affected in about ${String(Math.round(simulation.minutes))} minutes, risk `),
      bold(simulation.risk),
      span('.'),
    ),
    ...(simulation.points.length === 0 ? [] : [bullet(span('to watch: '), shown(simulation.points.join(', ')))]),
  ];
}

const steps = ({ phases }: RequestMessage): Line[] => phases.flatMap(phaseLines);

function phaseLines(phase: PhaseShown): Line[] {
  const sizes = foldSizes(phase.batches);
  return [
    paragraph(
      span('Phase '),
      bold(phase.name),
      span(phase.canary ? ' (canary)' : ''),
      span(`: ${counted(phase.batches.length, 'batch', 'batches')} of ${sizes} targets`),
      span(phase.waitSeconds === 0 ? '' : `, wait ${String(phase.waitSeconds)} s after each`),
      ...(phase.healthChecks.length === 0 ? [] : [span(', check '), shown(phase.healthChecks.join(', '))]),
      ...(phase.rollbackIf === null ? [] : [span(', roll back if '), code(phase.rollbackIf)]),
    ),
    ...phase.groups.flatMap(groupLines),
  ];
}

function groupLines(group: CallGroup): Line[] {
  return [
    bullet(
      code(group.tool),
      span(` (step ${visibleText(group.stepId)}, ${counted(group.calls, 'call')} by ${visibleText(group.executor)}`),
      span(`, on failure ${group.onFailure}, ${group.undoneBy === null ? 'nothing undoes it' : 'undone by '}`),
      ...(group.undoneBy === null ? [] : [code(group.undoneBy)]),
      span(')'),
      ...(group.targets.length === 0
        ? [span(' on the environment as a whole')]
        : [span(` on ${counted(group.targets.length, 'target')}: `), shown(foldTargets(group.targets).join(', '))]),
    ),
    ...group.shared.map(([name, value]) => point(shown(name), span(' = '), code(value))),
    ...group.differences.map(({ targets, values }) =>
      point(
        shown(foldTargets(targets).join(', ')),
        span(': '),
        ...values.flatMap(([name, value], index) => [
          span(index === 0 ? '' : ', '),
          shown(name),
          span(' = '),
          code(value),
        ]),
      ),
    ),
  ];
}

/** What is said of it by whoever submitted it, labelled as such and kept apart. */
function said({ requester, said: { goal, summary } }: RequestMessage): Line[] {
  return [
    paragraph(
      // A person may have asked about what an agent wrote.
      span(
        requester.kind === 'agent'
          ? 'In the agent’s own words, which decide nothing and are not checked:'
          : 'In the words of whoever submitted it, which decide nothing and are not checked:',
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
      ? [span(' It starts at '), moment(start.at), span(', or once it is approved where that is later.')]
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
      ? [press('approve', 'Approve and start', 'primary')]
      : message.start.kind === 'manual'
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

const paragraph = (...spans: readonly Span[]): Line => ({ kind: 'paragraph', spans: spans.filter(notEmpty) });
const bullet = (...spans: readonly Span[]): Line => ({ kind: 'bullet', spans: spans.filter(notEmpty) });
const point = (...spans: readonly Span[]): Line => ({ kind: 'point', spans: spans.filter(notEmpty) });
const quote = (...spans: readonly Span[]): Line => ({ kind: 'quote', spans: spans.filter(notEmpty) });
/** Slack refuses a span without text. */
const notEmpty = (each: Span): boolean => each.type !== 'text' || each.text !== '';

const shown = (text: string): Span => span(visibleText(text));
const bold = (text: string): Span => span(visibleText(text), { bold: true });
const code = (text: string): Span => span(visibleText(text), { code: true });

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${String(count)} ${count === 1 ? one : many}`;

/** `5 + 5 + 5 + 2` as `3 × 5 + 2`. */
function foldSizes(sizes: readonly number[]): string {
  const runs: { size: number; times: number }[] = [];
  for (const size of sizes) {
    const last = runs.at(-1);
    if (last?.size === size) last.times += 1;
    else runs.push({ size, times: 1 });
  }
  return runs.map(({ size, times }) => (times === 1 ? String(size) : `${String(times)} × ${String(size)}`)).join(' + ');
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
  const reviews = message.reviews.map(({ person, verdict, comment }) =>
    bullet(bold(person), span(` ${VERDICTS[verdict]}`), ...(comment === '' ? [] : [span(': '), shown(comment)])),
  );
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
