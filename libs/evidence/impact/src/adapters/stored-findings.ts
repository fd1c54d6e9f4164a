import { z } from 'zod';
import { obligationsSchema, outcomeSchema } from '#lib/formats';
import { type Entrypoint, POLICY_INPUTS } from '#lib/policy-inputs';
import type { GroupKind, ImpactGroup } from '../domain/groups.js';
import { CELL_GAINS, type LatticeCell } from '../domain/lattice.js';
import type { Example } from '../domain/located-decision.js';

const thing = z.object({ type: z.string(), id: z.string() });

export const storedExample: z.ZodType<Example> = z.object({
  decision: z.string(),
  at: z.number(),
  subject: thing,
  within: z.array(thing),
});

export const storedCell: z.ZodType<Pick<LatticeCell, 'from' | 'to' | 'gains' | 'what'>> = z.object({
  from: outcomeSchema,
  to: outcomeSchema,
  gains: z.array(z.enum(CELL_GAINS)),
  what: z.array(z.string()),
});

// The keys of this constant are the entrypoints.
const ENTRYPOINTS = Object.keys(POLICY_INPUTS) as Entrypoint[];
const OBLIGATIONS = obligationsSchema.keyof();
const speaking = z.object({ rule: z.string(), code: z.string() });

export const storedKind: z.ZodType<GroupKind> = z.object({
  entrypoint: z.enum(ENTRYPOINTS),
  stage: z.string().nullable(),
  environment: z.string().nullable(),
  tools: z.array(z.string()),
  agent: z.string().nullable(),
  from: outcomeSchema,
  to: outcomeSchema,
  change: z.enum(['loosens', 'tightens', 'mixed']),
  what: z.array(z.string()),
  rules: z.object({
    come: z.array(speaking),
    go: z.array(speaking),
    otherwise: z.array(z.object({ rule: z.string(), asks: OBLIGATIONS })),
  }),
});

export const storedExamples: z.ZodType<ImpactGroup['examples']> = z.array(storedExample);
