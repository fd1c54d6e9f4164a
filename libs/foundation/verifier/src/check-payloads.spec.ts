import type { Json, JsonObject } from '#lib/canonical';
import { checkPayloads } from './check-payloads.js';
import { AUTOMATION_RUN_CHECKS } from './automation-checks-not-made.js';
import { checksNotMade, quorumUnknown } from './checks-not-made.js';
import { assemblyOf, failureOf, packOf, person, PLAN, type FakeEvent } from './fake-pack.js';
import type { Pack, PackEntry } from './pack-shape.js';

const noted: FakeEvent = { action: 'plan.noted' };
const gone: FakeEvent = { ...noted, erased: true };

function assembledOf(
  events: readonly FakeEvent[],
  payload?: Json,
): { readonly pack: Pack; readonly assembly: PackEntry } {
  const event = assemblyOf(events);
  const pack = packOf([...events, payload === undefined ? event : { ...event, payload }]);
  const assembly = pack.entries.at(-1);
  if (assembly === undefined) throw new Error('the pack has no entry');
  return { pack, assembly };
}
const refusalOf = (events: readonly FakeEvent[], payload?: Json): ReturnType<typeof failureOf> => {
  const { pack, assembly } = assembledOf(events, payload);
  return failureOf(() => checkPayloads(pack, assembly));
};

describe('the payloads of a pack', () => {
  it('are all there, or were erased before it was assembled', () => {
    const { pack, assembly } = assembledOf([noted, gone, noted]);
    expect(checkPayloads(pack, assembly)).toEqual([
      { entryId: 'entry-1', action: 'plan.noted', occurredAt: '2026-11-22T00:00:01.000Z' },
    ]);
    expect(refusalOf([noted])).toBeNull();
  });

  it.each<[code: string, what: string, events: readonly FakeEvent[], payload: Json]>([
    ['entry.payload_missing', 'one is blanked', [noted, gone], { entries: ['entry-0', 'entry-1'], not_there: [] }],
    [
      'entry.payload_added',
      'one is added',
      [noted, noted],
      { entries: ['entry-0', 'entry-1'], not_there: ['entry-1'] },
    ],
    ['entry.payload_unstated', 'the assembly states nothing', [noted], { entries: ['entry-0'] }],
    ['entry.payload_unstated', 'the assembly states no ids', [noted], { not_there: ['entry-0', 1] }],
  ])('are refused with %s if %s', (code, _what, events, payload) => {
    expect(refusalOf(events, payload)).toMatchObject({ code, pointer: '/entries/1/facts' });
  });

  it('are refused if the assembly itself is blank', () => {
    const pack = packOf([noted, { ...assemblyOf([noted]), erased: true }]);
    const assembly = pack.entries.at(-1);
    expect(assembly && failureOf(() => checkPayloads(pack, assembly))?.code).toBe('entry.payload_unstated');
  });
});

const REQUEST = { type: 'approval_request', id: 'request-1' };
const RUN = { type: 'run', id: 'run-1' };
const CHANGE = { type: 'change_request', id: 'change-1' };
const notMade = (...events: readonly FakeEvent[]): string[] =>
  checksNotMade(packOf(events)).map(({ check, message, entryIds }) => `${check}: ${message} (${entryIds.join()})`);

describe('the checks that erased payloads prevent', () => {
  const DIGEST = 'story.approval_digest: exactly this plan was bound by the approval request-1';
  const QUORUM = 'story.quorum: the right people, none of them barred, gave the approval request-1';
  const USED = 'story.run_without_approval: a run used the same binding as the approval request-1';
  const SENT = 'story.executed_digest: each call that was sent stands in the plan';
  const RAN = 'story.executed_tree: no runner executed another tree of a command line than it was sent';
  const HELD = 'story.change_confirmed: the person who confirmed the change change-1 held the role that it took';

  it.each<[action: string, subject: typeof RUN, checks: readonly string[]]>([
    ['approval_request.opened', REQUEST, [DIGEST, QUORUM]],
    ['review.submitted', REQUEST, [DIGEST, QUORUM]],
    ['approval_request.approved', REQUEST, [DIGEST, QUORUM, USED]],
    ['approval_request.consumed', REQUEST, [USED]],
    ['run.step_dispatched', RUN, [SENT]],
    ['run.compensation_dispatched', RUN, [SENT]],
    ['run.step_succeeded', RUN, [RAN]],
    ['run.compensation_succeeded', RUN, [RAN]],
    [
      'run.created',
      RUN,
      [
        'story.break_glass_incident: an incident belongs to the run run-1 if it was break-glass',
        'story.run_without_approval: the run run-1 used the approval that it names',
      ],
    ],
    [
      'change.requested',
      CHANGE,
      ['story.change_confirmed: the person who confirmed the change change-1 gains nothing by it', HELD],
    ],
    [
      'change.confirmed',
      CHANGE,
      [HELD, 'story.change_confirmed: the person who confirmed the change change-1 proved a second factor'],
    ],
    ['plan.noted', PLAN, []],
    ['toString', PLAN, []],
  ])('are named for %s', (action, subject, checks) => {
    const event = { action, subject, within: [PLAN, RUN] };
    expect(notMade({ ...event, erased: true })).toEqual(checks.map((check) => `${check} (entry-0)`));
    expect(notMade(event)).toEqual([]);
  });

  it.each<[action: string, codes: readonly string[]]>([
    ['approval_request.opened', ['approval_digest', 'quorum', 'confirm_word', 'reviewer', 'trust']],
    ['approval_request.approved', []],
    ['review.submitted', ['approval_digest', 'quorum', 'confirm_word', 'reviewer', 'review_decision', 'trust']],
    ['session.trusted', ['trust', 'trust_used']],
    ['session.trust_revoked', ['trust_used']],
    ['session.opened', ['call_settings']],
    ['session.changed', ['call_settings']],
    ['tool_call.asked', ['call_decision', 'call_changed', 'quorum', 'reviewer', 'trust']],
    [
      'tool_call.decided',
      [
        'call_decision',
        'call_after_end',
        'call_not_allowed',
        'executed_digest',
        'executed_tree',
        'trust_used',
        'trust_own',
      ],
    ],
    ['tool_call.dispatched', ['call_attempt', 'executed_digest', 'executed_tree']],
    ['tool_call.succeeded', ['executed_digest', 'executed_tree']],
    ['tool_call.failed', ['executed_digest']],
    ['tool_call.late_answer', ['executed_digest', 'executed_tree']],
    ['toString', []],
  ])('are named for %s in the pack of a session', (action, codes) => {
    const subject = { type: 'session', id: 'session-1' } as const;
    const event = { action, subject: { type: 'tool_call', id: 'call-1' }, within: [subject], erased: true };
    const found = checksNotMade(packOf([event], { subject }));
    expect(found.map(({ check }) => check)).toEqual(codes.map((code) => `story.${code}`));
    expect(found.map(({ message }) => message).join()).not.toContain('ID');
  });

  it('are named for the pack of a run of an automation by its own list', () => {
    const subject = { type: 'automation_run', id: 'automation-run-1' } as const;
    const of = (action: string) =>
      checksNotMade(
        packOf([{ action, subject: { type: 'tool_call', id: 'call-1' }, within: [subject], erased: true }], {
          subject,
        }),
      );
    for (const [action, checks] of AUTOMATION_RUN_CHECKS)
      expect(of(action).map(({ check, message }) => [check, message])).toEqual(
        checks.map(([check, message]) => [check, message.replace('ID', 'call-1')]),
      );
    expect(of('run.created')).toEqual([]);
    expect(AUTOMATION_RUN_CHECKS.size).toBeGreaterThan(0);
  });

  it('are named once, with every entry', () => {
    const sent = { action: 'run.step_dispatched', subject: RUN, erased: true };
    expect(notMade(sent, noted, { ...sent, action: 'run.compensation_dispatched' })).toEqual([
      `${SENT} (entry-0,entry-2)`,
    ]);
  });

  it('name a call with masked arguments once, since no digest vouches for them', () => {
    const told = (args: JsonObject): FakeEvent => ({
      ...{ action: 'tool_call.decided', subject: { type: 'tool_call', id: 'call-1' }, payload: { arguments: args } },
    });
    const [open, hidden] = [told({ note: 'a' }), told({ note: 'a', added: ['[masked]'] })];
    expect(notMade(open)).toEqual([]);
    expect(notMade(hidden, open, { ...hidden, action: 'tool_call.asked' })).toEqual([
      'story.call_changed: the arguments of the call call-1 are not verifiable, since "[masked]" is in them (entry-0,entry-2)',
    ]);
    expect(notMade({ ...hidden, action: 'plan.noted' })).toEqual([]);
  });

  it('are fewer if the document of the run is there', () => {
    const created = { action: 'run.created', subject: RUN, within: [PLAN, RUN], erased: true };
    const run = { kind: 'run', id: RUN.id, document: {} };
    const withDocument = (document: typeof run): number =>
      checksNotMade(packOf([created], { documents: [document] })).length;
    expect(withDocument(run)).toBe(0);
    expect(withDocument({ ...run, id: 'run-2' })).toBe(2);
    expect(withDocument({ ...run, kind: 'task' })).toBe(2);
    expect(notMade({ ...created, within: [] })).toEqual([
      'story.break_glass_incident: an incident belongs to the run  if it was break-glass (entry-0)',
      'story.run_without_approval: the run  used the approval that it names (entry-0)',
    ]);
  });
});

describe('a quorum', () => {
  const review: FakeEvent = { action: 'review.submitted', actor: person('ada'), subject: REQUEST };
  const unknown = (event: FakeEvent): boolean => quorumUnknown(packOf([noted, event]), REQUEST.id);

  it('is unknown if a payload of its request or reviews is erased', () => {
    expect(unknown({ ...review, erased: true })).toBe(true);
    expect(unknown({ ...review, action: 'approval_request.opened', erased: true })).toBe(true);
  });

  it('is known if only payloads of other entries are missing', () => {
    expect(unknown(review)).toBe(false);
    expect(unknown({ ...review, subject: PLAN, erased: true })).toBe(false);
    expect(unknown({ ...review, action: 'approval_request.approved', erased: true })).toBe(false);
  });
});
