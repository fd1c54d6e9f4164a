import { setTimeout as delay } from 'node:timers/promises';
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import { boundedAnswer, isPassing, pauseMs, retryAfterOf } from '#lib/client';
import { digestOf, isUuid } from '#lib/kernel';
import { GRANT_JWS_TYPE, grantClaimsSchema, type GrantClaims, type ToolCallRequest } from '#lib/formats';

/** The reason why a grant does not allow a call. Each code is final for that grant: refuse the call, and change nothing. */
export type GrantErrorCode =
  | 'grant.missing'
  | 'grant.invalid'
  | 'grant.expired'
  | 'grant.wrong_issuer'
  | 'grant.wrong_audience'
  | 'grant.wrong_environment'
  | 'grant.wrong_tenant'
  | 'grant.wrong_tool'
  | 'grant.wrong_arguments'
  | 'grant.without_line'
  | 'grant.other_line'
  | 'grant.worse_line'
  | 'grant.unread_line'
  | 'grant.already_redeemed'
  | 'grant.not_redeemed'
  | 'grant.keys_unreachable';

/** The refusal of a call by its grant, or of the options of a verifier. */
export class GrantError extends Error {
  constructor(
    /** `verifier.invalid_options` says that the verifier itself is set up wrong: it is thrown when it is made. */
    readonly code: GrantErrorCode | 'verifier.invalid_options',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'GrantError';
  }
}

/**
 * Remembers the grants that were used, across restarts. `use` resolves to false if the id was seen before. It must
 * have made the id durable before it resolves to true.
 */
export interface ReplayStore {
  use(jti: string, expiresAt: Date): Promise<boolean>;
}

/** The identity of a tool server, and the grants that it accepts. */
export interface GrantVerifierOptions {
  /** Countersign's address, `https://countersign.example`; also the issuer that grants name. */
  readonly issuer: string;
  /** The name of this tool server in the tenant's executor record. */
  readonly audience: string;
  /**
   * The ids of the tenants this tool server works for. Every tenant names its executors freely, so the audience keeps
   * no other tenant out. `any` is for a server that is meant for all tenants of the issuer.
   */
  readonly tenants: readonly string[] | 'any';
  /**
   * The environments this tool server works in, by name: `['production']`. A grant of any other is refused, also if its
   * audience fits. There is no way to accept every environment.
   */
  readonly environments: readonly string[];
  /** The record of a grant's single use: Countersign itself (`redeem`), or a durable store of your own. */
  readonly replay: 'redeem' | ReplayStore;
  /** The issuer's keys; by default they are fetched from `<issuer>/.well-known/jwks.json` and cached. */
  readonly keys?: JWTVerifyGetKey;
  /** How far this machine's clock may be off, in seconds. */
  readonly clockToleranceSeconds?: number;
}

/** Checks a grant against the call that came with it, and uses the grant up. */
export type GrantVerifier = (grant: string | undefined, call: ToolCallRequest) => Promise<GrantClaims>;

/**
 * A verifier for tool servers. The promise resolves to the grant's claims exactly once for each grant, and only if
 * every part fits. The parts are signature, issuer, audience, lifetime, environment, tenant, tool, tool version and
 * arguments digest. otherwise it rejects with a {@link GrantError}. A server that executes without awaiting it has no
 * gate. A tool that executes a command line calls `checkLine` with the claims besides.
 *
 * Throws `verifier.invalid_options` if an option is missing, as with an environment variable that is not set.
 */
export function grantVerifier(options: GrantVerifierOptions): GrantVerifier {
  const environments = environmentsOf(options);
  checkOptions(options);
  const issuer = options.issuer.replace(/\/+$/, '');
  const keys = options.keys ?? keysOf(issuer);

  return async (grant, call) => {
    if (grant === undefined || grant === '') throw new GrantError('grant.missing', 'the call came without a grant');
    const claims = await verifyClaims(grant, keys, issuer, options);
    if (!environments.has(claims.environment)) {
      throw new GrantError(
        'grant.wrong_environment',
        `the grant is for the environment "${claims.environment}"; this tool server works in ${quoted([...environments])}`,
      );
    }
    if (options.tenants !== 'any' && !options.tenants.includes(claims.tenant)) {
      throw new GrantError('grant.wrong_tenant', 'the grant is for a tenant that this tool server does not work for');
    }
    if (claims.tool !== call.tool || claims.tool_version !== call.tool_version) {
      throw new GrantError('grant.wrong_tool', 'the grant is for another tool, or another version of it');
    }
    if (claims.arguments_digest !== digestOf('arguments', call.arguments)) {
      throw new GrantError('grant.wrong_arguments', 'the arguments are not those that the grant is for');
    }
    if (options.replay === 'redeem') await redeem(issuer, options.audience, claims.environment, grant);
    else if (!(await options.replay.use(claims.jti, new Date(claims.exp * 1_000)))) {
      throw new GrantError('grant.already_redeemed', 'the grant was used before');
    }
    return claims;
  };
}

/** The keys that the issuer publishes. A failure to read them says nothing about a grant. */
function keysOf(issuer: string): JWTVerifyGetKey {
  const url = `${issuer}/.well-known/jwks.json`;
  const published = createRemoteJWKSet(new URL(url), {
    cooldownDuration: 1_000,
    [customFetch]: async (...asked) => boundedAnswer(await fetch(...asked)),
  });
  return async (header, token) => {
    try {
      return await published(header, token);
    } catch (cause) {
      if (cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new GrantError('grant.keys_unreachable', `the keys of the issuer cannot be read at ${url}: ${why}`, {
        cause,
      });
    }
  };
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(' and ');

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const isTenantId = (value: unknown): boolean => typeof value === 'string' && isUuid(value);

function checkOptions({
  issuer,
  audience,
  tenants,
}: Readonly<Partial<Record<keyof GrantVerifierOptions, unknown>>>): void {
  const wrong = (words: string): never => {
    throw new GrantError('verifier.invalid_options', `grantVerifier needs ${words}`);
  };
  if (typeof issuer !== 'string' || !/^https?:\/\//.test(issuer) || !URL.canParse(issuer))
    wrong('issuer, the COUNTERSIGN_PUBLIC_URL of Countersign, such as https://countersign.example');
  if (!isText(audience)) wrong('audience, the name that the executor record has, such as fleet.production');
  if (tenants !== 'any' && !(Array.isArray(tenants) && tenants.length > 0 && tenants.every(isTenantId)))
    wrong(
      "tenants, a list of the ids of the tenants that this tool server works for, as `countersign whoami` shows them, or 'any'",
    );
}

/** Options come from plain JavaScript, too: a missing one must not read as "all". */
function environmentsOf({ environments }: { readonly environments: unknown }): ReadonlySet<string> {
  const names: readonly unknown[] = Array.isArray(environments) ? environments : [];
  const named = names.filter(isText);
  if (named.length === 0 || named.length < names.length) {
    throw new GrantError(
      'verifier.invalid_options',
      "grantVerifier needs environments, a list of the environments that this tool server works in, such as ['production']",
    );
  }
  return new Set(named);
}

async function verifyClaims(
  grant: string,
  keys: JWTVerifyGetKey,
  issuer: string,
  options: GrantVerifierOptions,
): Promise<GrantClaims> {
  try {
    const { payload } = await jwtVerify(grant, keys, {
      algorithms: ['EdDSA'],
      typ: GRANT_JWS_TYPE,
      issuer,
      audience: options.audience,
      clockTolerance: options.clockToleranceSeconds ?? 5,
      requiredClaims: ['exp', 'jti', 'tenant', 'arguments_digest'],
    });
    return grantClaimsSchema.parse(payload);
  } catch (cause) {
    if (cause instanceof GrantError) throw cause;
    if (cause instanceof errors.JWTExpired) throw new GrantError('grant.expired', 'the grant has expired', { cause });
    if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'aud') {
      throw new GrantError('grant.wrong_audience', 'the grant is for another executor', { cause });
    }
    if (cause instanceof errors.JWTClaimValidationFailed && cause.claim === 'iss') {
      throw new GrantError(
        'grant.wrong_issuer',
        `the grant is not of the issuer ${issuer}; the issuer is the COUNTERSIGN_PUBLIC_URL of Countersign, letter for letter`,
        { cause },
      );
    }
    throw new GrantError('grant.invalid', 'this is not a valid grant of this issuer', { cause });
  }
}

const REDEMPTIONS = 5;
/** How long a redemption may take, with all its attempts and the pauses between them. */
const REDEMPTION_MS = 10_000;

/** The reason why an attempt did not redeem a grant. */
interface Refusal {
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly retry_after_seconds?: number;
  readonly cause?: unknown;
}

async function redeem(issuer: string, audience: string, environment: string, grant: string): Promise<void> {
  const refusal = await refusalOf(`${issuer}/v1/grants/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant, audience, environment }),
    redirect: 'error',
    signal: AbortSignal.timeout(REDEMPTION_MS),
  });
  if (refusal === null) return;
  const { code, detail, cause } = refusal;
  throw new GrantError(
    code === 'grant.already_redeemed' ? 'grant.already_redeemed' : 'grant.not_redeemed',
    detail,
    cause === undefined ? {} : { cause },
  );
}

/**
 * The last refusal; null if the grant was redeemed. Asks again after a broken connection and while Countersign is away,
 * if the pause fits in the remaining time. A grant is redeemed once, however often a client asks. If the answer to a
 * redemption was lost, the next one is a refusal.
 */
async function refusalOf(url: string, request: RequestInit): Promise<Refusal | null> {
  const until = performance.now() + REDEMPTION_MS;
  for (let attempt = 1; ; attempt += 1) {
    const refusal = await refusalOnce(url, request);
    if (refusal === null || !isPassing(refusal) || attempt >= REDEMPTIONS) return refusal;
    const pause = pauseMs(attempt, refusal.retry_after_seconds);
    if (performance.now() + pause > until) return refusal;
    await delay(pause);
  }
}

async function refusalOnce(url: string, request: RequestInit): Promise<Refusal | null> {
  let answer: Response;
  try {
    answer = await fetch(url, request);
  } catch (cause) {
    return {
      status: 0,
      code: 'connection.failed',
      detail: 'Countersign cannot be reached to redeem the grant',
      cause,
    };
  }
  if (answer.ok) return null;
  const { status, headers } = answer;
  const body: unknown = await boundedAnswer(answer)
    .json()
    .catch(() => null);
  const { code, detail }: { readonly code?: unknown; readonly detail?: unknown } = body ?? {};
  return {
    status,
    code: typeof code === 'string' ? code : '',
    detail: typeof detail === 'string' ? detail : `status ${String(status)}`,
    ...retryAfterOf(headers),
  };
}

/**
 * The call's arguments with `{"$secret":"name@version"}` replaced by the values that came beside them. A simulation is given
 * none unless its tool says `simulation_secrets`: there the references stay as they are.
 */
export function argumentsWithSecrets(call: ToolCallRequest): Record<string, unknown> {
  const visit = (node: unknown): unknown => {
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map(visit);
    const { $secret }: { readonly $secret?: unknown } = node;
    // An object with other members beside it is no reference, and was approved as the object that it is.
    if (typeof $secret === 'string' && Object.keys(node).length === 1)
      return Object.hasOwn(call.secrets, $secret) ? call.secrets[$secret] : node;
    return Object.fromEntries(Object.entries(node).map(([key, member]) => [key, visit(member)]));
  };
  return Object.fromEntries(Object.entries(call.arguments).map(([key, member]) => [key, visit(member)]));
}
