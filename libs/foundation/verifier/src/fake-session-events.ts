import type { JsonObject } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { checkSession } from './check-session.js';
import { actor, failureOf, packOf, person, type FakeEvent } from './fake-pack.js';

/** The events of sessions, for tests that forge one of them. The agent `bot` belongs to `olga`. */
const SESSION = { type: 'session', id: 'session-1' } as const;
export const AGENT = actor('agent', 'bot');

const ARGUMENTS = { targets: ['web-1'] };
const FACTS = {
  tool: 'label',
  tool_version: 1,
  environment: 'staging',
  arguments: ARGUMENTS,
  arguments_digest: documentDigest('arguments', ARGUMENTS),
  shell: { tier: 2, class: 'WRITE' },
  tree: 'sha256:t',
  asked_by: { kind: 'agent', id: 'bot', owner_id: 'olga' },
};
const ANSWERED = { ...FACTS, request_id: 'request-1' };
const BINDING = { subject: { tool_call: 'sha256:c' } };
const BINDING_DIGEST = documentDigest('binding', BINDING);
const SETTINGS = { preset: null, level: 'SUPERVISED', mode: 'ask-on-write' };
const SHAPE = { '/targets': ['web-1'] };

/** The event with other members in its payload. */
export const changed = (event: FakeEvent, more: JsonObject): FakeEvent => ({
  ...event,
  payload: { ...(event.payload as JsonObject), ...more },
});

/** The event about a call with these arguments. */
export const withArguments = (event: FakeEvent, args: JsonObject): FakeEvent =>
  changed(event, { arguments: args, arguments_digest: documentDigest('arguments', args) });

/** The event with the decision of this name, which it fixes. */
export const deciding = (event: FakeEvent, id: string, document: JsonObject, input: JsonObject): FakeEvent => ({
  ...event,
  decisionId: id,
  fixes: [
    { kind: 'decision', id, document },
    { kind: 'policy-input', id, document: input },
  ],
});

const ofCall = (id: string, action: string, payload: JsonObject, by = AGENT): FakeEvent => ({
  ...{ action, payload, actor: by, within: [SESSION] },
  subject: { type: 'tool_call', id },
});
const ofSession = (action: string, payload: JsonObject, by = AGENT): FakeEvent => ({
  ...{ action, payload, actor: by, subject: SESSION, within: [SESSION] },
});

/** The input of the decision about a call. */
export const inputOf = (more: JsonObject = {}): JsonObject => ({
  actor: { kind: 'agent', id: 'bot' },
  tool: { name: 'label' },
  environment: { name: 'staging', production: false },
  shell: { tier: 2, class: 'WRITE' },
  session: SETTINGS,
  ...more,
});

/** A call with its decision. */
export const judged = (event: FakeEvent, outcome: string, code = 'autonomy.executes', input = inputOf()): FakeEvent =>
  deciding(
    event,
    `decision-of-${event.subject?.id ?? ''}`,
    { entrypoint: 'tool_call', result: { outcome, reasons: [{ code }] } },
    input,
  );

/** Allowed by policy. */
export const allowed = (id: string): FakeEvent =>
  judged(ofCall(id, 'tool_call.decided', { ...FACTS, decided_as: 'auto_approved' }), 'allow');
export const denied = (id: string): FakeEvent =>
  judged(ofCall(id, 'tool_call.decided', { ...FACTS, decided_as: 'denied' }), 'deny');

/** A request about the call `call-1`, from its opening to the decision. */
export const opened: FakeEvent = {
  action: 'approval_request.opened',
  actor: AGENT,
  subject: { type: 'approval_request', id: 'request-1' },
  within: [SESSION, { type: 'tool_call', id: 'call-1' }],
  payload: {
    binding: BINDING,
    binding_digest: BINDING_DIGEST,
    excluded: [{ person_id: 'eve', why: 'owner' }],
    obligations: { approvals: [{ count: 1, roles: ['SRELead'] }] },
  },
};
export const asked = judged(
  ofCall('call-1', 'tool_call.asked', { ...ANSWERED, prompt: { always_covers: SHAPE } }),
  'require_approval',
  'session.asks',
);
const answered = (decided_as: string): FakeEvent =>
  judged(
    ofCall('call-1', 'tool_call.decided', { ...ANSWERED, decided_as }, person('ada')),
    'require_approval',
    'session.asks',
  );
export const approved = answered('approved');
export const rejected = answered('rejected');

/** An answer of a person, with the decision that lets them give it. */
export function review(by: string, more: JsonObject = {}, reviewer: JsonObject = {}): FakeEvent {
  const payload: JsonObject = {
    ...{ verdict: 'approve', binding_digest: BINDING_DIGEST, subject_digest: 'sha256:c', roles: ['SRELead'] },
    ...more,
  };
  return deciding(
    { ...opened, action: 'review.submitted', actor: person(by), payload },
    `decision-of-${by}`,
    { entrypoint: 'review', result: { outcome: 'allow' } },
    {
      verdict: payload.verdict ?? null,
      request: { id: 'request-1', excluded: [{ person_id: 'fay', why: 'same_hand' }] },
      reviewer: { kind: 'person', id: by, via: 'browser', ...reviewer },
    },
  );
}
export const always = review('ada', { always: true });

export const trust = { trust_id: 'trust-1', tool: 'label', shape: JSON.stringify(SHAPE) };
export const trusted = (by: string): FakeEvent =>
  ofSession('session.trusted', { ...trust, tool_call_id: 'call-1' }, person(by));
export const revoked = ofSession('session.trust_revoked', trust);
/** The session is opened, as every log of a session begins. */
export const openedSession = ofSession('session.opened', SETTINGS);
export const changedSettings = ofSession('session.changed', { before: SETTINGS, after: SETTINGS });
/** From here on the session is cautious. */
export const nowCautious = ofSession('session.changed', {
  before: SETTINGS,
  after: { ...SETTINGS, preset: 'cautious' },
});
/** The call that the trust lets through. */
export const used = judged(
  ofCall('call-2', 'tool_call.decided', { ...FACTS, decided_as: 'trusted', trust_id: 'trust-1' }),
  'allow',
  'session.trusted',
);

/** Something that happened to a call after its decision. */
export const happened = (id: string, what: string, more: JsonObject = {}): FakeEvent =>
  ofCall(id, `tool_call.${what}`, {
    ...{ tool: 'label', tool_version: 1, environment: 'staging', arguments_digest: FACTS.arguments_digest },
    ...more,
  });
export const sent = (id: string, attempt = 1): FakeEvent => happened(id, 'dispatched', { attempt, tree: 'sha256:t' });
export const ended = ofSession('session.ended', { reason: 'closed' });

/** The code of the refusal, or the lines of the story. @param restoredAt the place from which on entries are of a second log. */
export function checked(events: readonly FakeEvent[], restoredAt = events.length): string {
  const pack = packOf([openedSession, ...events], { subject: SESSION });
  const entries = pack.entries.map((entry, index) => (index <= restoredAt ? entry : { ...entry, epoch: 2 }));
  const whole = { ...pack, entries };
  let lines: readonly string[] = [];
  const failure = failureOf((refuse) => {
    lines = checkSession(whole, refuse);
  });
  return failure?.code ?? lines.join(' ');
}
