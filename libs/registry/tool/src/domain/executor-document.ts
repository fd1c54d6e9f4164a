import { EXECUTOR_KINDS, type ExecutorDocument, type ExecutorKind } from '#lib/formats';
import { digestOf, err, ok, type Digest, type EnvironmentId, type FieldError, type Result } from '#lib/kernel';

/** What the operator's address rules say of a host; asked again at every connection (T31). */
export type AddressVerdict = 'public' | 'allowed' | 'refused';

/** What an executor is, before it has an id and a version. */
export interface ExecutorContent {
  readonly kind: ExecutorKind;
  readonly url: string | null;
  readonly audience: string;
  readonly sharedAudience: boolean;
  readonly secret: string | null;
}

/** Where an executor stands. */
export interface ExecutorPlace {
  readonly name: string;
  /** By name. */
  readonly environment: string;
}

/** Kinds that the design names and this version does not have. */
const LATER_KINDS: readonly string[] = ['mcp', 'runner'];

/** The audience of an executor whose document names none: another in each environment. */
export const ownAudience = ({ name, environment }: ExecutorPlace): string => `${name}.${environment}`;

const isKind = (kind: string): kind is ExecutorKind => EXECUTOR_KINDS.some((known) => known === kind);

/**
 * Checks an executor. Codes: `executor.kind_unavailable`, `executor.kind_unknown`, `executor.url_required`,
 * `executor.url_invalid`, `executor.url_not_https`, `executor.address_refused`, `executor.not_for_an_agent`.
 *
 * @param place its name and environment: the audience that it has if the document leaves it out is `<name>.<environment>`.
 * @param verdict the operator's rule for a host and port, looking at the name alone: nothing is resolved here.
 */
export function readExecutor(
  document: ExecutorDocument,
  place: ExecutorPlace,
  verdict: (hostname: string, port: number) => AddressVerdict,
): Result<ExecutorContent, readonly FieldError[]> {
  const refuse = (pointer: string, code: string, message: string, suggestion?: string) =>
    err([{ pointer, code, message, ...(suggestion === undefined ? {} : { suggestion }) }]);
  const { kind } = document;
  const audience = document.audience ?? ownAudience(place);
  const sharedAudience = document.shared_audience ?? false;
  if (LATER_KINDS.includes(kind)) {
    return refuse(
      '/kind',
      'executor.kind_unavailable',
      `Executors of kind ${kind} are not available in this version.`,
      'http',
    );
  }
  if (!isKind(kind))
    return refuse('/kind', 'executor.kind_unknown', `An executor is of kind ${EXECUTOR_KINDS.join(' or ')}.`, 'http');
  if (kind === 'agent') {
    if (document.url !== undefined || (document.secret ?? null) !== null) {
      return refuse(
        document.url === undefined ? '/secret' : '/url',
        'executor.not_for_an_agent',
        'An agent executes and reports by itself: it has neither an address nor a secret.',
      );
    }
    return ok({ kind, url: null, audience, sharedAudience, secret: null });
  }
  if (document.url === undefined)
    return refuse(
      '/url',
      'executor.url_required',
      'An http executor has the address of a tool server.',
      'https://tools.example.com/countersign',
    );
  if (!URL.canParse(document.url))
    return refuse(
      '/url',
      'executor.url_invalid',
      'This is not an absolute URL.',
      'https://tools.example.com/countersign',
    );
  const url = new URL(document.url);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return refuse(
      '/url',
      'executor.url_invalid',
      'The address carries neither credentials nor a query nor a fragment: store a secret and name it.',
    );
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('/url', 'executor.url_not_https', 'A tool server is reached over https.');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const rule = verdict(url.hostname.replace(/^\[(.*)\]$/, '$1'), port);
  if (rule === 'refused') {
    return refuse(
      '/url',
      'executor.address_refused',
      'This address is not public, and the operator has not allowed it in COUNTERSIGN_ALLOWED_PRIVATE_HOSTS.',
    );
  }
  if (url.protocol === 'http:' && rule !== 'allowed') {
    return refuse(
      '/url',
      'executor.url_not_https',
      'Without https, only hosts that the operator allowed are reached.',
      `https://${url.host}${url.pathname}`,
    );
  }
  return ok({ kind, url: url.href, audience, sharedAudience, secret: document.secret ?? null });
}

/** The digest that approvals bind: the address and credential of an executor in one environment. */
export function executorDigest(environmentId: EnvironmentId, name: string, content: ExecutorContent): Digest {
  return digestOf('executor', {
    environment_id: environmentId,
    name,
    kind: content.kind,
    url: content.url,
    audience: content.audience,
    // Only if it is shared: digests that stand in approvals from before keep what they say.
    ...(content.sharedAudience ? { shared_audience: true } : {}),
    secret: content.secret,
  });
}

/** In words, where calls go that did not go there before; empty for another secret at the same place. */
export function loosenedExecutor(before: ExecutorContent | null, after: ExecutorContent): readonly string[] {
  const place = after.url ?? 'the agents themselves';
  if (before === null) {
    const first = `tools are carried out by ${place}, where nothing carried them out`;
    return after.sharedAudience
      ? [first, `executors of other environments may have its audience ${after.audience}`]
      : [first];
  }
  const loosens: string[] = [];
  if (before.kind !== after.kind || before.url !== after.url)
    loosens.push(`tools are carried out by ${place}, and no longer by ${before.url ?? 'the agents themselves'}`);
  if (before.audience !== after.audience)
    loosens.push(`grants are made out to ${after.audience}, and no longer to ${before.audience}`);
  if (after.sharedAudience && !before.sharedAudience)
    loosens.push(`executors of other environments may have the audience ${after.audience}, too`);
  return loosens;
}

/** An executor of another environment, as it stands. */
export interface SameAudience extends ExecutorPlace {
  readonly sharedAudience: boolean;
}

/**
 * One audience in two environments makes a grant of the one good at the other for a tool server that checks the audience
 * alone: refused (`executor.audience_in_use`) unless both documents say `shared_audience: true`. An executor that has the
 * audience already may say so first, so that two that stand can get there.
 *
 * @param others executors of other environments with this audience.
 */
export function checkAudience(
  place: ExecutorPlace,
  content: ExecutorContent,
  standing: ExecutorContent | null,
  others: readonly SameAudience[],
): Result<null, readonly FieldError[]> {
  if (content.sharedAudience && standing?.audience === content.audience) return ok(null);
  const other = others.find(({ sharedAudience }) => !(content.sharedAudience && sharedAudience));
  if (other === undefined) return ok(null);
  const own = ownAudience(place);
  const silent = [
    ...(content.sharedAudience ? [] : [`this one of ${place.environment}`]),
    ...(other.sharedAudience ? [] : [`${other.name} of ${other.environment}`]),
  ].join(' and ');
  return err([
    {
      pointer: '/audience',
      code: 'executor.audience_in_use',
      message: `The executor ${other.name} of ${other.environment} has the audience ${content.audience}: a grant of ${other.environment} would be good for ${place.environment}. Leave audience out for ${own}, or say shared_audience: true in both documents; ${silent} does not.`,
      suggestion: own,
    },
  ]);
}
