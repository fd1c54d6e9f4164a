import type { JsonObject } from '#lib/canonical';
import { actor, person, type FakeEvent } from './fake-pack.js';
import {
  AGENT,
  allowed,
  always,
  approved,
  asked,
  changed,
  changedSettings,
  checked,
  deciding,
  inputOf,
  judged,
  opened,
  review,
  revoked,
  trust,
  trusted,
  used,
  withArguments,
} from './fake-session-events.js';

const answeredBy = (said: FakeEvent): readonly FakeEvent[] => [opened, asked, said, approved];
const ada = trusted('ada');

describe('an "always" in the story of a session', () => {
  it('is said in an answer, and lets later calls through', () => {
    expect(checked([...answeredBy(always), ada, used])).toContain('1 call was let through by an "always"');
  });

  it.each<[string, readonly FakeEvent[]]>([
    ['that says none', [...answeredBy(review('ada')), ada]],
    ['of somebody else', [...answeredBy(always), trusted('ben')]],
    ['that comes after it', [opened, asked, ada, always, approved]],
    ['that rejects', [opened, asked, review('ada', { verdict: 'reject', always: true }), ada]],
    ['that is not there', [ada]],
    ['of an agent', [...answeredBy(always), { ...ada, actor: AGENT }]],
    ['in another session', [...answeredBy(always), { ...ada, subject: { type: 'session', id: 'session-2' } }]],
    ['about another tool', [...answeredBy(always), changed(ada, { tool: 'shell' })]],
    ['about another shape', [...answeredBy(always), changed(ada, { shape: '{"/targets":["web-2"]}' })]],
    [
      'about a call that takes a typed word',
      [
        changed(opened, { obligations: { approvals: [{ count: 1, roles: ['any'] }], confirm_word: 'CONFIRM' } }),
        asked,
        always,
        ada,
      ],
    ],
  ])('is refused with story.trust by an answer %s', (_what, events) => {
    expect(checked(events)).toBe('story.trust');
  });

  const said = [...answeredBy(always), ada];
  it.each<[string, readonly FakeEvent[]]>([
    ['was never said', [used]],
    ['was said later', [...answeredBy(always), used, ada]],
    ['was only taken back', [...answeredBy(always), revoked, used]],
    ['is another one', [...said, changed(used, { trust_id: 'trust-2' })]],
    ['has no name', [...said, changed(used, { trust_id: null })]],
    ['had been taken back', [...said, revoked, used]],
    ['was said under other settings', [...said, changedSettings, used]],
    ['is about another tool', [...said, otherTool()]],
    ['is about other targets', [...said, withArguments(used, { targets: ['web-1', 'web-2'] })]],
    ['is about targets that the call lacks', [...said, withArguments(used, {})]],
    ['its decision does not know', [...said, judged(used, 'allow')]],
    ['its entry does not tell', [judged(allowed('call-2'), 'allow', 'session.trusted')]],
  ])('lets no call through if it %s', (_what, events) => {
    expect(checked(events)).toBe('story.trust_used');
  });

  const bringing = (more: Partial<FakeEvent>, asked_by?: JsonObject, input?: JsonObject): FakeEvent => {
    const event = { ...used, ...more };
    return judged(asked_by === undefined ? event : changed(event, { asked_by }), 'allow', 'session.trusted', input);
  };
  const saidBy = (by: string, ...after: readonly FakeEvent[]) =>
    checked([...answeredBy(review(by, { always: true })), trusted(by), ...after]);
  const inProduction = inputOf({ environment: { name: 'staging', production: true } });
  const byAda = inputOf({ actor: { kind: 'person', id: 'ada' } });

  it.each<[string, string, FakeEvent]>([
    ['makes it', 'ada', bringing({ actor: person('ada') }, { kind: 'person', id: 'ada' }, byAda)],
    ['is said to make it', 'ada', bringing({}, { kind: 'person', id: 'ada' }, byAda)],
    ['is acted for', 'ada', bringing({ actor: actor('agent', 'bot', 'ada') })],
    ['owns the agent, in production', 'olga', bringing({}, undefined, inProduction)],
    ['may own the agent', 'ada', bringing({}, { kind: 'agent', id: 'bot' })],
  ])('T03: lets no call through for the person who %s', (_what, by, call) => {
    expect(saidBy(by, call)).toBe('story.trust_own');
  });

  it.each<[string, FakeEvent]>([
    ['whose agent makes it', bringing({})],
    ['whose agent makes it for them', bringing({ actor: actor('agent', 'bot', 'olga') })],
  ])('T03: lets a call through for the person %s outside production', (_what, call) => {
    expect(saidBy('olga', call)).toContain('1 call was let through by an "always"');
  });

  it('lets a call of another person through, who answers for themselves', () => {
    const pat = { kind: 'person', id: 'pat' };
    expect(saidBy('ada', bringing({ actor: person('pat') }, pat, inputOf({ actor: pat })))).toContain(
      '1 call was let through by an "always"',
    );
  });

  it('covers calls with every value of its shape', () => {
    const shape = { '/image': 'a', '/targets': ['web-1'] };
    const both = [
      opened,
      changed(asked, { prompt: { always_covers: shape } }),
      always,
      approved,
      changed(ada, { shape: JSON.stringify(shape) }),
    ];
    const calling = (image: string) => checked([...both, withArguments(used, { image, targets: ['web-1'] })]);
    expect(calling('a')).toContain('1 call was let through');
    expect(calling('b')).toBe('story.trust_used');
  });

  const covering = (shape: JsonObject | null) => [
    ...[opened, changed(asked, { prompt: { always_covers: shape } }), always, approved],
    changed(ada, { shape: JSON.stringify(shape) }),
  ];

  it('covers calls by a place inside a list', () => {
    const coverings = covering({ '/targets/0': 'web-1' });
    expect(checked([...coverings, used])).toContain('1 call was let through');
    expect(checked([...coverings, withArguments(used, { targets: ['web-2'] })])).toBe('story.trust_used');
    expect(checked([...coverings, withArguments(used, { targets: [] })])).toBe('story.trust_used');
  });

  it('covers every call of its tool if its shape is no object of pointers, or the call tells no arguments', () => {
    expect(checked([...covering(null), used])).toContain('1 call was let through');
    expect(checked([...answeredBy(always), changed(ada, { shape: null }), used])).toContain('1 call was let through');
    expect(checked([...said, changed(used, { arguments: null })])).toContain('1 call was let through');
  });

  it('is not compared with a prompt that is masked', () => {
    const masked = changed(asked, { prompt: { always_covers: { '/targets': ['[masked]'] } } });
    expect(checked([opened, masked, always, approved, ada, used])).toContain('1 call was let through');
  });

  it('holds after another answer without it, and after earlier changes of the settings', () => {
    expect(checked([opened, asked, review('ben'), always, approved, ada, used])).toContain('1 call was let through');
    expect(checked([changedSettings, ...said, used])).toContain('1 call was let through');
  });

  it('is one of several reasons of a decision', () => {
    const result = {
      outcome: 'allow',
      reasons: [{ code: 'autonomy.executes' }, { code: 'session.trusted' }],
    };
    const also = deciding(used, 'decision-of-call-2', { entrypoint: 'tool_call', result }, inputOf());
    expect(checked([...said, also])).toContain('1 call was let through');
  });

  it('holds on if another one is taken back', () => {
    const other = changed(revoked, { ...trust, trust_id: 'trust-2' });
    expect(checked([...said, other, used])).toContain('1 call was let through');
  });

  it('names arguments as masked as its call does', () => {
    const masked = changed(used, { arguments: { targets: ['[masked]'] } });
    expect(checked([...said, masked])).toContain('1 call was let through');
    const hidden = changed(ada, { shape: '{"/targets":["[masked]"]}' });
    expect(checked([...answeredBy(always), hidden, used])).toContain('1 call was let through');
  });

  it.each([
    ['the answer', [opened, asked, { ...always, erased: true }, approved, ada]],
    ['the question', [opened, { ...asked, erased: true }, always, approved, ada]],
    ['the "always"', [...answeredBy(always), { ...ada, erased: true }, used]],
    ['the withdrawal', [...said, { ...revoked, erased: true }, used]],
  ])('is not checked for lack of the payload of %s', (_what, events) => {
    expect(checked(events)).toContain('decided, each once');
  });
});

/** A call of another tool under the same trust. */
function otherTool(): FakeEvent {
  const call = changed({ ...used, subject: { type: 'tool_call', id: 'call-3' } }, { tool: 'look' });
  const input = {
    actor: { id: 'bot' },
    tool: { name: 'look' },
    environment: { name: 'staging' },
    shell: { tier: 2, class: 'WRITE' },
  };
  return judged(call, 'allow', 'session.trusted', input);
}
