import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '#lib/canonical';
import type { AutonomyDocument, Decision } from '#lib/formats';
import { newId, type PersonId } from '#lib/kernel';
import { packageRoot } from '#lib/database';
import { loadPolicyEngine } from '#lib/policy';
import { POLICY_INPUTS } from '#lib/policy-inputs';
import { replayDecisions } from '#lib/verifier';
import { activeFreezes } from '../../libs/rules/autonomy/src/domain/freezes.js';
import { decideApproval } from '../../libs/stages/approval/src/domain/decide-approval.js';
import { rolesForReview, type Delegation } from '../../libs/stages/approval/src/domain/delegation.js';
import { expiryOf } from '../../libs/stages/simulation/src/domain/simulation.js';
import { APPROVAL_EXPIRES_AT, EXPIRES_AT, OPENED_AT, requestIn } from '../support/approval-samples.js';

const engine = loadPolicyEngine();

/** The input of a fixture, which policies let through. */
function inputOf(area: string, named: string): JsonObject {
  const text = readFileSync(join(packageRoot(), 'policies', 'fixtures', `${area}.json`), 'utf8');
  const fixtures = (JSON.parse(text) as Record<string, { name: string; input: JsonObject }[]>)[area] ?? [];
  const found = fixtures.find(({ name }) => name === named);
  if (found === undefined) throw new Error(`policies/fixtures/${area}.json has no case "${named}".`);
  return found.input;
}

const NOW = 1_790_000_000_000;
const SECOND_PERSON = newId<PersonId>();
const delegation = (personId: PersonId, until: number): Delegation => ({
  ...{ personId, until, madeAt: OPENED_AT - 1, from: OPENED_AT },
  roles: [{ role: 'SRELead', assignedAt: OPENED_AT - 1 }],
});
const ended = delegation(newId<PersonId>(), OPENED_AT + 1_000);
const other = delegation(SECOND_PERSON, EXPIRES_AT);
const document: AutonomyDocument = {
  autonomy: { mode: 'full_auto' },
  freezes: [{ name: 'a', time_zone: 'UTC', from: '2026-12-20T18:00', until: '2026-12-21T06:00' }],
};
const FREEZE_ENDS = Date.UTC(2026, 11, 21, 6);
const DAY_MINUTES = 1_440;

interface EndingTime {
  readonly what: string;
  /** Whether TypeScript counts it as over, so many milliseconds after its end. */
  readonly over: (after: number) => boolean;
  readonly entrypoint: 'plan' | 'review';
  readonly input: (after: number) => JsonObject;
  /** The reason of policies if it is over, or a freeze's as long as it is not. */
  readonly reason: string;
  readonly whileInForce?: true;
}

const TIMES: readonly EndingTime[] = [
  {
    what: 'the time to decide a request',
    over: (after) => !decideApproval(requestIn('open'), { name: 'approve' }, EXPIRES_AT + after).ok,
    entrypoint: 'review',
    input: (after) => {
      const input = inputOf('review', 'an approver with the role');
      return { ...input, request: { ...(input.request as JsonObject), expires_at: NOW }, now: NOW + after };
    },
    reason: 'review.expired',
  },
  {
    what: 'an approval',
    over: (after) => !decideApproval(requestIn('approved'), { name: 'consume' }, APPROVAL_EXPIRES_AT + after).ok,
    entrypoint: 'plan',
    input: (after) => {
      const input = inputOf('execute', 'two approvers');
      return { ...input, approval: { ...(input.approval as JsonObject), expires_at: NOW }, now: NOW + after };
    },
    reason: 'approval.expired',
  },
  {
    what: 'a delegation',
    over: (after) =>
      rolesForReview(
        requestIn('open', [{ count: 1, roles: ['SRELead'] }]),
        [],
        [ended, other],
        ended.until + after,
        new Set(),
      ).delegation === other,
    entrypoint: 'review',
    input: (after) => {
      const input = inputOf('review', 'a delegate, with the role of whom they stand in for');
      const reviewer = input.reviewer as JsonObject;
      const ends = { ...(reviewer.delegation as JsonObject), until: NOW };
      return { ...input, reviewer: { ...reviewer, delegation: ends }, now: NOW + after };
    },
    reason: 'review.delegation',
  },
  {
    what: 'a freeze',
    over: (after) => activeFreezes(document, FREEZE_ENDS + after).length === 0,
    entrypoint: 'plan',
    input: (after) => {
      const active = activeFreezes(document, FREEZE_ENDS - 1).map((freeze) => ({ ...freeze }));
      const input = inputOf('execute', 'two approvers');
      const approval = { ...(input.approval as JsonObject), expires_at: FREEZE_ENDS + DAY_MINUTES };
      return { ...input, approval, freeze: { active, starter_roles: [] }, now: FREEZE_ENDS + after };
    },
    reason: 'freeze.active',
    whileInForce: true,
  },
  {
    what: 'the result of a simulation',
    over: (after) => expiryOf({ finishedAt: 0 }, DAY_MINUTES) <= DAY_MINUTES * 60_000 + after,
    entrypoint: 'plan',
    input: (after) => {
      const input = inputOf('execute', 'two approvers');
      const age = Math.floor((DAY_MINUTES * 60_000 + after) / 1_000);
      return { ...input, simulation: { ...(input.simulation as JsonObject), age_seconds: age } };
    },
    reason: 'simulation.stale',
  },
];

function decide({ entrypoint, input }: EndingTime, after: number): { decision: Decision; input: Json } {
  const asked = POLICY_INPUTS[entrypoint].parse(input(after));
  const { decision, inputText } = engine.evaluate(entrypoint, asked);
  return { decision, input: JSON.parse(inputText) as Json };
}

describe.each(TIMES)('$what is over at the millisecond of its end', (time) => {
  const { over, reason, whileInForce = false } = time;

  it.each([
    [-1, false],
    [0, true],
    [1, true],
  ])('by TypeScript and by the policies: %d ms after it', (after, isOver) => {
    expect(over(after)).toBe(isOver);
    const codes = decide(time, after).decision.reasons.map(({ code }) => code);
    expect(codes.includes(reason)).toBe(isOver !== whileInForce);
  });

  it('by the verifier, which takes no answer of a moment before', () => {
    const [before, at] = [decide(time, -1), decide(time, 0)];
    const path = `countersign/${time.entrypoint}/decision`;
    const recorded = (result: Decision) => ({
      module: 0,
      path,
      input: at.input,
      // A decision came out of the policies as JSON.
      result: result as unknown as Json,
      masked: false,
    });
    const decisions = [recorded(at.decision), recorded(before.decision)];
    expect(replayDecisions({ modules: [engine.bundle.wasm], decisions })).toEqual([true, false]);
  });
});
