import { z } from 'zod';
import { boolean, bytes, double, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import { autonomyDocumentSchema } from '#lib/formats';
import type { ChangeRequestId, ImpactReportId, PersonId } from '#lib/kernel';
import { toolFactsSchema } from '#lib/policy-inputs';
import type { ImpactFailure, ImpactPhase, Progress } from '../domain/impact-report.js';
import type { LatticeCell } from '../domain/lattice.js';
import { NOT_PUT } from '../domain/put-decision.js';
import type { WorldChange } from '../domain/world.js';
import { storedCell, storedExample, storedExamples, storedKind } from './stored-findings.js';

const moved = <T>(one: z.ZodType<T>) => z.object({ before: one.nullable(), after: one.nullable() });
const byName = <T>(one: z.ZodType<T>) => z.record(z.string(), moved(one));

const worldChange: z.ZodType<WorldChange> = z.object({
  autonomy: moved(autonomyDocumentSchema).exactOptional(),
  tools: byName(z.object({ facts: toolFactsSchema, digest: z.string(), reading: z.string() })),
  environments: byName(z.boolean()),
  safeTools: byName(
    z.object({ effect: toolFactsSchema.shape.effect, risk: toolFactsSchema.shape.risk, digest: z.string() }),
  ),
});

const results = z.object({
  untouched: z.number(),
  same: z.number(),
  changed: z.number(),
  looser: z.number(),
  otherwiseToday: z.number(),
});
const notPut = z.object({
  why: z.enum(NOT_PUT),
  count: z.number(),
  estimate: z.number(),
  examples: z.array(storedExample),
});
const stratum = z.object({ entrypoint: z.string(), outcome: z.string(), total: z.number(), part: z.number() });

const progress: z.ZodType<Progress> = z.object({
  strata: z.array(stratum).nullable(),
  away: z.array(z.string()),
  latticeAfter: z.object({ tool: z.string(), environment: z.string() }).nullable(),
  latticeDone: z.boolean(),
  cells: z.object({ found: z.number(), looser: z.number() }),
  after: z.string().nullable(),
  tally: results.extend({ looked: z.number(), estimates: results, notPut: z.array(notPut) }),
});

export const impactReportEntity = entity(
  'impact_report',
  { id: uuid<ImpactReportId>() },
  {
    changeId: nullable(uuid<ChangeRequestId>()),
    askedBy: uuid<PersonId>(),
    phase: text<ImpactPhase>(),
    since: moment(),
    until: moment(),
    change: nullable(json(worldChange)),
    bundleRevision: nullable(text()),
    stamp: nullable(text()),
    renewals: integer(),
    attempts: integer(),
    followed: boolean(),
    failure: nullable(text<ImpactFailure>()),
    progress: json(progress),
    nextAt: nullable(moment()),
    lease: nullable(uuid()),
    createdAt: moment(),
    finishedAt: nullable(moment()),
  },
);

export const impactCellEntity = entity(
  'impact_cell',
  {
    reportId: uuid<ImpactReportId>(),
    supposed: boolean(),
    tool: text(),
    environment: text(),
    mode: text<LatticeCell['mode']>(),
  },
  { cell: json(storedCell) },
);

export const impactGroupEntity = entity(
  'impact_group',
  { reportId: uuid<ImpactReportId>(), kindDigest: bytes() },
  { kind: json(storedKind), count: integer(), estimate: double(), examples: json(storedExamples) },
);
