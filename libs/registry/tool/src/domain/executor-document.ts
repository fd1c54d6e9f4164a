import { kindNamed, type AddressVerdict, type ExecutorKinds, type ExecutorSettings } from '#lib/dispatch';
import type { ExecutorDocument } from '#lib/formats';
import { digestOf, err, ok, type Digest, type EnvironmentId, type FieldError, type Result } from '#lib/kernel';

/** An executor before it has an id and a version. */
export interface ExecutorContent extends ExecutorSettings {
  readonly kind: string;
  readonly audience: string;
  readonly sharedAudience: boolean;
}

/** The name and the environment of an executor. */
export interface ExecutorPlace {
  readonly name: string;
  /** By name. */
  readonly environment: string;
}

/** Kinds that the design names and this version does not have. */
const LATER_KINDS: readonly string[] = ['mcp', 'runner'];

/** The audience of an executor if its document names none: another in each environment. */
export const ownAudience = ({ name, environment }: ExecutorPlace): string => `${name}.${environment}`;

/**
 * Checks an executor. Codes: `executor.kind_unavailable`, `executor.kind_unknown`, and those of its kind.
 *
 * @param place its name and environment: the audience is `<name>.<environment>` if the document names none.
 * @param verdict the operator's rule for a host and port; it resolves no name.
 */
export function readExecutor(
  kinds: ExecutorKinds,
  document: ExecutorDocument,
  place: ExecutorPlace,
  verdict: (hostname: string, port: number) => AddressVerdict,
): Result<ExecutorContent, readonly FieldError[]> {
  const known = kindNamed(kinds, document.kind);
  if (known === undefined) return err([noSuchKind(kinds, document.kind)]);
  const settings = known.read(document, verdict);
  if (!settings.ok) return settings;
  return ok({
    kind: known.name,
    audience: document.audience ?? ownAudience(place),
    sharedAudience: document.shared_audience ?? false,
    ...settings.value,
  });
}

function noSuchKind(kinds: ExecutorKinds, kind: string): FieldError {
  const suggestion = kinds[0] === undefined ? {} : { suggestion: kinds[0].name };
  return LATER_KINDS.includes(kind)
    ? {
        pointer: '/kind',
        code: 'executor.kind_unavailable',
        message: `Executors of kind ${kind} are not available in this version.`,
        ...suggestion,
      }
    : {
        pointer: '/kind',
        code: 'executor.kind_unknown',
        message: `An executor is of kind ${kinds.map(({ name }) => name).join(' or ')}.`,
        ...suggestion,
      };
}

/** The destination of an executor's calls, for people. */
export const destinationOf = (kinds: ExecutorKinds, content: ExecutorSettings & { readonly kind: string }): string =>
  kindNamed(kinds, content.kind)?.destination(content) ?? content.kind;

/** The digest that approvals bind: the address and credential of an executor in one environment. */
export function executorDigest(environmentId: EnvironmentId, name: string, content: ExecutorContent): Digest {
  return digestOf('executor', {
    environment_id: environmentId,
    name,
    kind: content.kind,
    url: content.url,
    audience: content.audience,
    // Absent unless it is shared, so that the digest of an executor with an audience of its own stays the same.
    ...(content.sharedAudience ? { shared_audience: true } : {}),
    secret: content.secret,
  });
}

/** In words, where calls go that did not go there before; empty for another secret at the same place. */
export function loosenedExecutor(
  kinds: ExecutorKinds,
  before: ExecutorContent | null,
  after: ExecutorContent,
): readonly string[] {
  const place = destinationOf(kinds, after);
  if (before === null) {
    const first = `tools are carried out by ${place}, where nothing carried them out`;
    return after.sharedAudience
      ? [first, `executors of other environments may have its audience ${after.audience}`]
      : [first];
  }
  const loosens: string[] = [];
  if (before.kind !== after.kind || before.url !== after.url)
    loosens.push(`tools are carried out by ${place}, and no longer by ${destinationOf(kinds, before)}`);
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
