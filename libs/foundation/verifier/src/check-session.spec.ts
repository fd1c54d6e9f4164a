import type { JsonObject } from '#lib/canonical';
import { checkSession } from './check-session.js';
import { actor, failureOf, packOf, person, type FakeEvent } from './fake-pack.js';
import type { PackDocument } from './pack-shape.js';

const SESSION = { type: 'session', id: 'session-1' } as const;
const AGENT = actor('agent', 'bot');

const facts = { tool: 'shell', tool_version: 1, environment: 'staging', arguments_digest: 'sha256:a' };
const decided = (id: string, decided_as: string, more: JsonObject = {}): FakeEvent => ({
  action: 'tool_call.decided',
  actor: AGENT,
  subject: { type: 'tool_call', id },
  within: [SESSION],
  payload: { ...facts, decided_as, ...more },
});
const asked = (id: string, more: JsonObject = {}): FakeEvent => ({
  ...decided(id, '', more),
  action: 'tool_call.asked',
  payload: { ...facts, request_id: 'request-1', ...more },
});
const ofRequest = (action: string, payload: JsonObject, by = AGENT): FakeEvent => ({
  ...{ action, actor: by, payload },
  subject: { type: 'approval_request', id: 'request-1' },
  within: [SESSION],
});
const opened = ofRequest('approval_request.opened', {
  binding_digest: 'sha256:b',
  obligations: { approvals: [{ count: 1, roles: ['SRELead'] }] },
});
const review = (by: string, more: JsonObject = {}): FakeEvent =>
  ofRequest(
    'review.submitted',
    { verdict: 'approve', binding_digest: 'sha256:b', roles: ['SRELead'], ...more },
    person(by),
  );
const always = review('ada', { always: true });
const trusted = (by: string): FakeEvent => ({
  action: 'session.trusted',
  actor: person(by),
  subject: SESSION,
  within: [SESSION],
  payload: { trust_id: 'trust-1', tool_call_id: 'call-1' },
});
const ended: FakeEvent = {
  action: 'session.ended',
  subject: SESSION,
  within: [SESSION],
  payload: { reason: 'closed' },
};
const approved = decided('call-1', 'approved', { request_id: 'request-1' });
const allowed = decided('call-0', 'auto_approved', { tree: 'sha256:t' });
const ALLOWED = { 'call-0': 'allow' };
const sent = (more: JsonObject): FakeEvent => ({
  ...decided('call-0', ''),
  action: 'tool_call.dispatched',
  payload: { tool: 'shell', tool_version: 1, arguments_digest: 'sha256:a', ...more },
});
const decision = (id: string, outcome: string): PackDocument => ({
  kind: 'decision',
  id,
  document: { result: { outcome } },
});

/** Entries that name decisions by their header. */
function checked(events: readonly FakeEvent[], decisions: Readonly<Record<string, string>> = {}) {
  const documents = Object.entries(decisions).map(([id, outcome]) => decision(`decision-of-${id}`, outcome));
  const pack = packOf(events, { subject: SESSION, documents });
  const entries = pack.entries.map((entry) => ({
    ...entry,
    header: { ...entry.header, decision_id: `decision-of-${entry.header.subject.id}` },
  }));
  const whole = { ...pack, entries };
  const failure = failureOf((refuse) => checkSession(whole, refuse));
  return failure?.code ?? checkSession(whole, () => fail()).join(' ');
}
const fail = (): never => {
  throw new Error('it was refused');
};

describe('the story of a session', () => {
  it('has each call decided once, as policy and people said', () => {
    const events = [
      decided('call-0', 'auto_approved'),
      asked('call-1'),
      opened,
      review('ada'),
      approved,
      decided('call-2', 'denied'),
      ended,
      decided('call-3', 'cancelled'),
    ];
    expect(checked(events, { 'call-0': 'allow' })).toContain(
      '4 calls decided, each once (1 approved, 1 auto approved, 1 cancelled, 1 denied)',
    );
    expect(checked([ended])).toBe('No call was decided in the session.');
  });

  it.each<[string, readonly FakeEvent[], Readonly<Record<string, string>>]>([
    ['story.call_decided_twice', [decided('call-0', 'denied'), decided('call-0', 'denied')], {}],
    ['story.call_after_end', [ended, decided('call-0', 'auto_approved')], { 'call-0': 'allow' }],
    ['story.call_decision', [decided('call-0', 'auto_approved')], { 'call-0': 'require_approval' }],
    ['story.call_decision', [decided('call-0', 'trusted')], {}],
    ['story.call_not_asked', [decided('call-1', 'rejected', { request_id: 'request-1' })], {}],
    ['story.call_not_asked', [approved, asked('call-1')], {}],
    [
      'story.call_changed',
      [asked('call-1', { arguments_digest: 'sha256:other' }), opened, review('ada'), approved],
      {},
    ],
    ['story.call_changed', [asked('call-1', { tree: 'sha256:t' }), opened, review('ada'), approved], {}],
    ['story.executed_digest', [allowed, sent({ tree: 'sha256:t', arguments_digest: 'sha256:other' })], ALLOWED],
    ['story.executed_tree', [allowed, sent({ tree: 'sha256:other' })], ALLOWED],
    ['story.executed_tree', [allowed, sent({})], ALLOWED],
    ['story.quorum', [asked('call-1'), review('ada'), approved], {}],
    ['story.quorum', [asked('call-1'), opened, approved], {}],
    ['story.quorum', [asked('call-1'), opened, review('ada', { roles: ['Other'] }), approved], {}],
    ['story.quorum', [asked('call-1'), opened, review('ada'), review('ada', { verdict: 'reject' }), approved], {}],
    ['story.quorum', [asked('call-1'), opened, { ...review('bot'), actor: AGENT }, approved], {}],
    ['story.trust', [asked('call-1'), opened, review('ada'), trusted('ada'), approved], {}],
    ['story.trust', [asked('call-1'), opened, always, trusted('ben'), approved], {}],
    ['story.trust', [asked('call-1'), opened, trusted('ada'), always, approved], {}],
    ['story.trust', [trusted('ada')], {}],
  ])('refuses with %s', (code, events, decisions) => {
    expect(checked(events, decisions)).toBe(code);
  });

  it('T53: has a command line sent as it was allowed', () => {
    expect(checked([allowed, sent({ tree: 'sha256:t' })], ALLOWED)).toContain('1 call decided');
    expect(checked([allowed, { ...sent({}), erased: true }], ALLOWED)).toContain('1 call decided');
    expect(checked([{ ...allowed, erased: true }, sent({})], ALLOWED)).toContain('1 call decided');
  });

  it('takes an "always" that its person said in the answer', () => {
    const told = (said: FakeEvent): string => checked([asked('call-1'), opened, said, trusted('ada'), approved]);
    expect(told(always)).toContain('1 call decided');
    expect(told({ ...always, erased: true })).toContain('1 call decided');
  });

  it('leaves to others what needs a payload that is not there', () => {
    expect(checked([asked('call-1'), { ...opened, erased: true }, review('ada'), approved])).toContain(
      '1 call decided',
    );
    expect(checked([{ ...decided('call-0', 'auto_approved'), erased: true }])).toContain('1 call decided');
  });
});
