import {
  planDocumentSchema,
  taskSpecSchema,
  type ExpandedInvocation,
  type ExpandedPlan,
  type PlanDocument,
  type TaskSpec,
  type ToolDocument,
} from '#lib/formats';
import { digestOf, type EnvironmentId, type FieldError, type TaskId, type ToolVersionId } from '#lib/kernel';
import { completeDefinition, type ExecutorRecord, type ToolVersion, type ExecutorId } from '#lib/tool';
import type { SecretBinding } from '#lib/tenancy';
import { expandPlan, type ExpansionContext } from './expand-plan.js';

const tool = (name: string, document: Partial<ToolDocument>): ToolVersion => {
  const completed = completeDefinition(
    name,
    { description: name, risk: 'read_only', idempotent: true, scope: 'environment', executor: 'fleet', ...document },
    '',
  );
  if (!completed.ok) throw new Error(JSON.stringify(completed.error));
  const definition = completed.value;
  return {
    id: `${name}-id` as ToolVersionId,
    name,
    version: 1,
    digest: digestOf('tool', definition as never),
    definition,
  };
};
const strings = { type: 'array', items: { type: 'string' } };
/** The tools of every context. */
export const TOOLS = [
  tool('rollout', {
    risk: 'state_change_prod',
    idempotent: false,
    effect: 'modify',
    canary: true,
    simulated_by: 'look',
    identity_fields: ['/targets'],
    parameters: {
      type: 'object',
      required: ['targets'],
      additionalProperties: false,
      properties: { targets: strings, image: { type: 'string' } },
    },
  }),
  tool('restart', {
    risk: 'state_change_prod',
    effect: 'modify',
    canary: true,
    simulated_by: 'look',
    identity_fields: ['/host/name'],
    parameters: {
      type: 'object',
      required: ['host'],
      additionalProperties: false,
      properties: {
        host: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: { name: { type: 'string' } },
        },
        token: { type: 'string', writeOnly: true },
      },
    },
  }),
  tool('shell', {
    risk: 'state_change_nonprod',
    effect: 'modify',
    idempotent: false,
    surface: 'terminal',
    simulation: 'not_applicable',
    shell: { argument: '/line', shell: 'bash' },
    parameters: { type: 'object', properties: { line: { type: 'string' } }, additionalProperties: false },
  }),
  ...(['read-file', 'write-file'] as const).map((name) => {
    const writes = name === 'write-file';
    return tool(name, {
      scope: 'asset',
      ...(writes
        ? { risk: 'state_change_nonprod' as const, effect: 'modify' as const, surface: 'workspace' as const }
        : {}),
      ...(writes ? { identity_fields: ['/path'], simulation: 'not_applicable' as const } : {}),
      path_arguments: writes ? { writes: ['/path'] } : { reads: ['/path'] },
      parameters: { type: 'object', properties: { path: { type: 'string' } }, additionalProperties: false },
    });
  }),
  tool('failover', {
    risk: 'state_change_prod',
    idempotent: false,
    effect: 'destructive',
    simulated_by: 'look',
    parameters: { type: 'object', additionalProperties: false, properties: {} },
  }),
  tool('look', { parameters: { type: 'object', properties: { targets: strings } } }),
];
/** The executor of all tools. */
export const executor: ExecutorRecord = {
  id: 'x' as ExecutorId,
  name: 'fleet',
  kind: 'http',
  url: 'http://fleet',
  audience: 'fleet',
  sharedAudience: false,
  secret: null,
  settings: {},
  version: 1,
  digest: digestOf('executor', 'fleet'),
};
/** A task in production with the tools, the executor and the secrets that plans here name. */
export const context = (spec: Partial<TaskSpec> = {}): ExpansionContext => ({
  task: {
    id: 'task' as TaskId,
    spec: taskSpecSchema.parse({ goal: 'g', task_type: 't', environment: 'production', ...spec }),
  },
  revision: 1,
  environment: { id: 'e' as EnvironmentId, name: 'production', production: true, version: 1 },
  tools: new Map(TOOLS.map((version) => [version.name, version])),
  executors: new Map([['fleet', executor]]),
  toolNames: ['rollout', 'restart', 'look'],
  secrets: new Map<string, SecretBinding | null>([
    ['kept@1', bound()],
    ['unbound@1', null],
    ['elsewhere@1', bound({ executors: ['staging/fleet', 'production/other'], environments: ['staging'] })],
    ['other-tool@1', bound({ tools: ['rollout'] })],
    ['token@1', bound({ purpose: 'executor_token', tools: [] })],
    ['issuer@1', bound({ purpose: 'sign_in', executors: [], tools: [] })],
  ]),
});

const bound = (changes: Partial<SecretBinding> = {}): SecretBinding => ({
  purpose: 'tool_arguments',
  executors: ['production/fleet'],
  environments: [],
  tools: ['restart'],
  ...changes,
});

/** The members of a phase as a test gives them. */
type Draft = { [Key in keyof PlanDocument['phases'][number]]?: unknown };
export const hosts = (count: number): string[] => Array.from({ length: count }, (_, index) => `h${String(index)}`);
/** One call for all targets of a batch. */
export const rolloutStep = { id: 'roll', tool: 'rollout', arguments: { targets: { $batch: 'targets' } } };
/** A call for each target of a batch. */
export const restartStep = { id: 'restart', tool: 'restart', arguments: { host: { name: { $batch: 'target' } } } };
/** A plan whose phases have four targets and a rollout, unless a draft says otherwise. */
export const plan = (...phases: Draft[]): PlanDocument =>
  planDocumentSchema.parse({
    phases: phases.map((phase, index) => ({
      name: `p${String(index)}`,
      targets: hosts(4),
      steps: [{ ...rolloutStep, id: `s${String(index)}` }],
      ...phase,
    })),
  });
/** The expansion of a plan that has no mistake. */
export const expanded = (document: PlanDocument, spec: Partial<TaskSpec> = {}): ExpandedPlan => {
  const result = expandPlan(document, context(spec));
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};
/** The only call of a plan, in production or elsewhere. */
export const onlyCall = (document: PlanDocument, production = true): ExpandedInvocation | undefined => {
  const own = context();
  const result = expandPlan(document, { ...own, environment: { ...own.environment, production } });
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value.phases[0]?.batches[0]?.calls[0]?.invocation;
};
/** The mistakes of a plan. */
export const refused = (document: PlanDocument, spec: Partial<TaskSpec> = {}): readonly FieldError[] => {
  const result = expandPlan(document, context(spec));
  if (result.ok) throw new Error('was expanded');
  return result.error;
};

/** A health check that reads. */
export const check = { name: 'web', tool: 'look', arguments: {} };
