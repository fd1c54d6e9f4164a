import { digestOf } from '#lib/kernel';
import type { PlanDescription, ShownPhase } from '#lib/plan';
import { fakeShownPhase } from '../../../../stages/plan/src/domain/fake-shown-phase.js';
import type { CallMessage, PlanMessage } from './request-message.js';

const web = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `web-${String(from + index).padStart(3, '0')}`);

const batches = [web(1, 40), web(41, 80), web(81, 100)].map((targets, index) => ({ number: index + 1, targets }));

const tool = (name: string) => ({
  name,
  version: 1,
  executor: 'fleet',
  risk: 'state_change_prod',
  effect: 'modify',
  idempotent: false,
});

export const phase = (overrides: Partial<ShownPhase> = {}): ShownPhase =>
  fakeShownPhase({
    name: 'first',
    canary: true,
    batches,
    wait_seconds: 3_000,
    rollback_if: 'web.error_rate > 0.05',
    steps: [
      {
        step_id: 'rollout',
        on_failure: 'rollback',
        call: {
          tool: tool('execute_rollout_prod'),
          shell: null,
          paths: null,
          arguments: [{ name: 'image', value: 'web-2026-11' }],
          targets_as: ['targets'],
        },
        undo: null,
        spread: 'batch',
        calls: batches.map(({ number, targets }) => ({
          seq: number,
          batch: number,
          targets,
          arguments: [],
          undo_targets: null,
          undo_arguments: [],
        })),
      },
    ],
    ...overrides,
  });

export const done = (phases: readonly ShownPhase[]): PlanDescription => ({
  headline: 'execute_rollout_prod on 100 targets, image web-2026-11, revision 2',
  risk: 'critical',
  revision: 2,
  environment: 'production',
  targets: web(1, 100),
  phases: [...phases],
});

export const message = (overrides: Partial<PlanMessage> = {}): PlanMessage => ({
  type: 'plan',
  id: '01a20000-0000-7000-8000-000000000001',
  digest: `sha256:${'a'.repeat(64)}`,
  state: 'open',
  closedReason: null,
  environment: { name: 'production', production: true },
  requester: { kind: 'agent', name: 'drift-bot', onBehalfOf: 'Olga' },
  said: { goal: 'remediate drift', words: [] },
  description: done([phase()]),
  whatRuns: 'canary',
  simulation: { affected: 100, minutes: 94.4, risk: 'medium', by: ['simulate_rollout'], points: ['error rate'] },
  asked: [{ count: 2, roles: ['SRELead'], filled: 1 }],
  mfa: false,
  why: ['production needs two people'],
  reviews: [
    {
      person: 'Sam',
      knownBy: ['signs in at Acme'],
      verdict: 'approve',
      comment: 'canary first',
      method: 'passkey',
    },
  ],
  changesAsked: [],
  changedSince: { people: ['Lea'], lines: ['canary: image "a" → "b"'] },
  start: { kind: 'manual' },
  deadline: 1_800_000_000_000,
  past: null,
  run: null,
  ...overrides,
});

/** A request about a call that only its session asks about. */
export const callMessage = (overrides: Partial<CallMessage> = {}): CallMessage => {
  const { id, digest, state, closedReason, requester, mfa, reviews, deadline, past } = message();
  return {
    ...{ id, digest, state, closedReason, requester, mfa, reviews, deadline, past },
    type: 'tool_call',
    environment: { name: 'development', production: false },
    asked: [{ count: 1, roles: ['SRELead'], filled: 0 }],
    why: ['The session asks about this call'],
    start: { kind: 'on_approval' },
    call: {
      tool: { name: 'shell', version: 1, digest: digestOf('tool', {}) },
      executor: null,
      arguments: { command: 'git fetch origin' },
      targets: [],
      category: 'terminal-write',
      level: 'medium',
      impact: 'git fetch origin',
    },
    reason: 'I need it.',
    always: { program: 'git', subcommand: 'fetch origin', flags: [] },
    confirmWord: null,
    ...overrides,
  };
};
