import type { AgentId, PersonId } from '#lib/kernel';
import type { Submitter } from '#lib/task';
import type { ApprovalRequest, ExcludedPerson, Exclusion } from './approval-request.js';
import type { ApprovalSubject } from './approval-subject.js';
import type { CallSubject } from './call-subject.js';

/** The authors of a plan that a request is about. */
export interface Authorship {
  readonly task: Submitter;
  /** The submitter of the plan revision. */
  readonly plan: Submitter;
  readonly requester: Submitter;
  /** The submitters of the task's other revisions. */
  readonly otherRevisions: readonly Submitter[];
}

/**
 * The people who can never review it (separation of duties, T03). They are its submitters, and the people they act for.
 * Also excluded are people who answer for an agent among them or could use its credentials. Each person is listed once,
 * with the strongest reason.
 *
 * @param answerable the people who answer for each agent among the authors.
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

/** The people behind a call, and the place of the call. */
export interface CallAuthorship extends Pick<CallSubject, 'ownerId' | 'answerable'> {
  readonly call: Pick<CallSubject['call'], 'submitter' | 'sessionId'>;
  readonly environment: Pick<CallSubject['environment'], 'production'>;
}

/**
 * The same of a call. The accountable owner of the agent may answer for a call of a session outside production (the
 * exception of T03). Within two minutes no other person may be at hand. The issuer of a delegation may not, since any
 * person can be one.
 */
export function excludedFromCall({ call, environment, ownerId, answerable }: CallAuthorship): ExcludedPerson[] {
  const { submitter } = call;
  const { onBehalfOf } = submitter;
  const behind: ExcludedPerson[] = [
    ...(onBehalfOf === null ? [] : [{ personId: onBehalfOf, why: 'on_behalf_of' as const }]),
    ...answerable.map((personId) => ({ personId, why: 'owner' as const })),
  ];
  const mayAnswer = ({ personId }: ExcludedPerson): boolean =>
    !environment.production && call.sessionId !== null && personId === ownerId;
  return mergeExcluded(
    peopleIn([submitter], 'submitter'),
    behind.filter((person) => !mayAnswer(person)),
  );
}

/** The people who can never review a request about this subject, by the records of this moment. */
export const excludedBy = (subject: ApprovalSubject, requester: Submitter): ExcludedPerson[] =>
  subject.type === 'tool_call'
    ? excludedFromCall(subject)
    : excludedPeople(
        {
          task: subject.task.submitter,
          plan: subject.plan.submitter,
          requester,
          otherRevisions: subject.otherRevisions,
        },
        subject.answerable,
      );

/** The people excluded when the request opened, and those excluded now. The agent may have another owner since. */
export const excludedToday = (subject: ApprovalSubject, request: ApprovalRequest): ExcludedPerson[] =>
  mergeExcluded(request.excluded, excludedBy(subject, request.requester));

/** The people who share one vote with each person. */
export type SharedVotes = ReadonlyMap<PersonId, { readonly sharedWith: readonly PersonId[] }>;

/** Adds the enrollers of excluded people: one person could be both, and would review their own request. */
export const withEnrollers = (excluded: readonly ExcludedPerson[], votes: SharedVotes): ExcludedPerson[] =>
  mergeExcluded(
    excluded,
    excluded.flatMap(({ personId }) => sharing(votes.get(personId)?.sharedWith ?? [], personId)),
  );

/** Adds each reviewer who was enrolled by an excluded person, or by the same enroller. */
export const withSameEnroller = (
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

/** Both lists, each person once. Exclusions are only added. */
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
