import { ownMember } from '#lib/canonical';
import { proofWords, counted, secondsInWords, stateInWords, visibleText, visibleValue } from '#lib/words';
import type { Content } from './content.js';
import { askedIn, saidBy } from './asked-lines.js';
import { bold, bullet, paragraph, shown } from './lines.js';
import type { PlanMessage, RequestMessage } from './request-message.js';
import { callDeadlineLines, callSections } from './call-sections.js';
import { clip, moment, span, type Line } from './rich-text.js';
import { whatIsDone } from './what-is-done.js';

/**
 * A request in lines, from the expanded steps and the records (T11). The text of others is visible and inert (T10). The
 * sections stand in the order in which they matter. A channel may have room for the first of them alone.
 */
export const requestSections = (message: RequestMessage): readonly (readonly Line[])[] =>
  message.type === 'tool_call'
    ? callSections(message, asked(message))
    : [
        who(message),
        whatIsDone(message.description),
        asked(message),
        askedToChange(message),
        changed(message),
        predicted(message),
        said(message),
      ];

/** A request to read, with a link to the page that decides it. */
export const requestContent = (message: RequestMessage, url: string): Content => ({
  title: titleOf(message),
  lines: requestSections(message).flat(),
  closing: [...pastLines(message), ...deadlineLines(message)],
  url,
});

/** How a request stands, for its requester. */
export const requestNewsContent = (message: RequestMessage, url: string): Content => ({
  title: titleOf(message),
  lines: [
    ...(message.closedReason === null ? [] : [paragraph(shown(message.closedReason))]),
    ...message.reviews.map(reviewLine),
  ],
  closing: deadlineLines(message),
  url,
});

/** @param which the reminder that is due: half_time, near_end or escalated. */
export const reminderContent = (message: RequestMessage, which: string, url: string): Content => {
  const why = ownMember(REMINDERS, which);
  return {
    title: `Still to be decided: ${titleOf(message)}`,
    lines: why === undefined ? [] : [paragraph(span(why))],
    closing: [...pastLines(message), ...deadlineLines(message)],
    url,
  };
};

const REMINDERS: Readonly<Record<string, string | undefined>> = {
  half_time: 'Half of its time is over.',
  near_end: 'Its time is almost over.',
  escalated: 'Nobody has decided, so it is escalated: further people are told of it as the autonomy document says.',
};

export const requestUrl = (publicUrl: string, id: string): string => `${publicUrl}/requests/${id}`;

const STATE_TITLES: Readonly<Record<RequestMessage['state'], string>> = {
  open: 'Approval asked for',
  approved: 'Approved',
  denied: 'Rejected',
  changes_requested: 'Changes requested',
  expired: 'Expired',
  voided: 'Void',
  consumed: 'Approved',
};

/** `Approval asked for: execute_rollout_prod on 47 targets, image web-2026.13, revision 2 in production`. */
export function titleOf(message: RequestMessage): string {
  const { state, environment } = message;
  if (message.type === 'tool_call')
    return `${STATE_TITLES[state]}: a call of ${message.call.tool.name} in ${environment.name}`;
  const { run, description } = message;
  const title = run === null ? STATE_TITLES[state] : `Run ${stateInWords(run.state)}`;
  return `${title}: ${description.headline} in ${environment.name}`;
}

export function askedBy({ requester }: RequestMessage): string {
  const behalf = requester.onBehalfOf === null ? '' : ` on behalf of ${requester.onBehalfOf}`;
  return `Asked by the ${requester.kind} ${requester.name}${behalf}`;
}

const MAX_GIST = 300;

/**
 * The requester, and the arguments of a call, in a line that may be cut. It stands below the title in a form that
 * approves nothing.
 */
export function gistOf(message: RequestMessage): Line {
  const given = message.type === 'tool_call' ? Object.entries(message.call.arguments) : [];
  const words = given.map(([name, value]) => `${visibleText(name)}: ${visibleValue(value)}`);
  return paragraph(span(clip([visibleText(askedBy(message)), ...words].join(' · '), MAX_GIST)));
}

const WHAT_RUNS = {
  all: 'all phases',
  canary: 'the canary phases only',
  promotion: 'what the canary left',
} as const;

function who(message: PlanMessage): Line[] {
  const { description, whatRuns } = message;
  const { risk, revision, targets } = description;
  return askedIn(
    message,
    risk,
    `${WHAT_RUNS[whatRuns]} of revision ${String(revision)}, ${counted(targets.length, 'target')}`,
  );
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

/** A review names at most this many of the facts that a reviewer is known by. */
const MAX_KNOWN_BY = 3;

/** An approval names the proof of the reviewer's second factor, and the facts by which they are known. Only a passkey signs. */
const reviewLine = ({ person, knownBy, verdict, comment, method }: RequestMessage['reviews'][number]): Line =>
  bullet(
    bold(person),
    ...(knownBy.length === 0 ? [] : [span(' ('), shown(knownBy.slice(0, MAX_KNOWN_BY).join('; ')), span(')')]),
    span(` ${VERDICTS[verdict]}${verdict === 'approve' ? ` (${proofWords(method)})` : ''}`),
    ...(comment === '' ? [] : [span(': '), shown(comment)]),
  );

const VERDICTS = { approve: 'approved', reject: 'rejected', request_changes: 'asked for changes' } as const;

/** The requested changes explain why there is another revision. */
const askedToChange = ({ changesAsked }: PlanMessage): Line[] =>
  changesAsked.map(({ revision, person, comment }) =>
    bullet(bold(person), span(` asked for changes on revision ${String(revision)}: `), shown(comment)),
  );

function changed({ changedSince }: PlanMessage): Line[] {
  if (changedSince === null) return [];
  const lines = changedSince.lines.length === 0 ? ['nothing that is executed'] : changedSince.lines;
  return [
    paragraph(span('Changed since '), bold(changedSince.people.join(', ')), span(' approved:')),
    ...lines.map((line) => bullet(shown(line))),
  ];
}

function predicted({ simulation }: PlanMessage): Line[] {
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

/** The words of the submitter, last. */
const said = ({ requester, said: { goal, words } }: PlanMessage): Line[] =>
  saidBy(requester, [goal, ...words], 'the steps');

/** The past of requests of this kind, while the request is open. */
export const pastLines = ({ state, past }: RequestMessage): Line[] =>
  state === 'open' && past !== null ? [paragraph(span(past))] : [];

export function deadlineLines(message: RequestMessage): Line[] {
  const { state, deadline, start } = message;
  if (message.type === 'tool_call') return callDeadlineLines(message);
  if (message.run !== null || deadline === null) return [];
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
