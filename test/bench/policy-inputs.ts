import type { Decision } from '#lib/formats';
import type { AutonomyFacts, PlanInput, ToolFacts } from '#lib/policy-inputs';

const toolNumber = (number: number): ToolFacts => ({
  name: `execute_rollout_${String(number)}`,
  version: 1,
  risk: 'state_change_prod',
  idempotent: false,
  scope: 'environment',
  effect: 'modify',
  surface: 'asset',
  requires_plan: true,
  requires_hitl: 'always',
  simulated_by: 'simulate_rollout',
  simulation: 'required',
  canary: true,
});

/** A tenant with this many tools, every one of which its document overrides. */
const documentOf = (tools: number): AutonomyFacts => ({
  autonomy: {
    mode: 'canary_only',
    environments: {
      production: {
        mode: 'full_auto',
        allowed_approvers: ['PlatformAdmin', 'SRELead'],
        require_two_approvers: true,
      },
      staging: { mode: 'canary_only', allowed_approvers: ['any'] },
    },
    tool_overrides: Object.fromEntries(
      Array.from({ length: tools }, (_, number) => [toolNumber(number).name, { require_two_approvers: true }]),
    ),
  },
});

/**
 * The request of a plan of about 8 KB, with five of the tenant's tools. A canary comes first, then batches of a fifth. Every rule
 * leads to an approval by two people.
 */
export function planOf(tools: number): PlanInput {
  const used = Array.from({ length: 5 }, (_, number) => toolNumber(number));
  const key = (number: number): string => `execute_rollout_${String(number % used.length)}@1`;
  const targets = Array.from(
    { length: 90 },
    (_, number) => `web-${String(number).padStart(3, '0')}.eu-west.example.net`,
  );
  let seq = 0;
  const batch = (index: number, from: number, to: number) => ({
    index,
    calls: [
      {
        seq,
        tool: key(seq++),
        targets: targets.slice(from, to),
        compensation: key(0),
        compensation_targets: targets.slice(from, to),
        shell: null,
        compensation_shell: null,
        paths: null,
        compensation_paths: null,
      },
    ],
  });
  const phase = (index: number, name: string, canary: boolean, batches: ReturnType<typeof batch>[]) => ({
    index,
    name,
    canary,
    has_rollback_condition: true,
    batches,
  });
  return {
    now: 1_790_000_000_000,
    tenant_id: '0190d3a0-0000-7000-8000-000000000001',
    autonomy: documentOf(tools),
    stage: 'request',
    actor: { kind: 'agent', id: '0190d3a0-0000-7000-8000-000000000002', scopes: ['read', 'submit', 'run'] },
    task: {
      id: '0190d3a0-0000-7000-8000-000000000003',
      timeout_minutes: 60,
      constraints: { canary_required: true, max_batch_percent: 20, rollback_trigger: null },
    },
    environment: { id: '0190d3a0-0000-7000-8000-000000000004', name: 'production', production: true, version: 3 },
    tools: Object.fromEntries(used.map((tool) => [`${tool.name}@1`, tool])),
    plan: {
      id: '0190d3a0-0000-7000-8000-000000000005',
      digest: `sha256:${'0'.repeat(64)}`,
      phases: [
        phase(0, 'canary', true, [batch(0, 0, 9)]),
        ...Array.from({ length: 9 }, (_, wave) =>
          phase(wave + 1, `wave-${String(wave + 1)}`, false, [
            batch(0, 9 + wave * 9, 12 + wave * 9),
            batch(1, 12 + wave * 9, 15 + wave * 9),
            batch(2, 15 + wave * 9, 18 + wave * 9),
          ]),
        ),
      ],
    },
    simulation: {
      id: '0190d3a0-0000-7000-8000-000000000006',
      digest_matches: true,
      state: 'succeeded',
      age_seconds: 30,
    },
    approval: null,
    approved: null,
    promotion: false,
    freeze: { active: [], starter_roles: [] },
    halts: [],
  };
}

/** @throws if a decision about {@link planOf} is wrong. */
export function assertRightAnswer(decision: Decision): void {
  const people = decision.obligations.approvals.reduce((sum, { count }) => sum + count, 0);
  if (decision.outcome !== 'require_approval' || people !== 2) {
    throw new Error(`The decision is wrong: ${JSON.stringify(decision)}`);
  }
}
