import type { AgentId, PersonId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { ApprovalRequest, ExcludedPerson, Exclusion } from './approval-request.js';
import type { ApprovalSubject } from './approval-subject.js';

/** Everybody who had a hand in what a request asks for. */
export interface Authorship {
  readonly task: Submitter;
  /** Who submitted the plan revision that is asked about. */
  readonly plan: Submitter;
  readonly requester: Submitter;
  /** Who submitted the task's other revisions. */
  readonly otherRevisions: readonly Submitter[];
}

/**
 * Who can never review it (separation of duties, T03): who submitted or changed it, on whose behalf that was done, and
 * who answers for an agent that did or could speak through it. Each person stands once, with the weightiest reason.
 *
 * @param answerable those people of every agent among the authors.
 */
export function excludedPeople(
  authorship: Authorship,
  answerable: ReadonlyMap<AgentId, readonly PersonId[]>,
): ExcludedPerson[] {
  const submitters = [authorship.plan, authorship.task, authorship.requester];
  const everybody = [...submitters, ...authorship.otherRevisions];
  const found: ExcludedPerson[] = [
    ...peopleIn(submitters, 'submitter'),
    ...peopleIn(authorship.otherRevisions, 'changed'),
    ...everybody.flatMap(({ onBehalfOf }) =>
      onBehalfOf === null ? [] : [{ personId: onBehalfOf, why: 'on_behalf_of' as const }],
    ),
    ...agentsIn(everybody)
      .flatMap((agentId) => answerable.get(agentId) ?? [])
      .map((personId) => ({ personId, why: 'owner' as const })),
  ];
  return mergeExcluded([], found);
}

/** Who was excluded when a request was opened, and who is as things are now: an agent may have another owner since. */
export const excludedToday = (subject: ApprovalSubject, request: ApprovalRequest): ExcludedPerson[] =>
  mergeExcluded(
    request.excluded,
    excludedPeople(
      {
        task: subject.task.submitter,
        plan: subject.plan.submitter,
        requester: request.requester,
        otherRevisions: subject.otherRevisions,
      },
      subject.answerable,
    ),
  );

/** How people stand, as far as seats go. */
export type SharedVotes = ReadonlyMap<PersonId, { readonly sharedWith: readonly PersonId[] }>;

/** With the hands by which one of them came in: one person could be both, and would review their own. */
export const withHands = (excluded: readonly ExcludedPerson[], votes: SharedVotes): ExcludedPerson[] =>
  mergeExcluded(
    excluded,
    excluded.flatMap(({ personId }) => sharing(votes.get(personId)?.sharedWith ?? [], personId)),
  );

/** With each of these people who came in by the hand of one who is excluded, or by the same hand. */
export const withSameHand = (
  excluded: readonly ExcludedPerson[],
  reviewers: readonly PersonId[],
  votes: SharedVotes,
): ExcludedPerson[] => {
  const barred = new Map(excluded.map(({ personId, sharesWith }) => [personId, sharesWith ?? personId]));
  return mergeExcluded(
    excluded,
    reviewers.flatMap((personId) => {
      const through = votes.get(personId)?.sharedWith.find((id) => barred.has(id));
      return through === undefined ? [] : sharing([personId], barred.get(through) ?? through);
    }),
  );
};

const sharing = (people: readonly PersonId[], sharesWith: PersonId): ExcludedPerson[] =>
  people.map((personId) => ({ personId, why: 'same_hand', sharesWith }));

/** Both lists, each person once: exclusions are only ever added. */
function mergeExcluded(before: readonly ExcludedPerson[], more: readonly ExcludedPerson[]): ExcludedPerson[] {
  const merged = new Map<PersonId, ExcludedPerson>();
  for (const person of [...before, ...more]) {
    if (!merged.has(person.personId)) merged.set(person.personId, person);
  }
  return [...merged.values()];
}

/** The agents among the submitters, each once. */
export const agentsIn = (submitters: readonly Submitter[]): AgentId[] => [
  ...new Set(submitters.flatMap((submitter) => (submitter.kind === 'agent' ? [submitter.id] : []))),
];

const peopleIn = (submitters: readonly Submitter[], why: Exclusion): ExcludedPerson[] =>
  submitters.flatMap((submitter) => (submitter.kind === 'person' ? [{ personId: submitter.id, why }] : []));
