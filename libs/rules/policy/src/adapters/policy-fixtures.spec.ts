import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { approvalSlotSchema, AUTONOMY_MODES, outcomeSchema } from '#lib/formats';
import { type Entrypoint, POLICY_INPUTS } from '#lib/policy-inputs';
import { packageRoot } from '#lib/database';
import { loadPolicyEngine } from './load-policy-engine.js';

const fixtureSchema = z.strictObject({
  name: z.string(),
  entrypoint: z.enum(Object.keys(POLICY_INPUTS) as [Entrypoint, ...Entrypoint[]]),
  /** The cell of a preset, and the sentences that say its answer; test/policy/session-presets.spec.ts reads them. */
  cell: z.unknown().optional(),
  says: z.unknown().optional(),
  input: z.record(z.string(), z.unknown()),
  expect: z.strictObject({
    outcome: outcomeSchema,
    codes: z.array(z.string()).optional(),
    messages: z.array(z.string()).optional(),
    approvals: z.array(approvalSlotSchema).optional(),
    mfa: z.boolean().optional(),
    phases: z.enum(['all', 'canary']).optional(),
    audit_level: z.string().optional(),
    valid_minutes: z.int().optional(),
    confirm_word: z.string().optional(),
    mode: z.enum(AUTONOMY_MODES).optional(),
    source: z.string().optional(),
  }),
});
const fileSchema = z.record(z.string(), z.array(fixtureSchema).min(1));

const policies = join(packageRoot(), 'policies');
const engine = loadPolicyEngine();
const areas = readdirSync(join(policies, 'fixtures')).flatMap((file) =>
  Object.entries(fileSchema.parse(JSON.parse(readFileSync(join(policies, 'fixtures', file), 'utf8')))),
);

describe.each(areas)('the fixtures of %s through Wasm', (_area, fixtures) => {
  it.each(fixtures.map((fixture) => [fixture.name, fixture] as const))(
    '%s',
    (_name, { entrypoint, input, expect: wanted }) => {
      const { decision } = engine.evaluate(entrypoint, POLICY_INPUTS[entrypoint].parse(input));
      const { outcome, reasons, obligations, effective } = decision;
      const found = {
        outcome,
        codes: [...new Set(reasons.map(({ code }) => code))].sort(),
        messages: reasons.map(({ message }) => message).sort(),
        ...obligations,
        ...effective,
      };
      expect(found).toMatchObject(wanted);
    },
  );
});
