import pc from 'picocolors';
import type {
  ApprovalRequestDetailView,
  ApprovalRequestView,
  CallRequestDetailView,
  PlanRequestDetailView,
  ReviewView,
} from '#lib/api-schemas';
import { proofWords, visibleValue } from '#lib/words';
import { duration, fields, indented, moment, oneLine, quoted, state, table } from '../output.js';
import { doneLines } from './calls-view.js';
import { decisionLines, slotText } from './decision-view.js';
import { diffLines } from './diff-view.js';
import { predictionLines, riskText } from './simulation-view.js';

type Bound = ApprovalRequestDetailView['changed_since_opened'];

const scopes: Readonly<Record<PlanRequestDetailView['subject']['phases'], string>> = {
  all: 'the whole plan',
  canary: 'only its canary phases',
  promotion: 'what the canary left',
};

export const requestTable = (requests: readonly ApprovalRequestView[]): string[] =>
  table(
    ['request', 'state', 'would execute', 'risk', 'still needs', 'time left', 'what is done'],
    requests.map((request) => [
      request.id,
      request.state,
      request.subject.type === 'plan' ? scopes[request.subject.phases] : 'one call',
      request.risk,
      stillNeeds(request),
      request.seconds_left === null ? '' : duration(request.seconds_left),
      request.headline,
    ]),
    [1],
  );

/** A closed request waits for nobody, even if its quorum was not complete. */
const stillNeeds = ({ state: now, quorum }: ApprovalRequestView): string =>
  now === 'open' ? quorum.open.map(({ count, roles }) => slotText(count, roles)).join(' and ') || 'nothing' : '';

/**
 * Everything that somebody who reviews it should see.
 *
 * @param asker who asks, by name.
 */
export const requestLines = (request: ApprovalRequestDetailView, asker: string): string[] =>
  'call' in request ? callLines(request, asker) : planLines(request, asker);

/** The heading, and the reason why it is closed. */
const headLines = (request: ApprovalRequestDetailView, headline: string): string[] => [
  `${pc.bold('approval request')} ${request.id} is ${state(request.state)}`,
  pc.bold(oneLine(headline)),
  ...(request.closed_reason === null ? [] : [oneLine(request.closed_reason.message)]),
];

const environmentField = ({ environment }: ApprovalRequestDetailView): readonly [string, string] => [
  'environment',
  `${oneLine(environment.name)}${environment.production && environment.name !== 'production' ? pc.red(' (production)') : ''}`,
];

/** Policy's reasons, the quorum and the reviews. */
const decidedLines = (request: ApprovalRequestDetailView): string[] => [
  '',
  pc.bold('why people are asked'),
  ...indented(decisionLines(request.decision, request.autonomy_line)),
  '',
  pc.bold('quorum'),
  ...indented(quorumLines(request)),
  ...reviewLines(request),
  ...changedLines(request),
];

function callLines(request: CallRequestDetailView, asker: string): string[] {
  const { call } = request;
  return [
    ...headLines(request, call.impact),
    ...fields([
      environmentField(request),
      ['risk', riskText(request.risk)],
      ['calls', `${oneLine(call.tool)}, version ${String(call.version)}`],
      ['category', oneLine(call.category)],
      ['made by', call.executor === null ? 'the agent itself' : oneLine(call.executor)],
      ['asked by', asker],
      ['call', request.subject.id],
      ['call digest', request.subject.digest],
      ...timeLeft(request),
    ]),
    '',
    pc.bold('parameters'),
    ...indented(Object.entries(call.arguments).map(([name, value]) => `${oneLine(name)}: ${visibleValue(value)}`)),
    ...(call.targets.length === 0 ? [] : indented([`targets: ${call.targets.map(oneLine).join(', ')}`])),
    ...(call.said_by_the_requester === null
      ? []
      : ['', pc.dim(`written by ${asker}; not verified:`), ...indented(quoted(call.said_by_the_requester.reason))]),
    ...decidedLines(request),
  ];
}

function planLines(request: PlanRequestDetailView, asker: string): string[] {
  const { said_by_the_requester: said } = request;
  return [
    ...headLines(request, request.description.headline),
    ...neighbourLines(request),
    ...fields([
      environmentField(request),
      ['risk', riskText(request.description.risk)],
      ['would execute', scopes[request.subject.phases]],
      ['asked by', asker],
      ['plan', `${request.subject.id}, revision ${String(request.revision)}`],
      ['plan digest', request.subject.digest],
      ['starts', startText(request)],
      ...timeLeft(request),
    ]),
    '',
    pc.bold('what is done'),
    ...indented(doneLines(request.description, request.subject.phases)),
    '',
    pc.dim(`written by ${asker}; not verified:`),
    ...indented([said.goal, ...said.words].flatMap(quoted)),
    ...changesAskedLines(request),
    '',
    pc.bold('what the simulation predicts'),
    ...indented(predictionOf(request)),
    ...decidedLines(request),
    ...changesSinceMine(request),
  ];
}

/** The request that a plan was given. It is one of its own, or that of an equal plan which waits already (T09). */
export const openedLines = (
  planId: string,
  request: ApprovalRequestView,
  warnings: readonly string[] = [],
): string[] => [
  `${pc.bold('approval request')} ${request.id} is ${state(request.state)}${request.seconds_left === null ? '' : `, to be decided within ${duration(request.seconds_left)}`}`,
  ...indented(quorumLines(request)),
  ...(request.subject.id === planId
    ? []
    : [
        pc.yellow(
          `warning: it is the request of plan ${request.subject.id}, which is equal and waits already; plan ${planId} has none, and its approval does not start it`,
        ),
      ]),
  ...warnings.map((warning) => pc.yellow(`warning: ${oneLine(warning)}`)),
];

export function quorumLines({ quorum }: Pick<ApprovalRequestView, 'quorum'>): string[] {
  return [
    ...quorum.filled.map(({ person, as }) =>
      pc.green(`✓ ${oneLine(person.display_name)}${as.length === 0 ? '' : `, as ${oneLine(as.join(' and '))}`}`),
    ),
    ...quorum.open.map(({ count, roles }) => pc.yellow(`… ${slotText(count, roles)} missing`)),
  ];
}

function predictionOf({ simulation }: PlanRequestDetailView): string[] {
  if (simulation === null) return ['nothing: policy asks for no simulation of it'];
  const doubt = simulation.state === 'succeeded' ? [] : [pc.red(`the simulation is ${simulation.state}`)];
  return [...doubt, ...predictionLines(simulation.result)];
}

/** The request that it replaced, and the one that replaced it. */
const neighbourLines = ({ replaces, replaced_by: next }: PlanRequestDetailView): string[] => [
  ...(replaces === null
    ? []
    : [
        `takes the place of ${replaces.request_id}, revision ${String(replaces.revision)}, which is ${state(replaces.state)}`,
      ]),
  ...(next === null
    ? []
    : [`${next.request_id}, revision ${String(next.revision)}, took its place and is ${state(next.state)}`]),
];

const changesAskedLines = ({ changes_asked: asked }: PlanRequestDetailView): string[] =>
  asked.flatMap(({ revision, person, comment }) => [
    '',
    `${pc.bold(oneLine(person.display_name))} asked for changes on revision ${String(revision)}:`,
    ...indented(quoted(comment)),
  ]);

function startText({ start, start_at: at }: ApprovalRequestView): string {
  if (start === 'manual') return 'when somebody starts it';
  return start === 'at' && at !== null ? moment(at) : 'as soon as it is approved';
}

function timeLeft(request: ApprovalRequestView): (readonly [string, string])[] {
  if (request.seconds_left === null) return [];
  const what = request.state === 'open' ? 'decide within' : 'start within';
  return [[what, duration(request.seconds_left)]];
}

/** The reasons why the reviewer was known, and the people that share one vote with them. */
const standingLines = ({ known_by: known, shares_vote_with: others }: ReviewView): string[] => [
  ...(known.length === 0 ? [] : [pc.dim(oneLine(known.join('; ')))]),
  ...(others.length === 0
    ? []
    : [pc.yellow(oneLine(`one vote together with ${others.map(({ display_name: name }) => name).join(', ')}`))]),
];

function reviewLines({ reviews }: ApprovalRequestDetailView): string[] {
  if (reviews.length === 0) return [];
  return [
    '',
    pc.bold('reviews'),
    ...indented(
      reviews.flatMap((review) => [
        `${state(review.verdict)} by ${oneLine(review.person.display_name)}${review.confirm_word === null ? '' : `, with the word ${review.confirm_word}`}${review.always ? ', for later calls like it too' : ''}${review.verdict === 'approve' ? `, ${proofWords(review.mfa_method)}` : ''}, ${moment(review.created_at)}${review.replaced_at === null ? '' : pc.dim(' (replaced since)')}`,
        ...indented(standingLines(review)),
        ...(review.comment === '' ? [] : indented(quoted(review.comment))),
      ]),
    ),
  ];
}

const changedLines = ({ changed_since_opened: changed }: ApprovalRequestDetailView): string[] =>
  changed.length === 0
    ? []
    : ['', pc.red('changed since it was asked: a review would void the request'), ...indented(boundLines(changed))];

const changesSinceMine = ({ changes_since_my_review: mine }: PlanRequestDetailView): string[] =>
  mine === null
    ? []
    : [
        '',
        pc.bold(`what differs from what you approved on ${moment(mine.approved_at)}`),
        ...indented([...boundLines(mine.bound), ...diffLines(mine)]),
      ];

const boundLines = (bound: Bound): string[] =>
  bound.map(
    ({ member, names }) => `${oneLine(member)}${names.length === 0 ? '' : `: ${names.map(oneLine).join(', ')}`}`,
  );
