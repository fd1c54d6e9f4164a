import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { stringify, parse } from 'yaml';
import { toolCatalogSchema, type AutonomyDocument } from '#lib/formats';
import { digestOf, newId, type TenantId, type Tx } from '#lib/kernel';
import { isLooser, loadPolicyEngine } from '#lib/policy';
import { completeDefinition, type ToolVersion } from '#lib/tool';
import { compareCells } from '../domain/compare-cells.js';
import { readDocument } from '../domain/read-document.js';
import { Matrix } from './matrix.js';
import { timesInputs } from '../../../../../test/arbitraries/times-inputs.js';

const engine = loadPolicyEngine();
const matrix = new Matrix({
  evaluate: (entrypoint, input) => engine.evaluate(entrypoint, input).decision,
  bundleRevision: engine.bundle.revision,
});
const tx: Tx = { tenantId: newId<TenantId>(), now: () => Promise.resolve(0) };
const environments = ['development', 'production', 'staging'].map((name) => ({
  id: newId<never>(),
  name,
  production: name === 'production',
  version: 1,
}));
const tools: ToolVersion[] = Object.entries(
  toolCatalogSchema.parse(parse(readFileSync('catalog/adr-009.yaml', 'utf8'))).tools,
).map(([name, document]) => {
  const completed = completeDefinition(name, document, '');
  if (!completed.ok) throw new Error(JSON.stringify(completed.error));
  return { id: newId<never>(), name, version: 1, digest: digestOf('tool', name), definition: completed.value };
});

const role = fc.constantFrom('PlatformAdmin', 'SRELead', 'DevOpsEngineer', 'SecurityReviewer', 'any');
const mode = fc.constantFrom('plan_only', 'canary_only', 'full_auto');
const optional = { requiredKeys: [] };
const rules = {
  mode,
  allowed_approvers: fc.uniqueArray(role, { minLength: 1, maxLength: 4 }),
  require_two_approvers: fc.boolean(),
  require_mfa: fc.boolean(),
  require_approval: fc.boolean(),
  max_batch_percent: fc.integer({ min: 1, max: 100 }),
  quorum: fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 3 }), roles: fc.uniqueArray(role, { minLength: 1, maxLength: 3 }) }),
    { minLength: 1, maxLength: 3 },
  ),
};
const lifetimes = {
  simulation_valid_minutes: fc.integer({ min: 1, max: 10_080 }),
  approval_valid_minutes: fc.integer({ min: 1, max: 10_080 }),
};
const documents = fc.record({
  autonomy: fc
    .tuple(
      fc.record({ ...rules, ...lifetimes }, { requiredKeys: ['mode'] }),
      fc.dictionary(
        fc.constantFrom('development', 'production', 'staging'),
        fc.record({ ...rules, ...lifetimes }, optional),
        { maxKeys: 3 },
      ),
      fc.dictionary(fc.constantFrom(...tools.map(({ name }) => name)), fc.record(rules, optional), { maxKeys: 4 }),
    )
    .map(([block, named, overrides]) => ({ ...block, environments: named, tool_overrides: overrides })),
});

async function cellsOf(document: AutonomyDocument | null) {
  return matrix.cells(tx, 0, document, tools, environments);
}

describe('the matrix', () => {
  it('of no accepted document ever lets a production change through without a person', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (written) => {
        const read = readDocument(stringify(written));
        if (!read.ok) throw new Error(JSON.stringify(read.error));
        for (const { tool, decision } of await cellsOf(read.value.document)) {
          if (tool.definition.risk !== 'state_change_prod') continue;
          expect(decision.outcome).not.toBe('allow');
          const people = decision.obligations.approvals.reduce((sum, { count }) => sum + count, 0);
          if (decision.outcome === 'require_approval') expect(people).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: timesInputs(15) },
    );
  });

  it('is the same with the whole document and with the part that the cell depends on', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (written) => {
        const document = written as AutonomyDocument;
        for (const cell of await cellsOf(document)) {
          const input = { now: 0, tenant_id: tx.tenantId, autonomy: document, environment: cell.environment };
          const {
            name,
            risk,
            idempotent,
            scope,
            effect,
            surface,
            requires_plan,
            requires_hitl,
            simulated_by,
            simulation,
            canary,
          } = cell.tool.definition;
          const tool = {
            name,
            version: 1,
            risk,
            idempotent,
            scope,
            effect,
            surface,
            requires_plan,
            requires_hitl,
            simulated_by,
            simulation,
            canary,
          };
          expect(cell.decision).toEqual(engine.evaluate('autonomy', { ...input, tool }).decision);
        }
      }),
      { numRuns: 10 },
    );
  });

  it("is ADR-009's, mode by mode", async () => {
    const outcomes = async (of: string) => {
      const block = { mode: of, allowed_approvers: ['any'] };
      const cells = await cellsOf({
        autonomy: { mode: 'plan_only', environments: { production: block } },
      } as AutonomyDocument);
      const at = (tool: string) =>
        cells.find((cell) => cell.tool.name === tool && cell.environment.name === 'production')?.decision;
      return ['query_assets', 'simulate_rollout', 'execute_rollout_prod'].map(
        (tool) => `${String(at(tool)?.outcome)} ${String(at(tool)?.obligations.phases)}`,
      );
    };
    expect(await outcomes('plan_only')).toMatchObject(['allow all', 'allow all', expect.stringContaining('deny')]);
    expect(await outcomes('canary_only')).toEqual(['allow all', 'allow all', 'require_approval canary']);
    expect(await outcomes('full_auto')).toEqual(['allow all', 'allow all', 'require_approval all']);
  });

  it('a cell that changes is called looser or tighter, never both ways round the same', async () => {
    await fc.assert(
      fc.asyncProperty(documents, documents, async (a, b) => {
        const [before, after] = [await cellsOf(a), await cellsOf(b)];
        before.forEach((cell, index) => {
          const other = after[index]?.decision ?? cell.decision;
          const there = compareCells(cell.decision, other, isLooser)?.change;
          const back = compareCells(other, cell.decision, isLooser)?.change;
          const opposite = { loosens: 'tightens', tightens: 'loosens', mixed: 'mixed' } as const;
          expect(back).toBe(there === undefined ? undefined : opposite[there]);
        });
      }),
      { numRuns: timesInputs(5) },
    );
  });
});
