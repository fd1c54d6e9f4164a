import { ROUTING_HINT_CHARACTERS, routingHintOf } from '#lib/formats';
import { isUuid } from '#lib/kernel';

const BASE64URL = '[A-Za-z0-9_-]';
const HINT = `(${BASE64URL}{${String(ROUTING_HINT_CHARACTERS)}})`;
const TOKEN = new RegExp(`^cs_[a-z]_${BASE64URL}{43}${HINT}${BASE64URL}{6}$`);
const RUNNER_TOKEN = new RegExp(`^csr_${BASE64URL}{43}${HINT}$`);
const SLACK_STATE = new RegExp(`^${BASE64URL}{43}${HINT}$`);
const JWT = /^eyJ[A-Za-z0-9_-]*\.([A-Za-z0-9_-]+)\.[A-Za-z0-9_-]*$/;
/** No token of ours, and no access token that the API takes, is longer. */
const MAX_CHARACTERS = 8_192;

/** The hint of a token of a person, an agent, an invitation or a browser session; null without one. */
export const hintInToken = (token: string): string | null => TOKEN.exec(token)?.[1] ?? null;

/** The hint of the one-time token of a runner. */
export const hintInRunnerToken = (token: string): string | null => RUNNER_TOKEN.exec(token)?.[1] ?? null;

/** The hint of the state with which Slack sends an admin's browser back. */
export const hintInSlackState = (state: string): string | null => SLACK_STATE.exec(state)?.[1] ?? null;

/** The hint of the state with which an issuer sends a browser back: it begins with the tenant's id. */
export const hintInSignInState = (state: string): string | null => hintOfTenant(/^([0-9a-f-]{36})\./.exec(state)?.[1]);

/** The unverified claims of a JWS; they choose a cell, and the cell verifies them. */
export function claimsIn(token: string): Readonly<Record<string, unknown>> {
  const payload = token.length > MAX_CHARACTERS ? undefined : JWT.exec(token)?.[1];
  return payload === undefined ? {} : membersOf(Buffer.from(payload, 'base64url').toString('utf8'));
}

/** The hint of a tenant by its id; null for anything else. */
export const hintOfTenant = (id: unknown): string | null =>
  typeof id === 'string' && isUuid(id) ? routingHintOf(id) : null;

/** The members of a JSON object; none for any other text. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    // Any object may be read by name: an absent member is undefined.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
