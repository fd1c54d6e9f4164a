import { checkAutomationRun } from './check-automation-run.js';
import { actor, failureOf, packOf, type FakeEvent } from './fake-pack.js';
import { allowed, changed, denied, inputOf, sent } from './fake-session-events.js';

const RUN = { type: 'automation_run', id: 'run-1' } as const;

/** The decision about a call, by the rules for automations. */
const ofAutomation = (event: FakeEvent): FakeEvent => ({
  ...event,
  fixes: (event.fixes ?? []).map((fixed) =>
    fixed.kind === 'decision'
      ? { ...fixed, document: { ...(fixed.document as object), entrypoint: 'automation' } }
      : fixed,
  ),
});
const called = (id: string): FakeEvent => ({
  ...{ action: 'automation_run.step_called', actor: actor('system', 'automation'), subject: RUN, within: [RUN] },
  payload: { step: 'restart', tool_call_id: id },
});
const [may, mayNot] = [ofAutomation(allowed('call-0')), ofAutomation(denied('call-1'))];
/** The lines of the story, or the code of the refusal. */
function told(events: readonly FakeEvent[]): readonly string[] | undefined {
  let lines: readonly string[] = [];
  const failure = failureOf((refuse) => (lines = checkAutomationRun(packOf(events, { subject: RUN }), refuse)));
  return failure === null ? lines : [failure.code];
}

describe('the story of a run of an automation', () => {
  it('has each call decided once, by the rules for automations, and sent only if it was allowed', () => {
    expect(told([may, called('call-0'), sent('call-0'), mayNot])).toEqual([
      '2 calls decided, each once (1 allowed): as policy said about an automation, and about these very calls.',
      expect.stringMatching(/^1 call was sent/),
    ]);
    expect(told([])).toEqual(['No call was decided in the run.']);
  });

  it('makes no check for lack of a payload, or of the decision to a denied call', () => {
    const one = '1 call decided, each once (0 allowed)';
    expect(told([{ ...may, erased: true }, called('call-0')])).toEqual([expect.stringContaining(one)]);
    expect(
      told([
        { ...mayNot, fixes: [] },
        { ...called('call-1'), erased: true },
      ]),
    ).toEqual([expect.stringContaining(one)]);
  });

  it.each<[string, string, readonly FakeEvent[]]>([
    ['story.call_decided_twice', 'a second decision', [may, may]],
    ['story.call_decision', 'the decision about a call of a session', [allowed('call-0')]],
    ['story.call_decision', 'an allow without a decision', [{ ...may, fixes: [] }]],
    [
      'story.call_decision',
      'the decision about another tool',
      [
        {
          ...may,
          fixes: (may.fixes ?? []).map((fixed) =>
            fixed.kind === 'policy-input' ? { ...fixed, document: inputOf({ tool: { name: 'other' } }) } : fixed,
          ),
        },
      ],
    ],
    [
      'story.call_decision',
      'an allow that its decision denies',
      [{ ...may, fixes: (mayNot.fixes ?? []).map((fixed) => ({ ...fixed, id: 'decision-of-call-0' })) }],
    ],
    ['story.call_changed', 'other arguments than their digest', [changed(may, { arguments: {} })]],
    ['story.call_not_allowed', 'a step with a call that was denied', [mayNot, called('call-1')]],
    ['story.call_not_allowed', 'a step with a call that nobody decided', [called('call-9')]],
    ['story.call_not_allowed', 'a call that was sent first', [called('call-0'), may]],
  ])('is refused with %s for %s', (code, _what, events) => {
    expect(told(events)).toEqual([code]);
  });
});
