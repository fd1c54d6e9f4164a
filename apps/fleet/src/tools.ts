import { z } from 'zod';
import type { SimulationResult } from '#lib/formats';
import { wordsOfIssue } from '#lib/words';
import { GOLDEN_IMAGE, ruleText, type Asset, type FleetState } from './fleet-state.js';

/** The input of a tool: the fleet in its present state, and the environment that the grant names. */
export interface ToolContext {
  readonly state: FleetState;
  readonly environment: string;
}

/** A refusal before anything was changed. */
export class ToolRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ToolRefusal';
  }
}

/** A tool reads its arguments, and answers; `changes` says whether the call goes into the ledger. */
export interface Tool {
  readonly changes: boolean;
  /** @throws {ToolRefusal} | {z.ZodError} before anything is changed. */
  readonly answer: (given: unknown, context: ToolContext) => unknown;
}

/** Minutes that one batch of servers takes, and minutes a server adds. */
const BATCH_MINUTES = 2;
const MINUTES_A_SERVER = 0.5;

const names = z.array(z.string()).min(1);
const rolloutArguments = z.strictObject({ targets: names, image: z.string() });
const proposalArguments = rolloutArguments.extend({
  batch_percent: z.number().optional(),
  canary_count: z.number().int().min(1).optional(),
});
const failoverArguments = z.strictObject({ service: z.string(), to_region: z.string() });
const firewallArguments = z.strictObject({
  rule_set: z.string(),
  action: z.enum(['allow', 'deny', 'remove']),
  source: z.string(),
  port: z.number().int(),
});

function tool<Shape>(
  changes: boolean,
  shape: z.ZodType<Shape>,
  answer: (given: Shape, context: ToolContext) => unknown,
): Tool {
  return { changes, answer: (given, context) => answer(shape.parse(given, { error: wordsOfIssue }), context) };
}

function assetsOf(context: ToolContext, wanted?: readonly string[]): Asset[] {
  const all = [...context.state.assets.values()].filter((asset) => asset.environment === context.environment);
  if (wanted === undefined) return all;
  return wanted.map((name) => {
    const asset = all.find((candidate) => candidate.name === name);
    if (asset === undefined)
      throw new ToolRefusal('fleet.no_such_asset', `There is no ${name} in ${context.environment}.`);
    return asset;
  });
}

const hasDrifted = (asset: Asset): boolean => asset.image !== GOLDEN_IMAGE;

/** The metrics of a health check: shares and counts over the targets. */
function healthMetrics(assets: readonly Asset[]): Record<string, number> {
  const unhealthy = assets.filter((asset) => !asset.healthy).length;
  return {
    checked: assets.length,
    unhealthy,
    drifted: assets.filter(hasDrifted).length,
    error_rate: assets.length === 0 ? 0 : Number((unhealthy / assets.length).toFixed(4)),
  };
}

function rolloutRisk(share: number, production: boolean): SimulationResult['predicted_risk'] {
  if (!production) return 'low';
  if (share > 0.5) return 'high';
  return share > 0.2 ? 'medium' : 'low';
}

function simulateRollout(given: z.infer<typeof rolloutArguments>, context: ToolContext): SimulationResult {
  const assets = assetsOf(context, given.targets);
  const changing = assets.filter((asset) => asset.image !== given.image);
  const share = assets.length / assetsOf(context).length;
  return {
    affected_assets: changing.length,
    estimated_duration_minutes: BATCH_MINUTES + changing.length * MINUTES_A_SERVER,
    predicted_risk: rolloutRisk(share, context.environment === 'production'),
    health_check_points: ['error_rate below 5 percent', 'no unhealthy server'],
    details: {
      from: [...new Set(changing.map((asset) => asset.image))],
      to: given.image,
      unchanged: assets.length - changing.length,
    },
  };
}

function executeRollout(given: z.infer<typeof rolloutArguments>, context: ToolContext): unknown {
  return { rolled_out: assetsOf(context, given.targets).map((asset) => asset.name), image: given.image };
}

/** Tools of ADR-003 with the arguments that they take. Each is only written down: the fleet has servers, and no apps. */
const WRITTEN_DOWN = {
  start_container: ['container'],
  restart_container: ['container'],
  stop_container: ['container'],
  start_app: ['app'],
  restart_app: ['app'],
  stop_app: ['app'],
  install_app: ['app'],
  uninstall_app: ['app'],
  backup_app: ['app'],
  cleanup_hls_cache: ['app'],
  upgrade_app_image: ['app', 'image'],
  write_app_config_file: ['app', 'content'],
  set_app_env: ['app', 'variable', 'value'],
  set_setting: ['setting', 'value'],
  send_notification: ['message'],
  remember: ['note'],
  update_memory: ['id', 'note'],
  apply_change: ['change'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

function writtenDown(names: readonly string[]): Tool {
  const shape = z.strictObject(Object.fromEntries(names.map((name) => [name, z.string()])));
  return tool(true, shape, () => ({ written_down: true }));
}

/** The catalogs of ADR-009 and ADR-003, by name. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  query_assets: tool(
    false,
    z.strictObject({
      role: z.string().optional(),
      name_prefix: z.string().optional(),
      drifted: z.boolean().optional(),
      limit: z.number().int().optional(),
    }),
    (given, context) => ({
      assets: assetsOf(context)
        .filter((asset) => given.role === undefined || asset.family === given.role)
        .filter((asset) => asset.name.startsWith(given.name_prefix ?? ''))
        .filter((asset) => given.drifted === undefined || hasDrifted(asset) === given.drifted)
        .slice(0, given.limit),
    }),
  ),
  get_drift_status: tool(false, z.strictObject({ targets: names.optional() }), (given, context) => {
    const assets = assetsOf(context, given.targets);
    return {
      golden_image: GOLDEN_IMAGE,
      drifted: assets.filter(hasDrifted).map((asset) => ({ name: asset.name, image: asset.image })),
      metrics: healthMetrics(assets),
    };
  }),
  get_compliance_status: tool(
    false,
    z.strictObject({ targets: names.optional(), framework: z.string().optional() }),
    (given, context) => {
      const assets = assetsOf(context, given.targets);
      const compliant = assets.filter((asset) => !hasDrifted(asset)).length;
      return {
        compliant,
        total: assets.length,
        metrics: { compliance: assets.length === 0 ? 1 : compliant / assets.length },
      };
    },
  ),
  get_golden_image: tool(false, z.strictObject({ family: z.string() }), (given) => {
    if (given.family !== 'web')
      throw new ToolRefusal('fleet.no_such_family', `There is no image family ${given.family}.`);
    return { family: 'web', image: GOLDEN_IMAGE };
  }),
  query_alerts: tool(
    false,
    z.strictObject({ targets: names.optional(), severity: z.string().optional(), limit: z.number().int().optional() }),
    (given, context) => {
      const assets = assetsOf(context, given.targets);
      const silent = assets.find((asset) => !asset.answers);
      if (silent !== undefined)
        throw new ToolRefusal('fleet.no_answer', `${silent.name} does not answer its health check.`);
      const asked = new Set(assets.map((asset) => asset.name));
      const alerts = [...context.state.alerts.values()]
        .filter((alert) => asked.has(alert.asset))
        .filter((alert) => given.severity === undefined || alert.severity === given.severity)
        .slice(0, given.limit);
      const firing = alerts.filter((alert) => alert.state === 'firing').length;
      return { alerts, metrics: { firing, ...healthMetrics(assets) } };
    },
  ),
  get_dr_status: tool(false, z.strictObject({ service: z.string().optional() }), (_, { state }) => ({
    active_region: state.activeRegion,
    standby_region: state.activeRegion === 'eu-central-1' ? 'eu-west-1' : 'eu-central-1',
    replication_lag_seconds: 2,
    ready: true,
  })),
  compare_versions: tool(false, z.strictObject({ asset: z.string(), image: z.string() }), (given, context) => {
    const current = assetsOf(context, [given.asset])[0]?.image ?? '';
    return { asset: given.asset, current, target: given.image, differs: current !== given.image };
  }),
  generate_patch_plan: tool(false, proposalArguments.omit({ canary_count: true }), proposal),
  generate_rollout_plan: tool(false, proposalArguments, proposal),
  generate_dr_runbook: tool(
    false,
    failoverArguments.partial({ to_region: true }),
    ({ service, to_region: region }, { state }) => ({
      steps: [
        `stop writes to ${service} in ${state.activeRegion}`,
        'wait until replication lag is zero',
        `promote ${region ?? 'the standby region'}`,
        'move traffic',
      ],
    }),
  ),
  generate_compliance_evidence: tool(
    false,
    z.strictObject({ framework: z.string(), from: z.string(), to: z.string() }),
    (given, { state }) => ({
      ...given,
      servers: state.assets.size,
      compliant: [...state.assets.values()].filter((asset) => !hasDrifted(asset)).length,
    }),
  ),
  simulate_rollout: tool(false, rolloutArguments, simulateRollout),
  simulate_failover: tool(false, failoverArguments, (given, { state }): SimulationResult => {
    const moves = given.to_region !== state.activeRegion;
    return {
      affected_assets: moves ? state.assets.size : 0,
      estimated_duration_minutes: moves ? 12 : 0,
      predicted_risk: moves ? 'critical' : 'low',
      health_check_points: ['replication lag is zero', 'standby answers'],
      details: { from: state.activeRegion, to: given.to_region, recovery_time_minutes: moves ? 12 : 0 },
    };
  }),
  simulate_firewall_change: tool(false, firewallArguments, (given, { state }): SimulationResult => ({
    affected_assets: 1,
    estimated_duration_minutes: 1,
    predicted_risk: given.action === 'allow' && given.source.endsWith('/0') ? 'critical' : 'medium',
    health_check_points: ['health endpoint answers from outside'],
    details: { before: state.firewall.get(given.rule_set) ?? null, after: ruleText(given) },
  })),
  calculate_risk_score: tool(false, z.strictObject({ asset: z.string(), change: z.string() }), (given, context) => {
    const unhealthy = assetsOf(context, [given.asset]).some((asset) => !asset.healthy);
    const score = (context.environment === 'production' ? 40 : 10) + (unhealthy ? 40 : 0);
    return { asset: given.asset, score, level: score >= 80 ? 'high' : score >= 40 ? 'medium' : 'low' };
  }),
  execute_rollout_nonprod: tool(true, rolloutArguments, executeRollout),
  trigger_dr_drill_sandbox: tool(true, failoverArguments, (given) => ({
    drill: 'passed',
    service: given.service,
    region: given.to_region,
    recovery_time_minutes: 11,
  })),
  execute_rollout_prod: tool(true, rolloutArguments, executeRollout),
  acknowledge_alert: tool(true, z.strictObject({ alert_id: z.string(), note: z.string() }), (given, { state }) => {
    if (!state.alerts.has(given.alert_id))
      throw new ToolRefusal('fleet.no_such_alert', `There is no alert ${given.alert_id}.`);
    return { alert_id: given.alert_id, state: 'acknowledged' };
  }),
  trigger_dr_failover: tool(true, failoverArguments, (given) => ({
    service: given.service,
    active_region: given.to_region,
  })),
  modify_firewall: tool(true, firewallArguments, (given, { state }) => ({
    rule_set: given.rule_set,
    before: state.firewall.get(given.rule_set) ?? null,
    after: ruleText(given),
  })),
  restart_service_nonprod: tool(
    true,
    z.strictObject({ targets: names, reason: z.string().optional() }),
    (given, context) => ({ restarted: assetsOf(context, given.targets).map(({ name }) => name) }),
  ),
  ...Object.fromEntries(Object.entries(WRITTEN_DOWN).map(([name, taken]) => [name, writtenDown(taken)])),
};

/** A canary, by default a tenth, and two waves over the servers that are not at the image yet. */
function proposal(given: z.infer<typeof proposalArguments>, context: ToolContext): unknown {
  const behind = assetsOf(context, given.targets)
    .filter((asset) => asset.image !== given.image)
    .map((asset) => asset.name);
  const canary = given.canary_count ?? Math.ceil(behind.length / 10);
  const middle = canary + Math.ceil((behind.length - canary) * 0.36);
  return {
    image: given.image,
    batch_percent: given.batch_percent ?? 20,
    phases: [
      { name: 'canary', targets: behind.slice(0, canary) },
      { name: 'wave-1', targets: behind.slice(canary, middle) },
      { name: 'wave-2', targets: behind.slice(middle) },
    ].filter((phase) => phase.targets.length > 0),
  };
}
