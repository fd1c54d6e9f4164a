import { z } from 'zod';
import { anyJson, boolean, bytes, entity, globalEntity, json, moment, text, uuid } from '#lib/database';
import { decisionSchema, type Outcome } from '#lib/formats';
import type { DecisionId, Digest, SubjectRef } from '#lib/kernel';
import type { LoggedDecision } from '../application/decision-log.js';
import { entrypointsSchema } from './load-policy-bundle.js';

export const policyBundleEntity = globalEntity(
  'policy_bundle',
  { revision: text() },
  {
    wasmDigest: text(),
    entrypoints: json(entrypointsSchema),
    sources: json(z.record(z.string(), z.string())),
    wasm: bytes(),
  },
);

export const bundleHeadEntity = globalEntity('bundle_head', { theOne: boolean() }, { revision: text() });

const within: z.ZodType<readonly SubjectRef[]> = z.array(z.object({ type: z.string(), id: z.string() }));

export const decisionEntity = entity(
  'decision',
  { id: uuid<DecisionId>() },
  {
    entrypoint: text<LoggedDecision['entrypoint']>(),
    bundleRevision: text(),
    subjectType: text(),
    subjectId: text(),
    within: json(within),
    // Its shape is that of the policies of its time.
    input: json(anyJson),
    inputDigest: text<Digest>(),
    result: json(decisionSchema),
    outcome: text<Outcome>(),
    decidedAt: moment(),
  },
);
