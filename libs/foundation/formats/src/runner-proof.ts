import { z } from 'zod';
import { digestSchema, uuidSchema } from './primitives.js';

/** The request header that carries the proof of a runner. */
export const RUNNER_PROOF_HEADER = 'countersign-runner-proof';

/** The `typ` of a proof's protected header. */
export const RUNNER_PROOF_TYPE = 'countersign-runner+jwt';

/** The longest lifetime of a proof, in seconds. */
export const RUNNER_PROOF_SECONDS = 60;

/** Claims of a proof: an EdDSA JWS by which a runner shows for one request that it holds its key. */
export const runnerProofClaimsSchema = z.strictObject({
  /** The runner. */
  iss: uuidSchema,
  /** The address of Countersign that the request goes to: a proof is good at no other. */
  aud: z.string().max(2_000),
  tenant: uuidSchema,
  /** A proof counts once. */
  jti: uuidSchema,
  iat: z.int(),
  exp: z.int(),
  method: z.enum(['GET', 'POST']),
  /** Path and query, as they are sent. */
  path: z.string().max(2_000),
  /** Digest of the body, kind request-body; that of null if the request has none. */
  body_digest: digestSchema,
});
export type RunnerProofClaims = z.infer<typeof runnerProofClaimsSchema>;

/** A tool as a runner advertises it: its name and the schema of its arguments. Risk is the catalog's word alone. */
export const advertisedToolSchema = z
  .strictObject({
    name: z.string().min(1).max(128),
    parameters: z.record(z.string(), z.json()),
  })
  .meta({ id: 'AdvertisedTool' });
export type AdvertisedTool = z.infer<typeof advertisedToolSchema>;

/** The tools of one runner. */
export const advertisedToolsSchema = z.array(advertisedToolSchema).max(200);
