import type { JsonObject } from '#lib/canonical';
import type { FakeEvent } from './fake-pack.js';
import { approved, asked, changed, checked, deciding, inputOf, opened, review } from './fake-session-events.js';

const obligations = { approvals: [{ count: 1, roles: ['SRELead'] }], confirm_word: 'CONFIRM' };
const obliging = (event: FakeEvent, more: JsonObject = { obligations }): FakeEvent =>
  deciding(
    event,
    'decision-of-call-1',
    { entrypoint: 'tool_call', result: { outcome: 'require_approval', reasons: [{ code: 'session.asks' }], ...more } },
    inputOf(),
  );
const openedWith = changed(opened, { obligations });
const typed = review('ada', { confirm_word: 'CONFIRM' });
const story = (
  said: readonly FakeEvent[],
  { request = openedWith, more }: { readonly request?: FakeEvent; readonly more?: JsonObject } = {},
): readonly FakeEvent[] => [request, obliging(asked, more), ...said, obliging(approved, more)];

describe('an approval of a call', () => {
  it('is refused without a request, also if its entries claim one', () => {
    for (const request_id of [null, 7])
      expect(checked([changed(asked, { request_id }), changed(approved, { request_id })])).toBe('story.quorum');
  });

  it.each<[string, JsonObject, string]>([
    ['asks for no approval', { obligations: { approvals: [] } }, 'story.quorum'],
    [
      'binds more than its digest is of',
      { binding: { subject: { tool_call: 'sha256:c' }, more: 1 } },
      'story.approval_digest',
    ],
  ])('is refused if its request %s', (_what, more, code) => {
    expect(checked([changed(opened, more), asked, review('ada'), approved])).toBe(code);
  });

  it('is not checked if the payload of its question, which names the request, is not there', () => {
    expect(checked([{ ...asked, erased: true }, changed(approved, { request_id: null })])).toContain('1 call decided');
  });
});

describe('an approval of a call that takes the word CONFIRM', () => {
  it('has the word, and the report tells it', () => {
    expect(checked(story([typed]))).toContain('1 call was approved with the word CONFIRM, as policy obliged to it.');
    expect(checked([opened, asked, review('ada'), approved])).not.toContain('CONFIRM');
  });

  it('counts after an answer without it by the same person', () => {
    expect(checked(story([review('ada', { verdict: 'request_changes' }), { ...typed, fixes: [] }]))).not.toContain(
      'CONFIRM',
    );
  });

  it.each<[string, readonly FakeEvent[]]>([
    ['lacks it', story([review('ada')])],
    ['has another', story([review('ada', { confirm_word: 'confirm' })])],
    ['has it, and a second one lacks it', story([typed, review('ben')])],
    ['has it though nothing obliges to it', [opened, asked, typed, approved]],
    ['lacks it as its request does', story([review('ada')], { request: opened })],
    ['has it, and its request takes none', story([typed], { request: opened })],
    ['has it, and its decision obliges to none', story([typed], { more: {} })],
  ])('is refused with story.confirm_word if it %s', (_what, events) => {
    expect(checked(events)).toBe('story.confirm_word');
  });

  it.each<[string, FakeEvent, FakeEvent]>([
    ['review', openedWith, { ...review('ada'), erased: true }],
    ['opening', { ...openedWith, erased: true }, review('ada')],
  ])('is not checked for lack of the payload of the %s', (_what, request, said) => {
    expect(checked(story([said], { request }))).toContain('1 call decided');
  });
});
