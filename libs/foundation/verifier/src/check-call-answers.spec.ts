import { actor, type FakeEvent } from './fake-pack.js';
import {
  AGENT,
  approved,
  asked,
  changed,
  checked,
  deciding,
  inputOf,
  judged,
  opened,
  rejected,
  review,
} from './fake-session-events.js';

const about = (...reviews: readonly FakeEvent[]): readonly FakeEvent[] => [opened, asked, ...reviews, approved];
const inProduction = inputOf({ environment: { name: 'staging', production: true } });
const onBehalf = { ...asked, actor: actor('agent', 'bot', 'ben') };
const two = changed(opened, { obligations: { approvals: [{ count: 2, roles: ['SRELead'] }] } });

describe('T03, T55: the answers of people about a call of a session', () => {
  it.each<[string, readonly FakeEvent[]]>([
    ['in the browser', about(review('ada'))],
    ['in Slack', about(review('ada', {}, { via: 'slack' }))],
    ['from the owner of the agent outside production', about(review('olga'))],
    [
      'from the owner whom the agent acts for, outside production',
      [opened, { ...asked, actor: actor('agent', 'bot', 'olga') }, review('olga'), approved],
    ],
    ['from two people', [two, asked, review('ada'), review('ben'), approved]],
    ['that rejects', [opened, asked, review('ada', { verdict: 'reject' }), rejected]],
  ])('may come %s', (_how, events) => {
    expect(checked(events)).toContain('by people, in the browser or in Slack');
  });

  it('are told apart if they come from the owner of the agent', () => {
    expect(checked(about(review('ada')))).toContain('as policy allowed. None of them had a part in the call.');
    expect(checked(about(review('olga')))).toContain(
      'as policy allowed; 1 by the owner of the agent, outside production.',
    );
  });

  it.each<[string, string, readonly FakeEvent[]]>([
    ['story.reviewer', 'from the agent itself', about({ ...review('bot'), actor: AGENT })],
    ['story.reviewer', 'from another agent', about({ ...review('other'), actor: actor('agent', 'other') })],
    ['story.reviewer', 'with a token', about(review('ada', {}, { via: 'token' }))],
    ['story.reviewer', 'in a way that is not told', about(review('ada', {}, { via: null }))],
    [
      'story.reviewer',
      'from the owner of the agent in production',
      [
        opened,
        judged(asked, 'require_approval', 'session.asks', inProduction),
        review('olga'),
        judged(approved, 'require_approval', 'session.asks', inProduction),
      ],
    ],
    [
      'story.reviewer',
      'from the owner of an agent that is not told',
      [opened, changed(asked, { asked_by: { kind: 'agent', id: 'bot' } }), review('olga'), approved],
    ],
    ['story.reviewer', 'from the issuer of a delegation', [opened, onBehalf, review('ben'), approved]],
    ['story.reviewer', 'from a person whom the request excluded', about(review('eve'))],
    ['story.reviewer', 'from a person whom policy knew as excluded', about(review('fay'))],
    [
      'story.reviewer',
      'from the person who asked',
      [
        { ...opened, actor: actor('person', 'ada') },
        judged(
          changed({ ...asked, actor: actor('person', 'ada') }, { asked_by: { kind: 'person', id: 'ada' } }),
          'require_approval',
          'session.asks',
          inputOf({ actor: { kind: 'person', id: 'ada' } }),
        ),
        review('ada'),
        { ...approved, erased: true, fixes: [] },
      ],
    ],
    ['story.reviewer', 'with a shared vote', about(review('ada', { seat: { shared_with: ['eve'] } }))],
    ['story.reviewer', 'for an excluded person', about(review('ada', { delegated_by: 'eve' }))],
    ['story.quorum', 'from one person twice', [two, asked, review('ada'), review('ada'), approved]],
    [
      'story.quorum',
      'from a person and their delegate',
      [two, asked, review('ada'), review('ben', { delegated_by: 'ada' }), approved],
    ],
    [
      'story.quorum',
      'from two people with one vote',
      [two, asked, review('ada'), review('ben', { seat: { shared_with: ['ada'] } }), approved],
    ],
    ['story.quorum', 'from nobody', about()],
    ['story.quorum', 'without a request', [asked, review('ada'), approved]],
    ['story.quorum', 'from somebody with another role', about(review('ada', { roles: ['Other'] }))],
    ['story.quorum', 'and be replaced', about(review('ada'), { ...review('ada', { verdict: 'reject' }), fixes: [] })],
    ['story.quorum', 'after the decision', [opened, asked, approved, review('ada')]],
    ['story.approval_digest', 'about another binding', about(review('ada', { binding_digest: 'sha256:x' }))],
    ['story.approval_digest', 'about another call', about(review('ada', { subject_digest: 'sha256:x' }))],
    [
      'story.approval_digest',
      'about a binding that is not the one named',
      [changed(opened, { binding: { subject: { tool_call: 'sha256:x' } } }), asked, review('ada'), approved],
    ],
    [
      'story.call_not_asked',
      'in a request about another call',
      [{ ...opened, within: [] }, asked, review('ada'), approved],
    ],
    [
      'story.call_not_asked',
      'in the request about another call',
      about({ ...review('ada'), within: [{ type: 'tool_call', id: 'call-9' }] }),
    ],
    ['story.review_decision', 'without a decision', about({ ...review('ada'), fixes: [] })],
    ['story.review_decision', 'by the decision for another', about({ ...review('ada'), ...decisionFor('ben') })],
    [
      'story.review_decision',
      'otherwise than policy let them',
      about(changed(review('ada', { verdict: 'reject' }), { verdict: 'approve' })),
    ],
    [
      'story.review_decision',
      'though policy denied it',
      about(withDecision({ entrypoint: 'review', result: { outcome: 'deny' } })),
    ],
    [
      'story.review_decision',
      'by a decision about something else',
      about(withDecision({ entrypoint: 'tool_call', result: { outcome: 'allow' } })),
    ],
    [
      'story.review_decision',
      'by the decision about another request',
      about(withDecision({ entrypoint: 'review', result: { outcome: 'allow' } }, 'request-2')),
    ],
  ])('are refused with %s if they come %s', (code, _how, events) => {
    expect(checked(events)).toBe(code);
  });

  it.each([
    ['opening', about(review('ada')).map((one) => (one === opened ? { ...one, erased: true } : one))],
    ['review', about({ ...review('ada'), erased: true })],
  ])('are not checked for lack of the payload of the %s', (_what, events) => {
    expect(checked(events)).toContain('1 call decided');
  });
});

function decisionFor(by: string): Pick<FakeEvent, 'fixes'> & { decisionId: string } {
  const { fixes = [], decisionId = '' } = review(by);
  return { fixes, decisionId };
}

function withDecision(document: { entrypoint: string; result: { outcome: string } }, request = 'request-1'): FakeEvent {
  return deciding(review('ada'), 'decision-of-ada', document, {
    verdict: 'approve',
    request: { id: request },
    reviewer: { id: 'ada', via: 'browser' },
  });
}
