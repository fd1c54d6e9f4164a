import fc, { type Arbitrary } from 'fast-check';
import {
  type ApprovalSlot,
  AUTONOMY_MODES,
  PATH_CLASSES,
  PLAN_STATUSES,
  SHELL_CLASSES,
  type ApprovedTerms,
  EXCLUSIONS,
  type Obligations,
} from '#lib/formats';
import {
  type ApprovalFacts,
  type AutomationInput,
  type AutonomyFacts,
  type AutonomyInput,
  BINDINGS,
  type BreakGlassInput,
  type CallerFacts,
  type Entrypoint,
  type EnvironmentFacts,
  type FreezesFacts,
  type HaltFacts,
  type PathFacts,
  PLAN_STAGES,
  type PlanFacts,
  type PlanInput,
  type PolicyInput,
  type ReviewInput,
  type RunStepInput,
  SESSION_LEVELS,
  SESSION_MODES,
  SESSION_PRESETS,
  type SessionFacts,
  type CallLineFacts,
  type ShellFacts,
  type ToolCallInput,
  type ToolFacts,
} from '#lib/policy-inputs';

const NOW = 1_790_000_000_000;

// Few names, so that documents, plans and people are about each other.
const ROLES = ['SRELead', 'PlatformAdmin', 'SecurityReviewer', 'any'] as const;
const role = fc.constantFrom(...ROLES);
const roles = fc.shuffledSubarray([...ROLES], { minLength: 1, maxLength: 3 });
const fewRoles = fc.shuffledSubarray([...ROLES], { maxLength: 2 });
const TOOLS = ['query_assets', 'restart_service', 'execute_rollout', 'rotate_secret'] as const;
const toolName = fc.constantFrom(...TOOLS);
const ENVIRONMENTS = ['production', 'staging', 'sandbox'] as const;
const environmentName = fc.constantFrom(...ENVIRONMENTS);
const person = fc.constantFrom('person-1', 'person-2', 'person-3');
const mode = fc.constantFrom(...AUTONOMY_MODES);
const instant = fc.integer({ min: NOW - 5, max: NOW + 5 });

const slot: Arbitrary<ApprovalSlot> = fc.record({ count: fc.integer({ min: 1, max: 3 }), roles });
const slots = fc.array(slot, { maxLength: 3 });

const optional = <Shape>(shape: { [Key in keyof Shape]: Arbitrary<Shape[Key]> }) =>
  fc.record<Shape, never>(shape, { requiredKeys: [] });

/** A value for some of the names. */
const forSome = <Value>(names: readonly string[], value: Arbitrary<Value>): Arbitrary<Record<string, Value>> =>
  optional(Object.fromEntries(names.map((name) => [name, value]))) as Arbitrary<Record<string, Value>>;

const tightening = {
  mode,
  allowed_approvers: roles,
  require_two_approvers: fc.boolean(),
  quorum: fc.array(slot, { minLength: 1, maxLength: 2 }),
  require_mfa: fc.boolean(),
  require_approval: fc.boolean(),
  max_batch_percent: fc.constantFrom(1, 10, 20, 33, 50, 100),
};
const lifetimes = {
  simulation_valid_minutes: fc.constantFrom(1, 60),
  approval_valid_minutes: fc.constantFrom(1, 240, 500),
};

const autonomy: Arbitrary<AutonomyFacts | null> = fc.option(
  fc.record({
    autonomy: fc
      .tuple(
        mode,
        optional({ ...tightening, ...lifetimes }),
        optional({
          environments: forSome(ENVIRONMENTS, optional({ ...tightening, ...lifetimes })),
          tool_overrides: forSome(TOOLS, optional(tightening)),
        }),
      )
      .map(([always, defaults, blocks]) => ({ ...defaults, ...blocks, mode: always })),
  }),
  { freq: 12 },
);

const tool: Arbitrary<ToolFacts> = fc.record({
  name: toolName,
  version: fc.constantFrom(1, 2),
  risk: fc.constantFrom('read_only', 'plan_only', 'state_change_nonprod', 'state_change_prod', 'state_change_prod'),
  idempotent: fc.boolean(),
  scope: fc.constantFrom('asset', 'environment', 'organization'),
  effect: fc.constantFrom('read', 'modify', 'destructive'),
  surface: fc.constantFrom('asset', 'workspace', 'git', 'terminal', 'network', 'audio'),
  requires_plan: fc.boolean(),
  requires_hitl: fc.constantFrom('never', 'configurable', 'always'),
  simulated_by: fc.constantFrom('simulate_rollout', null),
  simulation: fc.constantFrom('required', 'not_applicable'),
  canary: fc.boolean(),
});
/** One to three, each by a name of its own. */
const fewTools: Arbitrary<ToolFacts[]> = fc
  .tuple(fc.shuffledSubarray([...TOOLS], { minLength: 1, maxLength: 3 }), fc.tuple(tool, tool, tool))
  .map(([names, facts]) => names.flatMap((name, index) => ({ ...(facts[index] ?? facts[0]), name })));

const environment: Arbitrary<EnvironmentFacts> = environmentName.map((name) => ({
  id: `env-${name}`,
  name,
  production: name === 'production',
  version: 1,
}));

const halts: Arbitrary<HaltFacts[]> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<HaltFacts[]>([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({ id: fc.constant('halt'), kind: fc.constantFrom('tenant', 'environment', 'agent', 'tool') }),
      {
        maxLength: 2,
      },
    ),
  },
);

const common = { now: fc.constant(NOW), tenant_id: fc.constant('tenant-1'), autonomy };

const actor = fc.record({
  kind: fc.constantFrom('person', 'agent', 'system'),
  id: person,
  scopes: fc.subarray(['read', 'submit', 'run', 'review']),
});
const via = fc.constantFrom<CallerFacts['via'][]>('browser', 'slack', 'token');
const caller = fc.tuple(actor, via).map(([facts, way]): CallerFacts => ({ ...facts, via: way }));

const task = fc.record({
  id: fc.constant('task-1'),
  timeout_minutes: fc.constant(60),
  constraints: fc.record({
    canary_required: fc.boolean(),
    max_batch_percent: fc.constantFrom(null, 10, 50),
    rollback_trigger: fc.constantFrom(null, null, 'error_rate > 0.05'),
  }),
});

const targets = fc.shuffledSubarray(
  Array.from({ length: 12 }, (_, index) => `web-${String(index)}`),
  { maxLength: 4 },
);

const shell: Arbitrary<ShellFacts> = fc.record({
  tier: fc.constantFrom(1, 1, 2, 2, 3),
  class: fc.constantFrom(...SHELL_CLASSES),
});

/** The line of a single call: few have no tree. */
const callLine: Arbitrary<CallLineFacts> = fc
  .tuple(shell, fc.constantFrom(null, null, null, null, 'A runner does not execute case.'))
  .map(([verdict, reason]) => ({ ...verdict, not_executable: reason }));

/** The verdict of a call in a plan, which holds a line of Tier 3 only if somebody forged it. */
const plannedShell: Arbitrary<ShellFacts | null> = fc.oneof(
  { weight: 12, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.record({ tier: fc.constantFrom(1, 2), class: fc.constantFrom('READ_ONLY', 'WRITE') }) },
  { weight: 1, arbitrary: shell },
);

interface Verdicts {
  readonly shell: ShellFacts | null;
  readonly paths: PathFacts | null;
}

const paths: Arbitrary<PathFacts> = fc.record({
  tier: fc.constantFrom(1, 2, 2),
  class: fc.constantFrom(...PATH_CLASSES),
});

/** A tool takes a command line or names paths, and never both. */
const plannedVerdicts: Arbitrary<Verdicts> = fc.oneof(
  { weight: 3, arbitrary: plannedShell.map((line) => ({ shell: line, paths: null })) },
  { weight: 1, arbitrary: paths.map((named) => ({ shell: null, paths: named })) },
);

/** A place in a list of one, two or three, each of its members as often as the others. */
const smallIndex = fc.nat({ max: 5 });
const at = <Item>(list: readonly Item[], index: number): Item | undefined => list[index % list.length];

/** A tool of the plan; now and then one that is not there. */
const toolAt = fc.oneof({ weight: 60, arbitrary: smallIndex }, { weight: 1, arbitrary: fc.constant(null) });
const plannedCall = fc.record({
  tool: toolAt,
  targets,
  compensation: fc.option(
    toolAt.map((index) => ({ index })),
    { freq: 2 },
  ),
  compensation_targets: targets,
  own: plannedVerdicts,
  undo: plannedVerdicts,
});
const plannedPhase = fc.record({
  canary: fc.boolean(),
  has_rollback_condition: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  batches: fc.array(fc.array(plannedCall, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
});

interface PlanAndTools {
  readonly plan: PlanFacts;
  readonly tools: Record<string, ToolFacts>;
}

/** A plan and its tools; now and then one that names a tool which is not there, or is out of order. */
const planAndTools: Arbitrary<PlanAndTools> = fc
  .tuple(fewTools, fc.array(plannedPhase, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.nat({ max: 40 }))
  .map(([list, phases, leads, muddle]) => {
    const tools = Object.fromEntries(list.map((facts) => [`${facts.name}@${String(facts.version)}`, facts]));
    const keyAt = (index: number | null) => (index === null ? undefined : at(Object.keys(tools), index)) ?? 'nothing@1';
    let seq = 0;
    return {
      tools,
      plan: {
        id: 'plan-1',
        digest: 'sha256:plan',
        phases: phases.map(({ canary, has_rollback_condition, batches }, index) => ({
          index: muddle === 1 ? 0 : index,
          name: `phase-${String(index)}`,
          canary: leads ? index === 0 : canary,
          has_rollback_condition,
          batches: batches.map((calls, order) => ({
            index: order,
            calls: calls.map(({ own, undo, ...call }) => ({
              seq: muddle === 2 ? 7 : seq++,
              tool: keyAt(call.tool),
              targets: call.targets,
              compensation: call.compensation === null ? null : keyAt(call.compensation.index),
              compensation_targets: call.compensation_targets,
              shell: own.shell,
              compensation_shell: undo.shell,
              paths: own.paths,
              compensation_paths: undo.paths,
            })),
          })),
        })),
      },
    };
  });

/** Plans that pass the rules of safety. Others are so often denied that the rest of the rules would hardly be reached. */
const soundPlan = planAndTools.map(({ plan: facts, tools }) => ({
  tools,
  plan: {
    ...facts,
    phases: facts.phases.map((phase, order) => ({
      ...phase,
      has_rollback_condition: true,
      batches:
        order > 0
          ? phase.batches
          : phase.batches.slice(0, 1).map((batch) => ({ ...batch, calls: batch.calls.slice(0, 1) })),
    })),
  },
}));

const obligations: Arbitrary<Obligations> = fc.record({
  approvals: slots,
  mfa: fc.boolean(),
  phases: fc.constantFrom('all', 'canary'),
  audit_level: fc.constantFrom('basic', 'detailed', 'full', 'full_with_evidence'),
  valid_minutes: fc.constantFrom(1, 240, 500),
});
const effective = fc.record({ mode, source: fc.constant('mode') });
const approved: Arbitrary<ApprovedTerms> = fc.record({
  outcome: fc.constantFrom('allow', 'require_approval', 'require_approval', 'deny'),
  obligations,
  effective,
});

const requestState = fc.constantFrom(
  'open',
  'approved',
  'approved',
  'consumed',
  'consumed',
  'denied',
  'changes_requested',
  'expired',
  'voided',
);
const approval: Arbitrary<ApprovalFacts | null> = fc.option(
  fc.record({
    id: fc.constant('request-1'),
    state: requestState,
    expires_at: instant,
    reviewers: fc.array(
      fc.record({
        person_id: person,
        delegated_by: fc.option(person, { freq: 2 }),
        shared_with: fc.array(person, { maxLength: 2 }),
        roles: fc.array(role, { maxLength: 2 }),
        slot_roles: roles,
      }),
      {
        maxLength: 3,
      },
    ),
  }),
  { freq: 6 },
);

const freeze: Arbitrary<FreezesFacts> = fc.record({
  active: fc.oneof(
    { weight: 4, arbitrary: fc.constant<FreezesFacts['active']>([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({
          name: fc.constantFrom('year-end', 'weekend'),
          from: instant,
          until: instant,
          until_utc: fc.constant('2026-09-21T13:33:20Z'),
          environments: fc.option(fc.shuffledSubarray([...ENVIRONMENTS], { minLength: 1 }), { freq: 2 }),
          tools: fc.option(fc.shuffledSubarray([...TOOLS], { minLength: 1 }), { freq: 2 }),
          may_pass: fewRoles,
        }),
        { maxLength: 2 },
      ),
    },
  ),
  starter_roles: fewRoles,
});

const session: Arbitrary<SessionFacts> = fc.record({
  preset: fc.constantFrom(null, ...SESSION_PRESETS),
  level: fc.constantFrom(...SESSION_LEVELS),
  mode: fc.constantFrom(...SESSION_MODES),
  trusted: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});

const anyToolCall: Arbitrary<ToolCallInput> = fc
  .record({
    ...common,
    actor: caller,
    // Most tools need a plan, and say nothing about sessions.
    tool: fc
      .tuple(tool, fc.boolean())
      .map(([facts, callable]) =>
        callable ? { ...facts, requires_plan: false, simulation: 'not_applicable' as const } : facts,
      ),
    environment,
    session: fc.option(session),
    verdicts: fc.oneof(
      fc.option(callLine, { freq: 2 }).map((line) => ({ shell: line, paths: null })),
      paths.map((named) => ({ shell: null, paths: named })),
    ),
    halts,
  })
  .map(({ verdicts, ...input }) => ({ ...input, ...verdicts }));

/** Now and then a call outside sessions that its paths alone decide: too many other rules come before them. */
const toolCall: Arbitrary<ToolCallInput> = fc.oneof(
  { weight: 9, arbitrary: anyToolCall },
  {
    weight: 1,
    arbitrary: fc.tuple(anyToolCall, paths).map(([input, named]) => ({
      ...input,
      ...{ session: null, shell: null, paths: named, halts: [] },
      actor: { ...input.actor, scopes: ['read', 'run'] },
      tool: { ...input.tool, risk: 'read_only' as const, requires_plan: false, simulation: 'not_applicable' as const },
      environment: { ...input.environment, production: false },
    })),
  },
);

/** Inputs with the members of the record, and with a plan and its tools. */
const withPlan = <Input>(plans: Arbitrary<PlanAndTools>, rest: Arbitrary<Input>): Arbitrary<Input & PlanAndTools> =>
  fc.tuple(plans, rest).map(([facts, input]) => ({ ...input, ...facts }));

const anyPlan: Arbitrary<PlanInput> = withPlan(
  planAndTools,
  fc.record({
    ...common,
    stage: fc.constantFrom(...PLAN_STAGES),
    actor,
    task,
    environment,
    simulation: fc.option(
      fc.record({
        id: fc.constant('simulation-1'),
        digest_matches: fc.boolean(),
        state: fc.constantFrom('pending', 'running', 'succeeded', 'succeeded', 'failed', 'stale'),
        age_seconds: fc.constantFrom(0, 60, 61, 3_600, 86_399, 86_400),
      }),
    ),
    approval,
    approved: fc.option(approved),
    promotion: fc.boolean(),
    freeze,
    halts,
  }),
);

/** Now and then a request that the document alone decides. */
const plan: Arbitrary<PlanInput> = fc.oneof(
  { weight: 2, arbitrary: anyPlan },
  {
    weight: 1,
    arbitrary: fc.tuple(anyPlan, soundPlan).map(([input, sound]) => ({
      ...input,
      ...sound,
      stage: 'request' as const,
      simulation: { id: 'simulation-1', digest_matches: true, state: 'succeeded' as const, age_seconds: 0 },
      promotion: false,
      halts: [],
    })),
  },
);

const review: Arbitrary<ReviewInput> = fc.record({
  ...common,
  verdict: fc.constantFrom('approve', 'reject', 'request_changes'),
  request: fc.record({
    id: fc.constant('request-1'),
    subject: fc.constantFrom('plan', 'tool_call'),
    state: fc.oneof({ weight: 4, arbitrary: fc.constant('open' as const) }, { weight: 1, arbitrary: requestState }),
    opened_at: instant,
    expires_at: fc.integer({ min: NOW - 1, max: NOW + 20 }),
    requester: fc.record({ kind: fc.constantFrom('person', 'agent'), id: person }),
    excluded: fc.array(fc.record({ person_id: person, why: fc.constantFrom(...EXCLUSIONS) }), { maxLength: 2 }),
    obligations,
    effective,
    digests_match: fc.boolean(),
  }),
  reviewer: fc.record({
    kind: fc.constantFrom('person', 'person', 'person', 'agent', 'system'),
    id: person,
    scopes: fc.subarray(['read', 'review', 'admin']),
    via: fc.constantFrom('browser', 'slack', 'token'),
    roles: fc.array(fc.record({ role, assigned_at: instant }), { maxLength: 3 }),
    joined_at: fc.option(instant),
    delegation: fc.option(fc.record({ person_id: person, made_at: instant, from: instant, until: instant }), {
      freq: 2,
    }),
    mfa: fc.option(fc.record({ proved: fc.boolean() })),
  }),
});

const mostly = (arbitrary: Arbitrary<boolean>): Arbitrary<boolean> =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(true) }, { weight: 1, arbitrary });

const callsOf = ({ phases }: PlanFacts) =>
  phases.flatMap((phase) =>
    phase.batches.flatMap((batch) =>
      batch.calls.map((call) => ({ seq: call.seq, tool: call.tool, phase_index: phase.index })),
    ),
  );

/** Mostly the place of one of the plan's calls. */
const stepAt = fc.record({
  call: fc.oneof({ weight: 4, arbitrary: fc.nat({ max: 35 }) }, { weight: 1, arbitrary: fc.constant(null) }),
  elsewhere: fc.record({ seq: fc.nat({ max: 9 }), tool: smallIndex, phase_index: fc.nat({ max: 3 }) }),
});

const runStep: Arbitrary<RunStepInput> = withPlan(
  planAndTools,
  fc.record({
    ...common,
    actor,
    run: fc.record({
      id: fc.constant('run-1'),
      state: fc.constantFrom('executing', 'executing', 'executing', 'rolling_back', 'paused', 'queued'),
      scope: fc.constantFrom('all', 'canary'),
    }),
    step: fc.record({
      where: stepAt,
      kind: fc.constantFrom('call', 'call', 'health_check', 'compensation'),
      shell: plannedShell,
    }),
    task,
    environment,
    approved,
    approval,
    break_glass: fc.option(fc.record({ enabled: mostly(fc.boolean()), allowed_roles: roles, invoker_roles: roles }), {
      freq: 2,
    }),
    bindings: fc.record(
      Object.fromEntries(BINDINGS.map((binding) => [binding, mostly(fc.boolean())])) as Record<
        (typeof BINDINGS)[number],
        Arbitrary<boolean>
      >,
    ),
    freeze,
    halts,
  }),
).map(({ step: { where, ...step }, ...input }) => {
  const { call, elsewhere } = where;
  const planned = call === null ? undefined : at(callsOf(input.plan), call);
  const other = { ...elsewhere, tool: at(Object.keys(input.tools), elsewhere.tool) ?? 'nothing@1' };
  return { ...input, step: { ...(planned ?? other), ...step } };
});

const justification = fc.oneof(
  { weight: 6, arbitrary: fc.constant('The primary database is down and customers cannot pay') },
  {
    weight: 3,
    arbitrary: fc
      .array(
        fc.constantFrom('Ausfall', 'ausfall', 'ÄUSSERST', 'zu\u00a0viel', '停止', 'ไม่ทำงาน', 'ok', '--', '\u200b', 'İ'),
        {
          maxLength: 9,
        },
      )
      .map((words) => words.join(' ')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
);

const breakGlass: Arbitrary<BreakGlassInput> = withPlan(
  fc.oneof({ weight: 3, arbitrary: soundPlan }, { weight: 1, arbitrary: planAndTools }),
  fc.record({
    ...common,
    emergency_override: fc.option(
      fc.record({
        enabled: mostly(fc.boolean()),
        allowed_roles: fc.constantFrom(['SRELead', 'PlatformAdmin'], ['SRELead'], []),
      }),
      { freq: 12 },
    ),
    actor: fc.record({
      kind: fc.constantFrom('person', 'person', 'person', 'person', 'agent'),
      id: person,
      scopes: fc.constantFrom(['read', 'review'], ['review'], ['review', 'run'], ['read']),
      roles: fc.constantFrom(['SRELead'], ['PlatformAdmin', 'SRELead'], ['PlatformAdmin'], []),
      mfa: fc.option(fc.record({ proved: mostly(fc.boolean()) }), { freq: 8 }),
    }),
    justification,
    plan_status: fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom('validated' as const, 'simulated' as const, 'awaiting_approval' as const),
      },
      { weight: 1, arbitrary: fc.constantFrom(...PLAN_STATUSES) },
    ),
    task,
    environment,
    halts,
  }),
);

const cell: Arbitrary<AutonomyInput> = fc.record({ ...common, tool, environment });

const settings = fc.record({
  preset: fc.option(fc.constantFrom(...SESSION_PRESETS)),
  level: fc.constantFrom(...SESSION_LEVELS),
  mode: fc.constantFrom(...SESSION_MODES),
});

const sessionChange: Arbitrary<PolicyInput<'session_change'>> = fc.record({
  ...common,
  actor: fc.record({
    kind: fc.constantFrom('person', 'person', 'agent'),
    id: person,
    scopes: fc.constantFrom(['read', 'run'], ['run']),
    via,
  }),
  environment,
  before: settings,
  after: settings,
});

const DIGESTS = ['sha256:one', 'sha256:other'] as const;

/** Mostly a version that the list accepts: otherwise the tier alone decides. */
const automation: Arbitrary<AutomationInput> = fc
  .record({
    ...{ ...common, tool, environment, halts, freeze },
    accepted: fc.oneof(
      { weight: 5, arbitrary: fc.constant('this version' as const) },
      {
        weight: 1,
        arbitrary: fc.record({
          effect: fc.constantFrom('read', 'modify', 'destructive'),
          risk: fc.constantFrom('read_only', 'state_change_nonprod', 'state_change_prod'),
          digest: fc.constantFrom(...DIGESTS),
        }),
      },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    verdicts: fc.oneof(
      fc.option(callLine, { freq: 1 }).map((line) => ({ shell: line, paths: null })),
      paths.map((named) => ({ shell: null, paths: named })),
    ),
    mild: fc.boolean(),
  })
  .map(({ accepted, verdicts, mild, ...input }) => ({
    ...input,
    // Most tools change production or need a plan, and say nothing about the list.
    tool: mild ? { ...input.tool, requires_plan: false, simulation: 'not_applicable' as const } : input.tool,
    digest: DIGESTS[0],
    accepted:
      accepted === 'this version' ? { effect: input.tool.effect, risk: input.tool.risk, digest: DIGESTS[0] } : accepted,
    freeze: { ...input.freeze, starter_roles: [] },
    ...verdicts,
  }));

/** Inputs of every entrypoint that hit its rules often, all of them valid by their schemas. */
export const policyInputs: { readonly [E in Entrypoint]: Arbitrary<PolicyInput<E>> } = {
  tool_call: toolCall,
  plan,
  review,
  run_step: runStep,
  break_glass: breakGlass,
  autonomy: cell,
  session_change: sessionChange,
  automation,
};
