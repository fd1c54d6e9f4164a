import type { Json } from '#lib/canonical';
import { documentDigest, idWithin } from './audit-entry.js';
import { checkBreakGlass } from './check-break-glass.js';
import { checkLines } from './check-lines.js';
import { checkRuns } from './check-runs.js';
import { quorumUnknown } from './checks-not-made.js';
import { executedTree } from './executed-tree.js';
import { member } from './json-member.js';
import { knownLines, type KnownPeople } from './known-by.js';
import { quorumReached, seatsOf, type Approver } from './quorum.js';
import type { Pack, PackEntry } from './pack-shape.js';
import { excludedIn, slotsOf, voteOf } from './review-facts.js';
import type { Refuse, Warn } from './verification-failure.js';

/** An entry with its payload, at its place in the pack. */
interface PayloadEntry {
  readonly index: number;
  readonly entry: PackEntry;
  readonly payload: Json;
}

/** Checks the proven entries and documents of a plan against each other. */
export function checkStory(pack: Pack, refuse: Refuse, warn: Warn): string[] {
  const told = pack.entries.flatMap((entry, index): PayloadEntry[] =>
    entry.facts === null ? [] : [{ index, entry, payload: entry.facts.payload }],
  );
  checkRuns(pack, refuse);
  const plan = pack.documents.find(({ kind, id }) => kind === 'plan' && id === pack.subject.id);
  const ofPlan = told.filter(({ entry }) => idWithin(entry.header, 'plan') === pack.subject.id);
  const approvals = ofPlan.filter(({ entry }) => entry.header.action === 'approval_request.approved');
  const dispatches = ofPlan.filter(({ entry }) => DISPATCHED.has(entry.header.action));
  if (plan === undefined) {
    const needs = approvals[0] ?? dispatches[0];
    return needs === undefined
      ? []
      : refuse('story.plan_missing', 'The pack lacks the plan that was approved or executed.', at(needs));
  }
  const planDigest = documentDigest('plan', plan.document);
  const lines = approvals.flatMap((approval) => checkApproval(approval, ofPlan, planDigest, pack, refuse));
  lines.push(...checkExecution(dispatches, plan.document, refuse));
  checkExecutedTrees(ofPlan, dispatches, refuse);
  checkLines(pack, plan.document, planDigest, refuse);
  lines.push(...checkBreakGlass(pack, planDigest, refuse, warn));
  return lines;
}

const DISPATCHED = new Set(['run.step_dispatched', 'run.compensation_dispatched']);
const at = ({ index }: PayloadEntry): string => `/entries/${String(index)}`;

/** Approved is exactly this plan, by a quorum of distinct people who had no hand in it. */
function checkApproval(
  approval: PayloadEntry,
  ofPlan: readonly PayloadEntry[],
  planDigest: string,
  pack: Pack,
  refuse: Refuse,
): string[] {
  const requestId = approval.entry.header.subject.id;
  const ofRequest = ofPlan.filter(({ entry }) => entry.header.subject.id === requestId);
  const opened = ofRequest.find(({ entry }) => entry.header.action === 'approval_request.opened');
  const binding = member(approval.payload, 'binding');
  const bindingDigest = member(approval.payload, 'binding_digest');
  const wrongDigest = (message: string): never => refuse('story.approval_digest', message, at(approval));
  if (documentDigest('binding', binding) !== bindingDigest)
    wrongDigest(`The approval ${requestId} names another digest than that of what it binds.`);
  if (member(binding, 'subject', 'plan') !== planDigest)
    wrongDigest(`The approval ${requestId} is for another plan than the one in this pack.`);
  checkBound(requestId, binding, pack, wrongDigest);
  if (opened === undefined) {
    // Only the payload of its opening names the people who were asked.
    const absent = pack.entries.some(
      ({ header, facts }) =>
        header.subject.id === requestId && header.action === 'approval_request.opened' && facts === null,
    );
    return absent
      ? [boundOnly(requestId)]
      : refuse('story.quorum', `The approval ${requestId} was never asked for.`, at(approval));
  }
  if (member(opened.payload, 'binding_digest') !== bindingDigest)
    wrongDigest(`The approval ${requestId} was asked for something else than what was approved.`);

  const slots = slotsOf(opened.payload);
  const barred = barredFrom(opened);
  const approvers = new Map<string, Approver & KnownPeople[number]>();
  for (const review of ofRequest.filter(({ entry }) => entry.header.action === 'review.submitted')) {
    const { actor } = review.entry.header;
    if (actor.kind !== 'person')
      refuse('story.quorum', `${actor.display_name}, who is no person, reviewed ${requestId}.`, at(review));
    // A later review by the same person replaces the earlier.
    approvers.delete(actor.id);
    if (member(review.payload, 'verdict') !== 'approve') continue;
    if (
      member(review.payload, 'subject_digest') !== planDigest ||
      member(review.payload, 'binding_digest') !== bindingDigest
    ) {
      refuse(
        'story.approval_digest',
        `${actor.display_name} approved something else than what ${requestId} binds.`,
        at(review),
      );
    }
    const vote = voteOf(review.entry);
    if (barred.has(actor.id))
      refuse(
        'story.quorum',
        `${actor.display_name} approved ${requestId}, and had a hand in what it asks for.`,
        at(review),
      );
    if (vote.sharedWith.some((id) => barred.has(id)))
      refuse(
        'story.quorum',
        `${actor.display_name} approved ${requestId}, and shares one vote with somebody who had a hand in what it asks for.`,
        at(review),
      );
    approvers.set(actor.id, {
      ...vote,
      name: actor.display_name,
      knownBy: member(review.payload, 'seat', 'known_by'),
    });
  }
  // A review without payload may have replaced one that is there.
  if (quorumUnknown(pack, requestId)) return [boundOnly(requestId)];
  if (slots.length === 0 || !quorumReached(slots, [...approvers.values()])) {
    refuse('story.quorum', `The approval ${requestId} was given without the people it asked for.`, at(approval));
  }
  const votes = seatsOf([...approvers.values()]).length;
  return [
    `Approved by ${String(votes)} distinct ${votes === 1 ? 'person' : 'people'}, none of whom asked for it: exactly this plan.`,
    ...knownLines('as they approved', [...approvers.values()], pack),
  ];
}

const boundOnly = (requestId: string): string =>
  `The approval ${requestId} is for this plan; its quorum could not be checked.`;

/** If the pack holds other documents that an approval binds, it holds exactly the bound ones. */
function checkBound(requestId: string, binding: Json, pack: Pack, wrongDigest: (message: string) => never): void {
  const digests = (kind: string): Map<string, string> =>
    new Map(
      pack.documents.filter((one) => one.kind === kind).map(({ id, document }) => [id, documentDigest(kind, document)]),
    );
  for (const kind of ['task', 'simulation']) {
    const held = [...digests(kind).values()];
    const bound = member(binding, 'subject', kind);
    if (typeof bound === 'string' && held.length > 0 && !held.includes(bound))
      wrongDigest(`The approval ${requestId} binds another ${kind} than those in this pack.`);
  }
  for (const [key, digest] of digests('tool')) {
    const bound = member(binding, 'tools', key);
    if (bound !== null && bound !== digest)
      wrongDigest(`The approval ${requestId} binds another ${key} than the one in this pack.`);
  }
}

/** People barred from the review: those that the request excluded, and its requester. */
function barredFrom({ entry, payload }: PayloadEntry): Set<string> {
  const { actor } = entry.header;
  return new Set([actor.id, actor.on_behalf_of, ...excludedIn(payload)].filter((id) => id !== null));
}

/** Every call that was sent stands in the plan. It has these very arguments, and this very tree of its command line. */
function checkExecution(dispatches: readonly PayloadEntry[], plan: Json, refuse: Refuse): string[] {
  if (dispatches.length === 0) return [];
  const planned = new Map<string, Set<Json>>();
  collectCalls(plan, planned);
  for (const dispatch of dispatches) {
    const digest = member(dispatch.payload, 'arguments_digest');
    const trees = typeof digest === 'string' ? planned.get(digest) : undefined;
    if (trees === undefined)
      return refuse(
        'story.executed_digest',
        `A call of ${toolOf(dispatch)} was sent that does not stand in the plan.`,
        at(dispatch),
      );
    if (!trees.has(member(dispatch.payload, 'tree')))
      refuse(
        'story.executed_tree',
        `A call of ${toolOf(dispatch)} was sent with another tree of its command line than the approved one.`,
        at(dispatch),
      );
  }
  return [`Each of ${String(dispatches.length)} calls that were sent stands in the plan, with the same arguments.`];
}

/** The action of the dispatch, by that of its answer. */
const DISPATCH_OF = new Map([
  ['run.step_succeeded', 'run.step_dispatched'],
  ['run.compensation_succeeded', 'run.compensation_dispatched'],
]);

/** No runner says that it executed another tree of a command line than the one that it was sent. */
function checkExecutedTrees(
  ofPlan: readonly PayloadEntry[],
  dispatches: readonly PayloadEntry[],
  refuse: Refuse,
): void {
  const sent = new Map(
    dispatches.map(({ entry, payload }) => [attemptOf(entry.header.action, payload), member(payload, 'tree')]),
  );
  for (const answer of ofPlan) {
    const action = DISPATCH_OF.get(answer.entry.header.action);
    const executed = executedTree(answer.payload);
    if (action === undefined || executed === null) continue;
    const tree = sent.get(attemptOf(action, answer.payload)) ?? null;
    // Without a command line, a member of that name means something else.
    if (tree !== null && tree !== executed)
      refuse(
        'story.executed_tree',
        'A runner says that it executed another tree of a command line than the one that it was sent.',
        at(answer),
      );
  }
}

const attemptOf = (action: string, payload: Json): string =>
  JSON.stringify([action, member(payload, 'run_step_id'), member(payload, 'attempt')]);

const toolOf = ({ payload }: PayloadEntry): string => {
  const tool = member(payload, 'tool');
  return typeof tool === 'string' ? tool : 'a tool';
};

/**
 * The digests of the arguments of calls, each with the trees of the calls' command lines. The tree is null for a call
 * without one.
 */
function collectCalls(value: Json, found: Map<string, Set<Json>>): void {
  if (typeof value !== 'object' || value === null) return;
  const digest = member(value, 'arguments_digest');
  if (typeof digest === 'string')
    found.set(digest, (found.get(digest) ?? new Set()).add(member(value, 'shell', 'tree')));
  for (const inner of Object.values(value)) collectCalls(inner, found);
}
