import type { Json } from '#lib/canonical';
import { ANY_ROLE } from '#lib/formats';
import type { AutonomyInput } from '#lib/policy-inputs';
import { type DecisionId, digestOf, MASK, newId, type PlanId, type TenantId, type Tx } from '#lib/kernel';
import { decisionEvidence } from './decision-evidence.js';
import type { DecisionSubject } from './decision-log.js';
import { FakeDecisionLog } from './fake-decision-log.js';
import { compiledPolicies } from '../fake-policy.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { createPolicy, type Policy } from '../create-policy.js';

const input: AutonomyInput = {
  now: 1_790_000_000_000,
  tenant_id: 'tenant-1',
  autonomy: {
    autonomy: { mode: 'plan_only', environments: { production: { mode: 'full_auto', allowed_approvers: [ANY_ROLE] } } },
  },
  tool: {
    name: 'acknowledge_alert',
    version: 1,
    risk: 'state_change_prod',
    idempotent: true,
    scope: 'asset',
    effect: 'modify',
    surface: 'asset',
    requires_plan: false,
    requires_hitl: 'always',
    simulated_by: null,
    simulation: 'not_applicable',
    canary: true,
  },
  environment: { id: 'env-1', name: 'production', production: true, version: 1 },
};

const about = (planId: string): DecisionSubject => {
  const plan = { type: 'plan', id: planId };
  return { subject: plan, within: [plan] };
};

describe('the policy decision point', () => {
  const engine = compiledPolicies();
  const tx: Tx = { tenantId: newId<TenantId>(), now: () => Promise.resolve(input.now) };
  let log: FakeDecisionLog;
  let policy: Policy['decisionPoint'];
  let evidence: Policy['policyEvidence'];
  beforeEach(() => {
    log = new FakeDecisionLog();
    ({ decisionPoint: policy, policyEvidence: evidence } = createPolicy({ uow: unasked(), engine, decisions: log }));
  });

  /** The decision about a plan in its evidence pack, after a check that the audit entry fixes it. */
  async function evidenceOf(planId: PlanId, id: DecisionId): Promise<Json> {
    const [decision] = await evidence.collect(tx, planId);
    expect(decision).toMatchObject({ kind: 'decision', id });
    expect(digestOf('decision', decision?.document ?? null)).toBe(decisionEvidence(tx, id)?.digest);
    return decision?.document ?? null;
  }

  it('records each decision, with all it was decided from and the policies that decided', async () => {
    const planId = newId<PlanId>();
    const decided = await policy.decide(tx, 'autonomy', input, about(planId));
    expect(decided.decision.outcome).toBe('require_approval');
    expect(await log.find(tx, decided.id)).toEqual({
      id: decided.id,
      entrypoint: 'autonomy',
      bundleRevision: engine.bundle.revision,
      wasmDigest: engine.bundle.wasmDigest,
      input,
      inputDigest: digestOf('policy-input', input as unknown as Json),
      decision: decided.decision,
      decidedAt: input.now,
      about: about(planId),
    });
    expect(await log.findBundle(tx, decided.bundleRevision)).toBe(engine.bundle);
  });

  it('can be asked again with a recorded input, and answers the same', async () => {
    const decided = await policy.decide(tx, 'autonomy', input, about(newId()));
    const kept = await log.find(tx, decided.id);
    expect(policy.evaluate('autonomy', kept?.input as unknown as AutonomyInput)).toEqual(decided.decision);
  });

  it('records a refusal too, and why there was no decision', async () => {
    const decided = await policy.decide(
      tx,
      'autonomy',
      { ...input, tool: { ...input.tool, version: 0 } },
      about(newId()),
    );
    expect(decided.decision.reasons.map(({ code }) => code)).toEqual(['policy.invalid_input']);
    expect((await log.find(tx, decided.id))?.decision).toEqual(decided.decision);
  });

  it('masks a secret in the recorded input, and digests the evaluated one (T32)', async () => {
    const token = `cs_a_${'Zm9vYmFyYmF6cXV4'.repeat(3)}`;
    const leaking = { ...input, environment: { ...input.environment, id: token } };
    const planId: PlanId = newId();
    const { id } = await policy.decide(tx, 'autonomy', leaking, about(planId));
    const kept = await log.find(tx, id);
    expect(JSON.stringify(kept?.input)).not.toContain(token);
    expect(kept?.input).toMatchObject({ environment: { id: MASK } });
    expect(kept?.inputDigest).toBe(digestOf('policy-input', leaking as unknown as Json));
    const maskedDigest = digestOf('policy-input', kept?.input ?? null);
    expect(await evidenceOf(planId, id)).toMatchObject({ masked_input_digest: maskedDigest });
  });

  it('says of no other input that it was masked', async () => {
    const planId: PlanId = newId();
    const { id } = await policy.decide(tx, 'autonomy', input, about(planId));
    expect(await evidenceOf(planId, id)).not.toHaveProperty('masked_input_digest');
  });

  it('records no answer that is only shown', async () => {
    expect(policy.evaluate('autonomy', input).outcome).toBe('require_approval');
    expect(await log.list(tx, [], { limit: 10, after: null })).toEqual([]);
  });

  it('fails with its log: a decision that is not recorded allows nothing (T28)', async () => {
    jest.spyOn(log, 'record').mockRejectedValueOnce(new Error('the log cannot be written'));
    await expect(policy.decide(tx, 'autonomy', input, about(newId()))).rejects.toThrow('the log cannot be written');
  });
});
