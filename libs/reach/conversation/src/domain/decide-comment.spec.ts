import { APPROVAL_STATES } from '#lib/formats';
import type { AgentId, AgentPrincipal, PersonPrincipal, Principal, SystemPrincipal } from '#lib/kernel';
import { AGENT_CHARACTERS, decideComment, MAX_UNANSWERED, type Speakable } from './decide-comment.js';
import { mentions } from './mentions.js';

const agent = { kind: 'agent', agentId: 'bot' as AgentId } as AgentPrincipal;
const person = { kind: 'person' } as PersonPrincipal;
const system: SystemPrincipal = { kind: 'system', tenantId: 't' as never, name: 'worker' };
const request = (state: (typeof APPROVAL_STATES)[number] = 'open', by: string | null = 'bot'): Speakable => ({
  type: 'approval_request',
  state,
  planAgentId: by as AgentId | null,
});
const change: Speakable = { type: 'change_request' };

const codeOf = (by: Principal, about: Speakable, body = 'a', unanswered = 0): string => {
  const decided = decideComment(by, about, body, unanswered);
  return decided.ok ? 'ok' : decided.error.code;
};

describe('T67: whether somebody may comment', () => {
  it.each(APPROVAL_STATES)('lets people always, and agents while something can come of it: %s', (state) => {
    expect(codeOf(person, request(state), 'x'.repeat(4_000), 99)).toBe('ok');
    const may = state === 'open' || state === 'changes_requested';
    expect(codeOf(agent, request(state))).toBe(may ? 'ok' : 'comment.request_closed');
  });

  it('lets an agent speak of its own plans alone, and of no change', () => {
    expect(codeOf(agent, request('open', 'another'))).toBe('comment.not_own_plan');
    expect(codeOf(agent, request('open', null))).toBe('comment.not_own_plan');
    expect(codeOf(agent, change)).toBe('comment.person_only');
    expect(codeOf(system, request())).toBe('comment.person_only');
    expect(codeOf(person, change)).toBe('ok');
  });

  it('holds agents to a length, and to a number until a person answers', () => {
    expect(codeOf(agent, request(), 'x'.repeat(AGENT_CHARACTERS))).toBe('ok');
    expect(codeOf(agent, request(), 'x'.repeat(AGENT_CHARACTERS + 1))).toBe('comment.too_long');
    expect(codeOf(agent, request(), 'a', MAX_UNANSWERED - 1)).toBe('ok');
    expect(codeOf(agent, request(), 'a', MAX_UNANSWERED)).toBe('comment.limit');
  });
});

describe('mentions', () => {
  it.each([
    ['@Sam please look', 'Sam', true],
    ['Could @sam, look?', 'Sam', true],
    ['@Samantha, look', 'Sam', false],
    ['@Samantha and @Sam', 'Sam', true],
    ['ask @ada@example.com.', 'ada@example.com', true],
    ['Sam', 'Sam', false],
    ['@ nobody', '', false],
  ])('%s: %s', (text, name, expected) => {
    expect(mentions(text, name)).toBe(expected);
  });
});
