import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { MAX_TOOLS, toolCatalogSchema, type ToolDocument } from '#lib/formats';
import { digestOf, newId, type PlanId } from '#lib/kernel';
import type { Json } from '#lib/canonical';
import { planCatalogChange, refusedWhileInUse } from './plan-catalog-change.js';
import { level } from './level.js';
import type { ToolHead } from './tool-version.js';

const { tools: listed } = toolCatalogSchema.parse(parse(readFileSync('catalog/adr-009.yaml', 'utf8')));
const catalog = () => structuredClone(listed);

function documentOf(name: string): ToolDocument {
  const document = catalog()[name];
  if (document === undefined) throw new Error(`the catalog has no ${name}`);
  return document;
}

function headsOf(tools: Record<string, ToolDocument>): Map<string, ToolHead> {
  const planned = planCatalogChange(new Map(), new Map(Object.entries(tools)), 'others_go');
  if (!planned.ok) throw new Error(JSON.stringify(planned.error));
  return new Map(
    planned.value.changes.map(({ name, definition }) => {
      if (definition === null) throw new Error(`${name} was not created`);
      const created = definition;
      const current = {
        id: newId<never>(),
        name,
        version: 1,
        digest: digestOf('tool', created as Json),
        definition: created,
      };
      return [name, { name, removed: false, current }];
    }),
  );
}

const put = (heads: Map<string, ToolHead>, name: string, document: ToolDocument) =>
  planCatalogChange(heads, new Map([[name, document]]), 'others_stay');

describe("ADR-009's catalog", () => {
  it('is accepted without a warning, and every tool has its expected level', () => {
    const planned = planCatalogChange(new Map(), new Map(Object.entries(catalog())), 'others_go');
    expect(planned).toMatchObject({ ok: true, value: { warnings: [] } });
    const levels = planned.ok
      ? planned.value.changes.map(({ name, definition }) => [name, definition && level(definition)])
      : [];
    expect(levels).toHaveLength(21);
    expect(Object.fromEntries(levels)).toMatchObject({
      query_assets: 'low',
      simulate_rollout: 'low',
      execute_rollout_nonprod: 'medium',
      acknowledge_alert: 'high',
      execute_rollout_prod: 'critical',
      trigger_dr_failover: 'critical',
      modify_firewall: 'critical',
    });
  });

  it('agrees with the ADR, key for key', () => {
    const tools = catalog();
    expect(tools.execute_rollout_prod).toMatchObject({
      risk: 'state_change_prod',
      idempotent: false,
      scope: 'environment',
      requires_plan: true,
      requires_hitl: 'always',
      description: 'Execute rollout in production',
    });
    expect(tools.acknowledge_alert).toMatchObject({
      risk: 'state_change_prod',
      idempotent: true,
      scope: 'asset',
      requires_hitl: 'always',
    });
  });

  it('is taken as the ADR writes it, with nothing but risk, idempotent, scope and description, at its strictest', () => {
    const bare: Record<string, ToolDocument> = Object.fromEntries(
      Object.entries(catalog()).map(([name, { risk, idempotent, scope, description }]) => [
        name,
        { risk, idempotent, scope, description },
      ]),
    );
    const planned = planCatalogChange(new Map(), new Map(Object.entries(bare)), 'others_go');
    expect(planned.ok).toBe(true);
    if (!planned.ok) return;
    const rollout = planned.value.changes.find(({ name }) => name === 'execute_rollout_prod')?.definition;
    expect(rollout).toMatchObject({
      effect: 'destructive',
      requires_plan: true,
      requires_hitl: 'always',
      canary: false,
      simulation: 'required',
      executor: 'default',
    });
    expect(planned.value.warnings.map(({ code, pointer }) => [code, pointer])).toContainEqual([
      'tool.never_simulated',
      '/tools/execute_rollout_prod',
    ]);
  });
});

describe('a refused definition', () => {
  const prod: ToolDocument = {
    description: 'x',
    risk: 'state_change_prod',
    idempotent: false,
    scope: 'environment',
    effect: 'modify',
  };
  const read: ToolDocument = { description: 'x', risk: 'read_only', idempotent: true, scope: 'asset' };
  it.each<[string, ToolDocument, string, string]>([
    ['a reader that modifies', { ...read, effect: 'modify' }, 'tool.effect_contradicts_risk', '/tools/t/effect'],
    ['a change that only reads', { ...prod, effect: 'read' }, 'tool.effect_contradicts_risk', '/tools/t/effect'],
    [
      'production without a person',
      { ...prod, requires_hitl: 'configurable' },
      'tool.hitl_contradicts_risk',
      '/tools/t/requires_hitl',
    ],
    [
      'production without a plan',
      { ...prod, requires_plan: false },
      'tool.plan_contradicts_risk',
      '/tools/t/requires_plan',
    ],
    [
      'no simulation of what destroys',
      { ...prod, simulation: 'not_applicable' },
      'tool.simulation_needed',
      '/tools/t/simulation',
    ],
    [
      'a simulation of what only reads',
      { ...read, simulation: 'required' },
      'tool.nothing_to_simulate',
      '/tools/t/simulation',
    ],
    [
      'secrets for a simulation that there is not',
      { ...prod, simulation_secrets: true },
      'tool.nothing_to_simulate',
      '/tools/t/simulation_secrets',
    ],
    [
      'a simulation of nothing',
      { ...read, simulated_by: 'other' },
      'tool.nothing_to_simulate',
      '/tools/t/simulated_by',
    ],
    [
      'a predictor that is not there',
      { ...prod, simulated_by: 'simulate' },
      'tool.unknown_predictor',
      '/tools/t/simulated_by',
    ],
    ['itself as its predictor', { ...prod, simulated_by: 't' }, 'tool.simulates_itself', '/tools/t/simulated_by'],
    ['a canary of nothing', { ...prod, canary: true }, 'tool.canary_without_targets', '/tools/t/canary'],
    [
      'an identity that is no parameter',
      { ...prod, identity_fields: ['/targets'] },
      'tool.identity_field_not_a_name',
      '/tools/t/identity_fields/0',
    ],
    [
      'a schema that is none',
      { ...prod, parameters: { type: 'object', properties: { a: { type: 'strin' } } } },
      'tool.invalid_schema',
      '/tools/t/parameters',
    ],
  ])('%s', (_, document, code, pointer) => {
    const planned = put(new Map(), 't', document);
    expect(planned.ok).toBe(false);
    if (!planned.ok) expect(planned.error).toContainEqual(expect.objectContaining({ code, pointer }));
  });

  describe('a tool that needs no simulation', () => {
    const closing = documentOf('acknowledge_alert');

    it('says so itself, under any name, and that loosens', () => {
      const exempt = put(new Map(), 'close_ticket', closing);
      expect(exempt).toMatchObject({
        ok: true,
        value: {
          changes: [
            {
              definition: { simulation: 'not_applicable' },
              loosens: ['agents can call it', 'it is approved and executed without a simulation'],
            },
          ],
        },
      });
      const { simulation: _, ...silent } = closing;
      const named = put(new Map(), 'acknowledge_alert', silent);
      expect(named).toMatchObject({ ok: true, value: { changes: [{ definition: { simulation: 'required' } }] } });
    });

    it.each<[string, Partial<ToolDocument>]>([
      ['its effect is destructive', { effect: 'destructive' }],
      ['its scope is environment', { scope: 'environment' }],
      ['it is not idempotent', { idempotent: false }],
      ['identity_fields name nothing', { identity_fields: [] }],
    ])('is refused if %s', (why, change) => {
      const refused = put(new Map(), 'acknowledge_alert', { ...closing, ...change });
      expect(refused).toMatchObject({ ok: false, error: [{ code: 'tool.simulation_needed' }] });
      expect(refused.ok ? '' : refused.error[0]?.message).toContain(why);
    });

    /** A workspace has a snapshot before each change. */
    const script: ToolDocument = {
      description: 'Runs a script of the workspace',
      risk: 'state_change_nonprod',
      effect: 'destructive',
      idempotent: false,
      scope: 'asset',
      surface: 'terminal',
      requires_plan: false,
      simulation: 'not_applicable',
      identity_fields: ['/script'],
      parameters: {
        type: 'object',
        additionalProperties: false,
        required: ['script'],
        properties: { script: { type: 'string' } },
      },
    };

    it.each(['workspace', 'git', 'terminal'] as const)(
      'may destroy, and not be repeatable, on the surface %s outside production',
      (surface) => {
        expect(put(new Map(), 'script', { ...script, surface })).toMatchObject({ ok: true });
      },
    );

    it.each<[string, Partial<ToolDocument>]>([
      ['its effect is destructive, it is not idempotent', { surface: 'asset' }],
      ['its effect is destructive, it is not idempotent', { risk: 'state_change_prod', requires_plan: true }],
      ['its scope is environment', { scope: 'environment' }],
      ['identity_fields name nothing', { identity_fields: [] }],
    ])('is refused there, too, if %s: %j', (why, change) => {
      const refused = put(new Map(), 'script', { ...script, ...change });
      expect(refused).toMatchObject({ ok: false, error: [{ code: 'tool.simulation_needed' }] });
      expect(refused.ok ? '' : refused.error[0]?.message).toContain(why);
    });
  });
});

it('a tool that accepts any argument is taken with a warning', () => {
  const { query_assets: closed } = catalog();
  if (closed === undefined) throw new Error('the catalog has no query_assets');
  const open = put(new Map(), 't', { ...closed, parameters: { type: 'object', properties: {} } });
  const warnings = [{ pointer: '/tools/t/parameters', code: 'tool.open_parameters' }];
  expect(open).toMatchObject({ ok: true, value: { warnings } });
});

it.each([
  [MAX_TOOLS, true],
  [MAX_TOOLS + 1, false],
])('a catalog of %i tools is taken: %s', (count, taken) => {
  const tools = new Map(Array.from({ length: count }, (_, index) => [`t${String(index)}`, documentOf('query_assets')]));
  const planned = planCatalogChange(new Map(), tools, 'others_go');
  if (taken) expect(planned).toMatchObject({ ok: true });
  else expect(planned).toMatchObject({ ok: false, error: [{ pointer: '', code: 'tool.too_many' }] });
});

describe('changing a tool', () => {
  const change = (edit: (tool: ToolDocument) => ToolDocument) => {
    const tools = catalog();
    const planned = put(headsOf(tools), 'execute_rollout_prod', edit(documentOf('execute_rollout_prod')));
    if (!planned.ok) throw new Error(JSON.stringify(planned.error));
    const [only] = planned.value.changes;
    if (only === undefined) throw new Error('no change');
    return only;
  };
  const live = [newId<PlanId>()];

  it('that says the same again is no change', () => {
    expect(change((tool) => tool)).toMatchObject({ change: 'unchanged', fromVersion: 1, toVersion: 1 });
  });

  it('that describes it better is a new version, and no loosening', () => {
    const described = change((tool) => ({ ...tool, description: 'Bring servers to an image' }));
    expect(described).toMatchObject({ change: 'update', toVersion: 2, fields: ['description'], loosens: [] });
    expect(refusedWhileInUse(described, live)).toBe(false);
  });

  it.each<[string, (tool: ToolDocument) => ToolDocument, string]>([
    [
      'a lower risk',
      (tool) => ({ ...tool, risk: 'state_change_nonprod', requires_hitl: 'configurable' }),
      'risk goes down',
    ],
    ['a narrower scope', (tool) => ({ ...tool, scope: 'asset' }), 'scope goes down'],
    ['a retry', (tool) => ({ ...tool, idempotent: true }), 'it may be retried'],
    ['no predictor', (tool) => ({ ...tool, simulated_by: null }), 'another tool predicts'],
    ['other targets', (tool) => ({ ...tool, identity_fields: ['/image'] }), 'read from other fields'],
    [
      'other arguments',
      (tool) => ({ ...tool, parameters: { ...tool.parameters, required: ['targets'] } }),
      'other arguments',
    ],
  ])('to %s loosens it, and is refused while a live plan holds it', (_, edit, said) => {
    const loosened = change(edit);
    expect(loosened.loosens.join('; ')).toContain(said);
    expect(refusedWhileInUse(loosened, live)).toBe(true);
    expect(refusedWhileInUse(loosened, [])).toBe(false);
  });

  it('annotations of parameters are not arguments, but a parameter called description is', () => {
    const annotated = change((tool) => ({
      ...tool,
      parameters: { ...tool.parameters, description: 'What to roll out' },
    }));
    expect(annotated).toMatchObject({ fields: ['parameters'], loosens: [] });
    const properties = {
      ...(documentOf('execute_rollout_prod').parameters?.properties as object),
      description: { type: 'string' },
    };
    expect(change((tool) => ({ ...tool, parameters: { ...tool.parameters, properties } })).loosens).toEqual([
      'other arguments are accepted',
    ]);
  });

  it('a tool that simulates others stays a simulation', () => {
    const tools = catalog();
    const planned = put(headsOf(tools), 'simulate_rollout', {
      ...documentOf('simulate_rollout'),
      risk: 'state_change_nonprod',
      effect: 'modify',
    });
    expect(planned.ok).toBe(false);
    if (!planned.ok)
      expect(planned.error).toContainEqual(
        expect.objectContaining({ code: 'tool.predictor_changes_state', pointer: '/tools/simulate_rollout/risk' }),
      );
  });

  it('a whole catalog removes each tool that it leaves out', () => {
    const tools = catalog();
    const heads = headsOf(tools);
    const { query_alerts: gone, ...rest } = tools;
    expect(gone?.risk).toBe('read_only');
    const planned = planCatalogChange(heads, new Map(Object.entries(rest)), 'others_go');
    expect(planned.ok && planned.value.changes.filter(({ change: kind }) => kind !== 'unchanged')).toMatchObject([
      { name: 'query_alerts', change: 'remove' },
    ]);
  });
});
