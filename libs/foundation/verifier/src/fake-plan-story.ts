import type { Json, JsonObject } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { checkStory } from './check-story.js';
import { actor, failureOf, packOf, person, PLAN, type FakeEvent } from './fake-pack.js';
import type { PackDocument } from './pack-shape.js';
import { refuse } from './verification-failure.js';

export const REQUEST = { type: 'approval_request', id: 'request-1' };
export const RUN = { type: 'run', id: 'run-1' };
const DIGEST = (letter: string): string => `sha256:${letter.repeat(64)}`;
export const [SENT, UNDONE, OTHER] = [DIGEST('1'), DIGEST('2'), DIGEST('3')];

export const plan: PackDocument = {
  kind: 'plan',
  id: PLAN.id,
  document: { phases: [{ calls: [{ arguments_digest: SENT, undo: { arguments_digest: UNDONE } }] }] },
};
export const task: PackDocument = { kind: 'task', id: 'task-1', document: { goal: 'patch' } };
export const simulation: PackDocument = { kind: 'simulation', id: 'simulation-1', document: { changes: 1 } };
export const tool: PackDocument = { kind: 'tool', id: 'patch@1', document: { name: 'patch' } };
export const run: PackDocument = { kind: 'run', id: RUN.id, document: { state: 'completed' } };
export const digestIn = ({ kind, document }: PackDocument): string => documentDigest(kind, document);

export const bindingOf = (changes: JsonObject = {}): JsonObject => ({
  subject: { plan: digestIn(plan), task: digestIn(task), simulation: digestIn(simulation), ...changes },
  tools: { 'patch@1': digestIn(tool) },
});
const BINDING = documentDigest('binding', bindingOf());

interface Review {
  by?: FakeEvent['actor'];
  verdict?: string;
  payload?: JsonObject;
  erased?: boolean;
}

/** The parts of the story, which a forgery changes. */
export interface Story {
  opened: FakeEvent | null;
  reviews: Review[];
  approved: FakeEvent | null;
  consumed: FakeEvent[];
  dispatched: FakeEvent[];
  more: FakeEvent[];
  documents: PackDocument[];
}

const honest = (): Story => ({
  opened: {
    action: 'approval_request.opened',
    actor: actor('agent', 'bot', 'olga'),
    subject: REQUEST,
    payload: {
      binding_digest: BINDING,
      excluded: [{ person_id: 'carl', why: 'owner' }],
      obligations: {
        approvals: [
          { count: 1, roles: ['SRELead'] },
          { count: 1, roles: ['any'] },
        ],
      },
    },
  },
  reviews: [{ by: person('ada'), payload: { roles: ['SRELead'] } }, { by: person('bob') }],
  approved: {
    action: 'approval_request.approved',
    actor: person('bob'),
    subject: REQUEST,
    payload: { binding: bindingOf(), binding_digest: BINDING },
  },
  consumed: [{ action: 'approval_request.consumed', subject: REQUEST, payload: { binding_digest: BINDING } }],
  dispatched: [
    { action: 'run.step_dispatched', subject: RUN, payload: { tool: 'patch', arguments_digest: SENT } },
    { action: 'run.compensation_dispatched', subject: RUN, payload: { tool: 'patch', arguments_digest: UNDONE } },
  ],
  more: [{ action: 'run.created', subject: RUN, within: [PLAN, RUN] }],
  documents: [plan, task, simulation, tool, run],
});

export const reviewed = ({
  by = person('ada'),
  verdict = 'approve',
  payload = {},
  erased = false,
}: Review): FakeEvent => ({
  action: 'review.submitted',
  actor: by,
  subject: REQUEST,
  payload: { verdict, subject_digest: digestIn(plan), binding_digest: BINDING, roles: [], ...payload },
  erased,
});

/** Documents of another kind or plan, which the checks pass over. */
const others: readonly PackDocument[] = [
  { kind: 'artefact', id: PLAN.id, document: {} },
  { kind: 'plan', id: 'plan-0', document: {} },
];

export type Forgery = (story: Story) => unknown;

function packOfStory(forge: Forgery): ReturnType<typeof packOf> {
  const story = honest();
  forge(story);
  const { opened, reviews, approved, consumed, dispatched, more, documents } = story;
  return packOf(
    [
      ...(opened === null ? [] : [opened]),
      ...reviews.map(reviewed),
      ...(approved === null ? [] : [approved]),
      ...consumed,
      ...dispatched,
      ...more,
    ],
    { documents: [...others, ...documents] },
  );
}
const noWarning = (line: string): never => {
  throw new Error(line);
};
export const linesOf = (forge: Forgery = () => undefined): string[] =>
  checkStory(packOfStory(forge), refuse, noWarning);
export const refusalOf = (forge: Forgery): ReturnType<typeof failureOf> =>
  failureOf((say) => checkStory(packOfStory(forge), say, noWarning));

/** The event with other members of its payload. */
export const said = (event: FakeEvent | null, payload: JsonObject): FakeEvent => {
  if (event === null) throw new Error('the story has no such event');
  return { ...event, payload: { ...(event.payload as JsonObject), ...payload } };
};
export const erased = (event: FakeEvent | null): FakeEvent => ({ ...said(event, {}), erased: true });
export const slots = (...approvals: Json[]): JsonObject => ({ obligations: { approvals } });
export const another = (kind: string): PackDocument => ({ kind, id: `another-${kind}`, document: { other: kind } });

export const APPROVED = 'Approved by 2 distinct people, none of whom asked for it: exactly this plan.';
export const EXECUTED = 'Each of 2 calls that were sent stands in the plan, with the same arguments.';
