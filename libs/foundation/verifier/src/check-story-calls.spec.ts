import type { Json, JsonObject } from '#lib/canonical';
import { PLAN, SYSTEM } from './fake-pack.js';
import {
  RUN,
  plan,
  run,
  digestIn,
  linesOf,
  refusalOf,
  said,
  erased,
  SENT,
  UNDONE,
  OTHER,
  APPROVED,
  EXECUTED,
  type Story,
  type Forgery,
} from './fake-plan-story.js';
import type { PackDocument } from './pack-shape.js';

describe('the calls in the story of a plan', () => {
  it.each<[code: string, index: number, what: string, Forgery]>([
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
  ])('%s at entry %i: refuses %s', (code, index, _what, forge) => {
    expect(refusalOf(forge)).toMatchObject({ code, pointer: `/entries/${String(index)}` });
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

  it('names the tool of a call that the plan lacks', () => {
    const messageOf = (payload: JsonObject): string =>
      refusalOf((story) => (story.dispatched[0] = said(story.dispatched[0] ?? null, payload)))?.message ?? '';
    expect(messageOf({ arguments_digest: OTHER })).toContain('A call of patch was sent');
    expect(messageOf({ arguments_digest: OTHER, tool: null })).toContain('A call of a tool was sent');
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
