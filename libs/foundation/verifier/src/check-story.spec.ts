import type { Json, JsonObject } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { checkStory } from './check-story.js';
import { actor, failureOf, packOf, person, PLAN, SYSTEM, type FakeEvent } from './fake-pack.js';
import type { PackDocument } from './pack-shape.js';
import { refuse } from './verification-failure.js';

const REQUEST = { type: 'approval_request', id: 'request-1' };
const RUN = { type: 'run', id: 'run-1' };
const DIGEST = (letter: string): string => `sha256:${letter.repeat(64)}`;
const [SENT, UNDONE, OTHER] = [DIGEST('1'), DIGEST('2'), DIGEST('3')];

const plan: PackDocument = {
  kind: 'plan',
  id: PLAN.id,
  document: { phases: [{ calls: [{ arguments_digest: SENT, undo: { arguments_digest: UNDONE } }] }] },
};
const task: PackDocument = { kind: 'task', id: 'task-1', document: { goal: 'patch' } };
const simulation: PackDocument = { kind: 'simulation', id: 'simulation-1', document: { changes: 1 } };
const tool: PackDocument = { kind: 'tool', id: 'patch@1', document: { name: 'patch' } };
const run: PackDocument = { kind: 'run', id: RUN.id, document: { state: 'completed' } };
const digestIn = ({ kind, document }: PackDocument): string => documentDigest(kind, document);

const bindingOf = (changes: JsonObject = {}): JsonObject => ({
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
interface Story {
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

const reviewed = ({ by = person('ada'), verdict = 'approve', payload = {}, erased = false }: Review): FakeEvent => ({
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

type Forgery = (story: Story) => unknown;

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
const linesOf = (forge: Forgery = () => undefined): string[] => checkStory(packOfStory(forge), refuse, noWarning);
const refusalOf = (forge: Forgery): ReturnType<typeof failureOf> =>
  failureOf((say) => checkStory(packOfStory(forge), say, noWarning));

/** The event with other members of its payload. */
const said = (event: FakeEvent | null, payload: JsonObject): FakeEvent => {
  if (event === null) throw new Error('the story has no such event');
  return { ...event, payload: { ...(event.payload as JsonObject), ...payload } };
};
const erased = (event: FakeEvent | null): FakeEvent => ({ ...said(event, {}), erased: true });
const slots = (...approvals: Json[]): JsonObject => ({ obligations: { approvals } });
const another = (kind: string): PackDocument => ({ kind, id: `another-${kind}`, document: { other: kind } });

const APPROVED = 'Approved by 2 distinct people, none of whom asked for it: exactly this plan.';
const EXECUTED = 'Each of 2 calls that were sent stands in the plan, with the same arguments.';
const UNCOUNTED = 'The approval request-1 is for this plan; its quorum could not be checked.';

describe('the story of a plan', () => {
  it('tells of the approval and of the calls', () => {
    expect(linesOf()).toEqual([APPROVED, EXECUTED]);
  });

  it('tells nothing of a plan without an approval or a call', () => {
    expect(
      linesOf((story) => {
        Object.assign(story, { opened: null, reviews: [], approved: null, consumed: [], dispatched: [] });
      }),
    ).toEqual([]);
  });

  it('needs no plan before an approval or a call', () => {
    const without: Forgery = (story) => {
      story.documents = [];
      story.approved = null;
      story.consumed = [];
    };
    expect(refusalOf(without)).toMatchObject({ code: 'story.plan_missing', pointer: '/entries/3' });
    expect(
      linesOf((story) => {
        without(story);
        story.dispatched = [];
      }),
    ).toEqual([]);
    expect(refusalOf((story) => (story.documents = []))).toMatchObject({
      code: 'story.plan_missing',
      pointer: '/entries/3',
    });
  });

  it('reads only entries of this plan', () => {
    const elsewhere = { within: [{ type: 'plan', id: 'plan-2' }] };
    expect(
      linesOf((story) => {
        story.approved = { ...said(story.approved, { binding: null }), ...elsewhere };
        story.consumed = story.consumed.map((event) => ({ ...event, ...elsewhere }));
        story.dispatched = story.dispatched.map((event) => ({ ...said(event, { tool: null }), ...elsewhere }));
      }),
    ).toEqual([]);
  });

  it('counts people who share a vote once, and one person as one', () => {
    const alone = slots({ count: 1, roles: ['any'] });
    expect(
      linesOf((story) => {
        story.opened = said(story.opened, alone);
        story.reviews = [{ by: person('ada'), payload: { seat: { shared_with: ['bob'] } } }, { by: person('bob') }];
      })[0],
    ).toBe('Approved by 1 distinct person, none of whom asked for it: exactly this plan.');
  });

  it('tells how the approvers are known', () => {
    const seat = {
      shared_with: [],
      known_by: [{ basis: 'founder', by: null, hand: null, issuer: null, counts: true }],
    };
    expect(
      linesOf((story) => {
        story.reviews[1] = { by: person('bob'), payload: { seat } };
      }),
    ).toEqual([APPROVED, 'Known as they approved: Bob (founded this tenant).', EXECUTED]);
  });

  it('takes the last review of a person', () => {
    const rejected = { by: person('bob'), verdict: 'reject' };
    expect(linesOf((story) => story.reviews.unshift(rejected))[0]).toBe(APPROVED);
    expect(refusalOf((story) => story.reviews.push(rejected))).toMatchObject({ code: 'story.quorum' });
  });

  it('ignores a rejection of another plan', () => {
    const elsewhere = { by: person('dan'), verdict: 'reject', payload: { subject_digest: OTHER } };
    expect(linesOf((story) => story.reviews.push(elsewhere))[0]).toBe(APPROVED);
  });

  it('ignores the reviews of another request', () => {
    const other = { ...reviewed({ by: actor('agent', 'bot') }), subject: { ...REQUEST, id: 'request-2' } };
    expect(linesOf((story) => story.more.push(other))[0]).toBe(APPROVED);
  });

  it.each<[code: string, place: number, what: string, Forgery]>([
    [
      'story.approval_digest',
      3,
      'a binding of another digest',
      (story) => {
        story.approved = said(story.approved, { binding_digest: OTHER });
        story.consumed = [];
      },
    ],
    [
      'story.approval_digest',
      3,
      'a binding of another plan',
      (story) => {
        const binding = bindingOf({ plan: OTHER });
        story.approved = said(story.approved, { binding, binding_digest: documentDigest('binding', binding) });
        story.consumed = [];
      },
    ],
    [
      'story.approval_digest',
      3,
      'a request that asked for something else',
      (story) => (story.opened = said(story.opened, { binding_digest: OTHER })),
    ],
    [
      'story.approval_digest',
      3,
      'another task',
      (story) => (story.documents = [plan, another('task'), simulation, tool, run]),
    ],
    [
      'story.approval_digest',
      3,
      'another simulation',
      (story) => (story.documents = [plan, task, another('simulation'), tool, run]),
    ],
    [
      'story.approval_digest',
      3,
      'another tool of the same name',
      (story) => (story.documents = [plan, task, simulation, { ...tool, document: {} }, run]),
    ],
    ['story.quorum', 2, 'a request that was never opened', (story) => (story.opened = null)],
    [
      'story.quorum',
      1,
      'an agent that reviews',
      (story) => (story.reviews[0] = { by: actor('agent', 'critic'), payload: { roles: ['SRELead'] } }),
    ],
    [
      'story.approval_digest',
      2,
      'an approval of another plan',
      (story) => (story.reviews[1] = { by: person('bob'), payload: { subject_digest: OTHER } }),
    ],
    [
      'story.approval_digest',
      2,
      'an approval of another binding',
      (story) => (story.reviews[1] = { by: person('bob'), payload: { binding_digest: OTHER } }),
    ],
    ['story.quorum', 2, 'an approval by an excluded person', (story) => (story.reviews[1] = { by: person('carl') })],
    ['story.quorum', 2, 'an approval by the person acted for', (story) => (story.reviews[1] = { by: person('olga') })],
    [
      'story.quorum',
      2,
      'an approval by the requester',
      (story) => {
        story.opened = { ...said(story.opened, {}), actor: person('bob') };
      },
    ],
    [
      'story.quorum',
      2,
      'an approval by a person who shares a vote with an excluded person',
      (story) => (story.reviews[1] = { by: person('bob'), payload: { seat: { shared_with: ['dan', 'carl'] } } }),
    ],
    [
      'story.quorum',
      2,
      'an approval for an excluded person',
      (story) => (story.reviews[1] = { by: person('bob'), payload: { delegated_by: 'carl' } }),
    ],
    [
      'story.quorum',
      3,
      'an approval for another approver',
      (story) => (story.reviews[1] = { by: person('bob'), payload: { delegated_by: 'ada' } }),
    ],
    ['story.quorum', 2, 'one approval of two', (story) => story.reviews.pop()],
    [
      'story.quorum',
      3,
      'nobody with the role',
      (story) => (story.reviews[0] = { by: person('ada'), payload: { roles: ['DevOpsEngineer'] } }),
    ],
    ['story.quorum', 3, 'a request for no approval', (story) => (story.opened = said(story.opened, slots()))],
    [
      'story.quorum',
      3,
      'a slot for nobody',
      (story) => (story.opened = said(story.opened, slots({ count: 0, roles: ['any'] }))),
    ],
    [
      'story.quorum',
      3,
      'a slot of an unknown size',
      (story) => (story.opened = said(story.opened, slots({ count: '1', roles: ['any'] }))),
    ],
    [
      'story.executed_digest',
      5,
      'a call of other arguments',
      (story) => (story.dispatched[0] = said(story.dispatched[0] ?? null, { arguments_digest: OTHER })),
    ],
    [
      'story.executed_digest',
      6,
      'a compensation of other arguments',
      (story) => (story.dispatched[1] = said(story.dispatched[1] ?? null, { arguments_digest: OTHER })),
    ],
    [
      'story.executed_digest',
      5,
      'a call without a digest',
      (story) => (story.dispatched[0] = said(story.dispatched[0] ?? null, { arguments_digest: null })),
    ],
    [
      'story.executed_tree',
      5,
      'T53: a call of another tree',
      (story) => (story.dispatched[0] = said(story.dispatched[0] ?? null, { tree: OTHER })),
    ],
    ['story.run_without_approval', 3, 'a run on an approval that was not given', (story) => (story.approved = null)],
    [
      'story.run_without_approval',
      3,
      'a run before its approval',
      (story) => {
        const { approved } = story;
        story.approved = story.consumed[0] ?? null;
        story.consumed = approved === null ? [] : [approved];
      },
    ],
    [
      'story.run_without_approval',
      4,
      'a run on another binding',
      (story) => (story.consumed[0] = said(story.consumed[0] ?? null, { binding_digest: OTHER })),
    ],
    [
      'story.run_without_approval',
      5,
      'a second run on one approval',
      (story) => story.consumed.push(...story.consumed),
    ],
  ])('%s at entry %i: refuses %s', (code, place, _what, forge) => {
    expect(refusalOf(forge)).toMatchObject({ code, pointer: `/entries/${String(place)}` });
  });

  it('refuses a run that no entry creates', () => {
    expect(refusalOf((story) => (story.more = []))).toMatchObject({
      code: 'story.run_not_created',
      pointer: '/documents/3',
    });
    expect(refusalOf((story) => (story.more = [{ action: 'run.started', subject: RUN }]))?.code).toBe(
      'story.run_not_created',
    );
  });

  it('finds the calls of a plan by their digests alone', () => {
    const phases: Json = [null, 'text', { arguments_digest: 1, note: OTHER }];
    const documentOf = (story: Story): void => {
      const changed = { ...plan, document: { ...(plan.document as JsonObject), more: phases } };
      Object.assign(story, { opened: null, reviews: [], approved: null, consumed: [], documents: [changed, run] });
    };
    expect(linesOf(documentOf)).toEqual([EXECUTED]);
    expect(
      refusalOf((story) => {
        documentOf(story);
        story.dispatched[0] = said(story.dispatched[0] ?? null, { arguments_digest: OTHER });
      }),
    ).toMatchObject({ code: 'story.executed_digest' });
    expect(
      refusalOf((story) => {
        documentOf(story);
        story.dispatched[0] = said(story.dispatched[0] ?? null, { arguments_digest: 1 });
      }),
    ).toMatchObject({ code: 'story.executed_digest' });
  });

  describe('of a command line', () => {
    const line = (tier: number, tree: string): Json => ({ tier, class: 'WRITE', tree });
    const lined: PackDocument = {
      ...plan,
      document: {
        phases: [
          {
            batches: [
              {
                calls: [
                  {
                    seq: 1,
                    invocation: { arguments_digest: SENT, shell: line(2, OTHER) },
                    compensate_with: { arguments_digest: UNDONE, shell: line(2, SENT) },
                  },
                ],
              },
            ],
          },
        ],
      },
    };
    const told = (shell: Json, undo: Json): PackDocument => ({
      kind: 'policy-input',
      id: 'decision-1',
      document: {
        plan: {
          digest: digestIn(lined),
          phases: [{ batches: [{ calls: [{ seq: 1, shell, compensation_shell: undo }] }] }],
        },
      },
    });
    const VERDICT = { tier: 2, class: 'WRITE' };
    const storyOf =
      (...inputs: PackDocument[]): Forgery =>
      (story) => {
        const [sent, undone] = story.dispatched;
        Object.assign(story, { opened: null, reviews: [], approved: null, consumed: [] });
        story.documents = [lined, run, ...inputs];
        story.dispatched = [said(sent ?? null, { tree: OTHER }), said(undone ?? null, { tree: SENT })];
      };

    it('takes the approved trees and verdicts', () => {
      expect(linesOf(storyOf(told(VERDICT, VERDICT)))).toEqual([EXECUTED]);
    });

    it('T53: refuses a decision that was told another verdict', () => {
      expect(refusalOf(storyOf(told({ tier: 1, class: 'WRITE' }, VERDICT)))).toMatchObject({
        code: 'story.other_verdict',
      });
    });

    const RAN = { action: 'run.step_succeeded', subject: RUN };
    const answered =
      (payload: JsonObject): Forgery =>
      (story) => {
        storyOf()(story);
        const attempt = { run_step_id: 'step-1', attempt: 1 };
        story.dispatched[0] = said(story.dispatched[0] ?? null, attempt);
        story.more.push({ ...RAN, payload: { ...attempt, ...payload } });
      };

    it.each<[string, JsonObject]>([
      ['the tree that was sent', { result: { tree_digest: OTHER } }],
      ['no tree', { result: { exit_status: 0 } }],
      ['another tree, by the unverified word of an agent', { result: { tree_digest: SENT }, unverified: true }],
      ['another tree, in an attempt whose dispatch is not there', { result: { tree_digest: SENT }, attempt: 2 }],
    ])('takes an answer that tells %s', (_what, payload) => {
      expect(linesOf(answered(payload))).toEqual([EXECUTED]);
    });

    it('T53: refuses the answer of a runner that executed another tree', () => {
      expect(refusalOf(answered({ result: { tree_digest: SENT } }))).toMatchObject({ code: 'story.executed_tree' });
    });

    it('T53: refuses the tree of another call', () => {
      const swapped: Forgery = (story) => {
        storyOf()(story);
        story.dispatched[0] = said(story.dispatched[0] ?? null, { tree: SENT });
      };
      expect(refusalOf(swapped)).toMatchObject({ code: 'story.executed_tree' });
    });
  });

  it('tells why an approval is of something else', () => {
    const messageOf = (binding: JsonObject, digest: string): string | undefined =>
      refusalOf((story) => {
        story.approved = said(story.approved, { binding, binding_digest: digest });
        story.consumed = [];
      })?.message;
    expect(messageOf(bindingOf(), OTHER)).toBe(
      'The approval request-1 names another digest than that of what it binds.',
    );
    const other = bindingOf({ plan: OTHER });
    expect(messageOf(other, documentDigest('binding', other))).toBe(
      'The approval request-1 is for another plan than the one in this pack.',
    );
  });

  it('passes over the use of an approval of another plan', () => {
    const elsewhere: FakeEvent = {
      action: 'approval_request.consumed',
      subject: { ...REQUEST, id: 'request-2' },
      within: [{ type: 'plan', id: 'plan-2' }],
    };
    expect(linesOf((story) => story.more.push(elsewhere))).toHaveLength(2);
  });

  it('refuses a request that was never opened, though one of its payloads is there', () => {
    const elsewhere = (story: Story): void => {
      story.more.push({ ...said(story.opened, {}), within: [{ type: 'plan', id: 'plan-2' }] });
      story.opened = null;
    };
    expect(refusalOf(elsewhere)).toMatchObject({ code: 'story.quorum' });
  });

  it('names the tool of a call that the plan lacks', () => {
    const messageOf = (payload: JsonObject): string =>
      refusalOf((story) => (story.dispatched[0] = said(story.dispatched[0] ?? null, payload)))?.message ?? '';
    expect(messageOf({ arguments_digest: OTHER })).toContain('A call of patch was sent');
    expect(messageOf({ arguments_digest: OTHER, tool: null })).toContain('A call of a tool was sent');
  });

  it('takes an approval that binds no task, no simulation and no tool', () => {
    const binding = { subject: { plan: digestIn(plan), task: null, simulation: null } };
    const binding_digest = documentDigest('binding', binding);
    expect(
      linesOf((story) => {
        story.opened = said(story.opened, { binding_digest });
        story.reviews = story.reviews.map((review) => ({ ...review, payload: { ...review.payload, binding_digest } }));
        story.approved = said(story.approved, { binding, binding_digest });
        story.consumed = story.consumed.map((event) => said(event, { binding_digest }));
      })[0],
    ).toBe(APPROVED);
  });

  it('takes a pack without the bound task and simulation', () => {
    expect(linesOf((story) => (story.documents = [plan, run]))[0]).toBe(APPROVED);
  });

  it('finds the bound task among others', () => {
    expect(linesOf((story) => story.documents.push(another('task')))[0]).toBe(APPROVED);
  });

  it('says that it could not count a quorum if payloads are erased', () => {
    expect(linesOf((story) => (story.opened = erased(story.opened)))[0]).toBe(UNCOUNTED);
    expect(linesOf((story) => story.reviews.push({ by: person('bob'), erased: true }))[0]).toBe(UNCOUNTED);
    const elsewhere = { ...reviewed({ erased: true }), subject: { ...REQUEST, id: 'request-2' } };
    expect(linesOf((story) => story.more.push(elsewhere))[0]).toBe(APPROVED);
    const other = { action: 'approval_request.reminded', subject: REQUEST, erased: true };
    expect(linesOf((story) => story.more.push(other))[0]).toBe(APPROVED);
  });

  it('refuses an approval without an opening of its own request', () => {
    const elsewhere: FakeEvent = {
      action: 'approval_request.opened',
      subject: { ...REQUEST, id: 'r-2' },
      erased: true,
    };
    const reminded: FakeEvent = { action: 'approval_request.reminded', subject: REQUEST, erased: true };
    expect(
      refusalOf((story) => {
        story.opened = elsewhere;
        story.more.push(reminded);
      }),
    ).toMatchObject({ code: 'story.quorum', pointer: '/entries/3' });
  });

  it('holds a use of an approval against the approval if both have their payload', () => {
    const otherBinding: Forgery = (story) => {
      story.consumed[0] = said(story.consumed[0] ?? null, { binding_digest: OTHER });
    };
    expect(
      linesOf((story) => {
        otherBinding(story);
        story.consumed[0] = erased(story.consumed[0] ?? null);
      }),
    ).toEqual([APPROVED, EXECUTED]);
    expect(
      linesOf((story) => {
        otherBinding(story);
        story.approved = erased(story.approved);
      }),
    ).toEqual([EXECUTED]);
  });

  it('tells nothing of calls with erased payloads', () => {
    expect(linesOf((story) => (story.dispatched = story.dispatched.map(erased)))).toEqual([APPROVED]);
  });

  it('tells of a break-glass', () => {
    const refusal = refusalOf((story) => {
      story.more = [
        { action: 'run.created', actor: SYSTEM, subject: RUN, within: [PLAN, RUN], payload: { incident_id: 'i' } },
      ];
    });
    expect(refusal).toMatchObject({ code: 'story.break_glass_incident' });
  });
});
