import { PLATFORM_ADMIN, SECURITY_REVIEWER } from '#lib/formats';
import { err, ok, SCOPES, type Failure, type Result, type Scope } from '#lib/kernel';

/** The scopes that an agent's credential may hold: agents ask, they never review, audit or administer. */
export const AGENT_SCOPES: readonly Scope[] = ['read', 'submit', 'run', 'halt'];

/** The scopes of a token if none are asked for. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read'];

/**
 * The scopes that a person's roles let their tokens hold: `review` takes any role at all, `audit` and `admin` a
 * particular one. A scope only opens the door; whether a review counts is decided by policy, from the roles.
 */
export function scopesOpenTo(roles: readonly string[]): Scope[] {
  return SCOPES.filter((scope) => {
    if (scope === 'review') return roles.length > 0;
    if (scope === 'audit') return roles.includes(PLATFORM_ADMIN) || roles.includes(SECURITY_REVIEWER);
    if (scope === 'admin') return roles.includes(PLATFORM_ADMIN);
    return true;
  });
}

/** Refuses scopes beyond the allowed ones. `why` completes "…, because". */
export function requireWithin(
  wanted: readonly Scope[],
  allowed: readonly Scope[],
  why: string,
): Result<readonly Scope[]> {
  const beyond = [...new Set(wanted)].filter((scope) => !allowed.includes(scope));
  if (beyond.length > 0) return err(beyondScopes(beyond, why));
  return ok(SCOPES.filter((scope) => wanted.includes(scope)));
}

function named(beyond: readonly Scope[]): string {
  const quoted = beyond.map((scope) => `"${scope}"`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? `The scope ${last} is` : `The scopes ${quoted.join(', ')} and ${last} are`;
}

const beyondScopes = (beyond: readonly Scope[], why: string): Failure => ({
  kind: 'forbidden',
  code: 'credential.scope_not_allowed',
  message: `${named(beyond)} not given out here, because ${why}.`,
  action:
    'Ask for fewer scopes, for the role that opens them, or sign in in the browser. There you may do all that your roles allow.',
  details: { refused_scopes: beyond },
});
