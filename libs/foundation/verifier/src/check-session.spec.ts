import {
  allowed,
  approved,
  asked,
  changed,
  checked,
  deciding,
  denied,
  ended,
  happened,
  inputOf,
  judged,
  opened,
  rejected,
  review,
  sent,
  used,
} from './fake-session-events.js';
import { hasMaskedArguments } from './check-call-arguments.js';
import { packOf, type FakeEvent } from './fake-pack.js';

const shell = { tier: 3, class: 'ESCALATION' };
const escalated = judged(changed(approved, { shell }), 'require_approval', 'session.asks', inputOf({ shell }));

describe('the story of a session', () => {
  const decided = (which: string) =>
    `decided, each once (${which}): as policy and people said, about these very arguments.`;

  it('tells what happened in it, and nothing that did not', () => {
    expect(checked([])).toBe('No call was decided in the session.');
    expect(checked([allowed('call-3')])).toBe(`1 call ${decided('1 auto approved')}`);
    expect(checked([opened, asked, review('ada'), approved])).toBe(
      `1 call ${decided('1 approved')} 1 answer by people, in the browser or in Slack, as policy allowed. None of them had a part in the call.`,
    );
    const sending = ' sent, each after it was allowed, once an attempt, with the arguments that were decided on.';
    const [one, other] = [
      [allowed('call-3'), sent('call-3')],
      [allowed('call-4'), sent('call-4')],
    ];
    expect(checked([...one])).toBe(`1 call ${decided('1 auto approved')} 1 call was${sending}`);
    expect(checked([...one, ...other])).toBe(`2 calls ${decided('2 auto approved')} 2 calls were${sending}`);
  });

  it('has each call decided once, as policy and people said', () => {
    const rejection = { decided_as: 'rejected', shell };
    const byPolicy = judged(changed(denied('call-4'), rejection), 'deny', 'shell.denied', inputOf({ shell }));
    expect(checked([byPolicy])).toContain('1 call decided, each once (1 rejected)');
    const cancelled = changed(denied('call-3'), { decided_as: 'cancelled' });
    const events = [allowed('call-0'), asked, opened, review('ada'), approved, denied('call-2'), ended, cancelled];
    const told = checked(events);
    expect(told).toContain('4 calls decided, each once (1 approved, 1 auto approved, 1 cancelled, 1 denied)');
    expect(told).toContain('1 answer by people, in the browser or in Slack');
    expect(checked([ended])).toBe('No call was decided in the session.');
    expect(checked([{ ...denied('call-0'), fixes: [] }])).toBe(`1 call ${decided('1 denied')}`);
    expect(checked([opened, asked, review('ben'), review('ada'), approved])).toContain('2 answers by people');
  });

  it('takes a rejection without a request, an answer or a decision, since nothing was done on it', () => {
    const no = review('ada', { verdict: 'reject' });
    expect(checked([asked, rejected])).toBe(`1 call ${decided('1 rejected')}`);
    for (const events of [
      [asked, no, rejected],
      [opened, { ...asked, fixes: [] }, no, { ...rejected, fixes: [] }],
    ])
      expect(checked(events)).toContain('1 answer by people');
  });

  it('has any number of calls that ended before they were judged', () => {
    const cancelled = ['call-0', 'call-1'].map((id) => happened(id, 'decided', { decided_as: 'cancelled' }));
    expect(checked(cancelled)).toBe(`2 calls ${decided('2 cancelled')}`);
  });

  it.each<[string, string, readonly FakeEvent[]]>([
    ['story.call_decided_twice', 'a second decision', [denied('call-0'), denied('call-0')]],
    ['story.call_after_end', 'an allow after the end', [ended, allowed('call-0')]],
    ['story.call_after_end', 'an approval after the end', [opened, asked, review('ada'), ended, approved]],
    ['story.call_decision', 'an allow that asks people', [judged(allowed('call-0'), 'require_approval')]],
    ['story.call_decision', 'an allow without a decision', [{ ...allowed('call-0'), fixes: [] }]],
    [
      'story.call_decision',
      'an approval without a decision',
      [opened, { ...asked, fixes: [] }, review('ada'), { ...approved, fixes: [] }],
    ],
    [
      'story.call_decision',
      'an approval of a call that policy denied',
      [judged(asked, 'deny'), opened, review('ada'), judged(approved, 'deny')],
    ],
    [
      'story.call_decision',
      'the decision about another call',
      [allowed('call-0'), { ...allowed('call-9'), decisionId: 'decision-of-call-0' }],
    ],
    ...[
      { actor: { kind: 'agent', id: 'other' } },
      { tool: { name: 'look' } },
      { environment: { name: 'sandbox', production: false } },
      { shell: { tier: 1, class: 'WRITE' } },
      { shell: { tier: 2, class: 'READ_ONLY' } },
      { shell: null },
      { paths: { tier: 2, class: 'UNKNOWN' } },
    ].map((other): [string, string, readonly FakeEvent[]] => [
      'story.call_decision',
      `a decision about ${JSON.stringify(other)}`,
      [judged(allowed('call-0'), 'allow', 'autonomy.executes', inputOf(other))],
    ]),
    [
      'story.call_decision',
      'a decision about something else than a call',
      [deciding(allowed('call-0'), 'other', { entrypoint: 'plan', result: { outcome: 'allow' } }, inputOf())],
    ],
    ['story.call_not_asked', 'a rejection of nothing', [rejected]],
    ['story.call_not_asked', 'an approval of an escalation that nobody was asked about', [escalated]],
    ['story.call_not_asked', 'a question after its answer', [approved, asked]],
    ['story.call_changed', 'other arguments than their digest', [changed(denied('call-0'), { arguments: {} })]],
    ['story.call_changed', 'a question with other arguments than their digest', [changed(asked, { arguments: {} })]],
    ...['arguments_digest', 'tool_version', 'tree', 'request_id'].map((name): [string, string, FakeEvent[]] => [
      'story.call_changed',
      `another ${name}`,
      [changed(asked, { [name]: 'other' }), opened, review('ada'), approved],
    ]),
  ])('refuses with %s: %s', (code, _what, events) => {
    expect(checked(events)).toBe(code);
  });

  it('T53: has a command line sent as it was allowed', () => {
    expect(checked([allowed('call-0'), sent('call-0')])).toContain('1 call was sent');
    expect(checked([allowed('call-0'), changed(sent('call-0'), { tree: 'sha256:x' })])).toBe('story.executed_tree');
  });

  it('makes no check for lack of a payload', () => {
    const [entry] = packOf([{ ...allowed('call-0'), erased: true }]).entries;
    expect(entry && hasMaskedArguments(entry)).toBe(false);
    expect(checked([{ ...allowed('call-0'), erased: true }])).toContain('1 call decided');
    expect(checked([{ ...used, erased: true }])).toContain('1 call decided');
    expect(checked([{ ...asked, erased: true }, opened, review('ada'), approved])).toContain('1 call decided');
  });
});
