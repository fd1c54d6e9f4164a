import { z } from 'zod';
import { expandedLineSchema } from './expanded-plan.js';
import { digestSchema } from './primitives.js';

/**
 * The one reading of a command line that may be executed, as it was judged. It is the plan's, or that of the decision
 * on a single call.
 */
const grantedLineSchema = expandedLineSchema.pick({ shell: true, tier: true, tree: true });
export type GrantedLine = z.infer<typeof grantedLineSchema>;

/** The server, as the operator of a runner names it, its tool, and the one definition that a person accepted. */
const grantedMcpToolSchema = z.strictObject({ server: z.string(), tool: z.string(), digest: digestSchema });
export type GrantedMcpTool = z.infer<typeof grantedMcpToolSchema>;

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
    source: z.strictObject({ type: z.enum(['run', 'simulation', 'tool_call', 'lifecycle_hook']), id: z.string() }),
    step: z.string(),
    attempt: z.number().int().min(1),
    tool: z.string(),
    tool_version: z.number().int(),
    arguments_digest: z.string(),
    plan_digest: z.string().nullable(),
    /**
     * For a tool that executes a command line, else null (ADR 27). Its executor makes the tree of the line by itself.
     * It starts nothing if the tree or its tier is another one (T53).
     */
    shell: grantedLineSchema.nullable(),
    /**
     * For a tool of an MCP server on a runner, else absent. The runner calls the tool of that server only if the server still lists
     * the definition of this digest (T54).
     */
    mcp: grantedMcpToolSchema.optional(),
    /**
     * For a call that a runner carries out for an agent's session, else absent. The runner keeps things of a session
     * together.
     */
    session: z.string().optional(),
  })
  .meta({ id: 'GrantClaims' });
export type GrantClaims = z.infer<typeof grantClaimsSchema>;

/** The request header that carries the grant. */
export const GRANT_HEADER = 'countersign-grant';

/** The `typ` of a grant's protected header. */
export const GRANT_JWS_TYPE = 'countersign-grant+jwt';
