import type { JsonObject } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { actor, person, type FakeEvent } from './fake-pack.js';
import {
  REQUEST,
  plan,
  task,
  simulation,
  tool,
  run,
  digestIn,
  bindingOf,
  linesOf,
  refusalOf,
  said,
  erased,
  slots,
  another,
  OTHER,
  APPROVED,
  EXECUTED,
  type Story,
  type Forgery,
  reviewed,
} from './fake-plan-story.js';

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

  it.each<[code: string, index: number, what: string, Forgery]>([
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
  ])('%s at entry %i: refuses %s', (code, index, _what, forge) => {
    expect(refusalOf(forge)).toMatchObject({ code, pointer: `/entries/${String(index)}` });
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
});
