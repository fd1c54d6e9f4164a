import { z } from 'zod';

/** Claims of a grant: an EdDSA JWS of 60 seconds that an executor verifies before it acts. */
export const grantClaimsSchema = z
  .strictObject({
    iss: z.string(),
    aud: z.string(),
    iat: z.number().int(),
    exp: z.number().int(),
    jti: z.string(),
    tenant: z.string(),
    environment: z.string(),
    basis: z.enum(['approval', 'policy', 'break_glass', 'simulation', 'rollback', 'health_check']),
    /** The thing that the call is made for. */
    source: z.strictObject({ type: z.enum(['run', 'simulation', 'tool_call']), id: z.string() }),
    step: z.string(),
    attempt: z.number().int().min(1),
    tool: z.string(),
    tool_version: z.number().int(),
    arguments_digest: z.string(),
    plan_digest: z.string().nullable(),
  })
  .meta({ id: 'GrantClaims' });
export type GrantClaims = z.infer<typeof grantClaimsSchema>;

/** The request header that carries the grant. */
export const GRANT_HEADER = 'countersign-grant';

/** The `typ` of a grant's protected header. */
export const GRANT_TYPE = 'countersign-grant+jwt';
