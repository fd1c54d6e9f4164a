import { ownMember } from '#lib/canonical';
import {
  claimsIn,
  hintInRunnerToken,
  hintInSignInState,
  hintInSlackState,
  hintInToken,
  hintOfTenant,
  membersOf,
} from './hint-in.js';

/** The mark by which a request names its tenant. It is not verified. */
export type Clue =
  | { readonly by: 'hint'; readonly hint: string }
  | { readonly by: 'slug'; readonly slug: string }
  | { readonly by: 'slack'; readonly app: string; readonly team: string }
  | { readonly by: 'host'; readonly host: string };

/** A request before its body, as the HTTP parser understood it. */
export interface RequestHead {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** Names in lower case; a name that was sent twice stands once. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A longer target is refused. */
export const MAX_TARGET_CHARACTERS = 8_192;

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const BEARER = /^Bearer +([A-Za-z0-9._~+/=-]{1,8192})$/i;
const COOKIE = '__Host-countersign';
const PROOF = 'countersign-runner-proof';

type Members = Readonly<Record<string, unknown>>;

/** The exchanges that anybody may call: the tenant stands in the body. */
const BODIES: Readonly<Record<string, (body: string) => Clue | null>> = {
  '/v1/enrolment': (body) => hint(hintInToken(text(membersOf(body).enrolment_token))),
  '/v1/enrolment/passkey': (body) => hint(hintInToken(text(membersOf(body).enrolment_token))),
  '/v1/enrolment/passkey/options': (body) => hint(hintInToken(text(membersOf(body).enrolment_token))),
  '/v1/runner/enrol': (body) => hint(hintInRunnerToken(text(membersOf(body).token))),
  '/v1/grants/redeem': (body) => hint(hintOfTenant(claimsIn(text(membersOf(body).grant)).tenant)),
  '/slack/interactions': (body) => slack(membersOf(new URLSearchParams(body).get('payload') ?? '')),
  '/slack/events': (body) => slack(membersOf(body)),
  '/slack/commands': (body) => slack(Object.fromEntries(new URLSearchParams(body))),
};

/**
 * The clue in the head of a request; `body` if only the body has one. An exchange that belongs to one flow goes by that flow's own
 * state. Everything else goes by its credential, then by the slug that it names, then by the host.
 */
export function clueOf({ method, target, headers }: RequestHead): Clue | 'body' | null {
  const { path, query } = parts(target);
  if (method === 'POST' && Object.hasOwn(BODIES, path)) return 'body';
  if (path.startsWith('/sign-in/callback/')) return hint(hintInSignInState(query.get('state') ?? ''));
  if (path === '/slack/oauth/callback') return hint(hintInSlackState(query.get('state') ?? ''));
  // The tenant that somebody wants to sign in at counts more than the one that they were signed in at.
  if (path === '/sign-in' || path === '/welcome' || path.startsWith('/v1/sign-in/')) {
    const wanted = slug(query.get('tenant'));
    if (wanted !== null) return wanted;
  }
  return byCredential(headers) ?? slug(slugIn(path)) ?? byHost(headers.host);
}

/** The clue in the body of an exchange for which {@link clueOf} said `body`. */
export function clueInBody({ target }: Pick<RequestHead, 'target'>, body: string): Clue | null {
  return ownMember(BODIES, parts(target).path)?.(body) ?? null;
}

/** The API ignores cookies if there is an Authorization header, and so does this. */
function byCredential({ authorization, cookie, ...headers }: RequestHead['headers']): Clue | null {
  if (authorization !== undefined) return byBearer(BEARER.exec(text(authorization))?.[1] ?? '');
  const proof = headers[PROOF];
  if (proof !== undefined) return hint(hintOfTenant(claimsIn(text(proof)).tenant));
  const pair = text(cookie)
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(`${COOKIE}=`));
  return hint(hintInToken(pair?.slice(COOKIE.length + 1) ?? ''));
}

/** A token of ours, or an access token of an issuer: its audience is a tenant's API or MCP endpoint. */
function byBearer(token: string): Clue | null {
  const own = hintInToken(token);
  if (own !== null) return hint(own);
  for (const audience of [claimsIn(token).aud].flat()) {
    const path = URL.canParse(text(audience)) ? new URL(text(audience)).pathname : '';
    const found =
      hint(hintOfTenant(/\/tenants\/([0-9a-f-]{36})$/.exec(path)?.[1])) ?? slug(/\/t\/([^/]+)\/mcp$/.exec(path)?.[1]);
    if (found !== null) return found;
  }
  return null;
}

/** The slug in an address that was made for one tenant. */
function slugIn(path: string): string | undefined {
  return (
    /^(?:\/\.well-known\/oauth-protected-resource)?\/t\/([^/]+)\/mcp$/.exec(path)?.[1] ??
    /^\/hooks\/([^/]+)\/automations\/[^/]+$/.exec(path)?.[1]
  );
}

/** The path as the API's own router reads it: percent-encoding is decoded, but for the slash. */
function parts(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const at = target.indexOf('?');
  const raw = at === -1 ? target : target.slice(0, at);
  return { path: decoded(raw), query: new URLSearchParams(at === -1 ? '' : target.slice(at + 1)) };
}

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw.replaceAll(/%2f/gi, '%252F'));
  } catch {
    return raw;
  }
}

function byHost(host: string | string[] | undefined): Clue | null {
  const name = text(host).toLowerCase().replace(/:\d+$/, '');
  return name === '' ? null : { by: 'host', host: name };
}

/** Of an event or a command, `team_id`; of a click, `team.id`. */
function slack({ api_app_id: app, team_id: id, team }: Members): Clue | null {
  const within: unknown = typeof team === 'object' && team !== null && 'id' in team ? team.id : undefined;
  const [appId, teamId] = [text(app), text(id ?? within)];
  return appId === '' || teamId === '' ? null : { by: 'slack', app: appId, team: teamId };
}

const hint = (found: string | null): Clue | null => (found === null ? null : { by: 'hint', hint: found });

const slug = (found: string | null | undefined): Clue | null =>
  typeof found === 'string' && SLUG.test(found) ? { by: 'slug', slug: found } : null;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
