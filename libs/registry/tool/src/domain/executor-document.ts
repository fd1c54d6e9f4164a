import {
  kindNamed,
  readOwnSettings,
  type AddressVerdict,
  type ExecutorKinds,
  type ExecutorSettings,
  type WantedSettings,
} from '#lib/dispatch';
import { canonicalJson, type JsonObject } from '#lib/canonical';
import type { ExecutorDocument, OwnExecutorSettings } from '#lib/formats';
import { digestOf, err, ok, type Digest, type EnvironmentId, type FieldError, type Result } from '#lib/kernel';

/** An executor before it has an id and a version. */
export interface ExecutorContent extends ExecutorSettings {
  readonly kind: string;
  readonly audience: string;
  readonly sharedAudience: boolean;
}

/** The name and the environment of an executor. */
export interface ExecutorRef {
  readonly name: string;
  /** By name. */
  readonly environment: string;
}

/** The audience of an executor if its document names none: another in each environment. */
export const ownAudience = ({ name, environment }: ExecutorRef): string => `${name}.${environment}`;

/**
 * Checks an executor. Codes: `executor.kind_unknown`, those of {@link readOwnSettings}, and those of its kind.
 *
 * @param executor its name and environment: the audience is `<name>.<environment>` if the document names none.
 * @param verdict the operator's rule for a host and port; it resolves no name.
 */
export function readExecutor(
  kinds: ExecutorKinds,
  document: ExecutorDocument,
  executor: ExecutorRef,
  verdict: (hostname: string, port: number) => AddressVerdict,
): Result<ExecutorContent, readonly FieldError[]> {
  const known = kindNamed(kinds, document.kind);
  if (known === undefined) return err([noSuchKind(kinds)]);
  const { settings, ...common } = settingsIn(document);
  const own = readOwnSettings(known, settings);
  if (!own.ok) return own;
  const read = known.read({ ...common, settings: own.value }, verdict);
  if (!read.ok) return read;
  return ok({
    kind: known.name,
    audience: document.audience ?? ownAudience(executor),
    sharedAudience: document.shared_audience ?? false,
    ...read.value,
    settings: own.value,
  });
}

/** The settings that a document has, unchecked. */
function settingsIn(document: ExecutorDocument): WantedSettings {
  const { kind: _kind, audience: _audience, shared_audience: _shared, url, secret, ...own } = document;
  return {
    ...(url === undefined ? {} : { url }),
    ...(secret === undefined ? {} : { secret }),
    settings: Object.fromEntries(
      Object.entries(own).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
  };
}

const noSuchKind = (kinds: ExecutorKinds): FieldError => ({
  pointer: '/kind',
  code: 'executor.kind_unknown',
  message: `An executor is of kind ${kinds.map(({ name }) => name).join(' or ')}.`,
  ...(kinds[0] === undefined ? {} : { suggestion: kinds[0].name }),
});

/** The settings of its kind beside address and secret, as a member of an object; absent if it has none. */
const ownSettings = ({ settings }: Pick<ExecutorSettings, 'settings'>): JsonObject =>
  Object.keys(settings).length === 0 ? {} : { settings };

/** An executor as records spell it. */
export const spelt = (content: ExecutorContent): JsonObject => ({
  kind: content.kind,
  url: content.url,
  audience: content.audience,
  shared_audience: content.sharedAudience,
  secret: content.secret,
  ...ownSettings(content),
});

/** Whether the document describes the executor as it stands. */
export function isAsPut(
  kinds: ExecutorKinds,
  document: ExecutorDocument,
  executor: ExecutorRef,
  standing: ExecutorContent,
): boolean {
  const read = readExecutor(kinds, document, executor, () => 'allowed');
  return read.ok && canonicalJson(spelt(read.value)) === canonicalJson(spelt(standing));
}

/** The destination of an executor's calls, for people. */
export const destinationOf = (kinds: ExecutorKinds, content: ExecutorSettings & { readonly kind: string }): string =>
  kindNamed(kinds, content.kind)?.destination(content) ?? content.kind;

/** The destination of the executor that a document describes, before the document is checked. */
export function destinationAsPut(kinds: ExecutorKinds, document: ExecutorDocument): string {
  const { url = null, secret = null, settings } = settingsIn(document);
  return destinationOf(kinds, { kind: document.kind, url, secret, settings });
}

/** The digest that approvals bind: the address, settings and credential of an executor in one environment. */
export function executorDigest(environmentId: EnvironmentId, name: string, content: ExecutorContent): Digest {
  return digestOf('executor', {
    environment_id: environmentId,
    name,
    kind: content.kind,
    url: content.url,
    audience: content.audience,
    // Absent unless it is shared. So the digest of an executor with an audience of its own stays the same.
    ...(content.sharedAudience ? { shared_audience: true } : {}),
    secret: content.secret,
    ...ownSettings(content),
  });
}

/** In words, the new destinations of calls and grants; empty for another secret at the same destination. */
export function loosenedExecutor(
  kinds: ExecutorKinds,
  before: ExecutorContent | null,
  after: ExecutorContent,
): readonly string[] {
  const destination = destinationOf(kinds, after);
  if (before === null) {
    const first = `tools are carried out by ${destination}, where nothing carried them out`;
    return after.sharedAudience
      ? [first, `executors of other environments may have its audience ${after.audience}`]
      : [first];
  }
  const loosens: string[] = [];
  if (before.kind !== after.kind || before.url !== after.url)
    loosens.push(`tools are carried out by ${destination}, and no longer by ${destinationOf(kinds, before)}`);
  const changed = changedSettings(before.settings, after.settings);
  if (before.kind === after.kind && changed.length > 0)
    loosens.push(`tools are carried out by ${destination} with another ${changed.join(' and ')}`);
  if (before.audience !== after.audience)
    loosens.push(`grants are made out to ${after.audience}, and no longer to ${before.audience}`);
  if (after.sharedAudience && !before.sharedAudience)
    loosens.push(`executors of other environments may have the audience ${after.audience}, too`);
  return loosens;
}

const changedSettings = (before: OwnExecutorSettings, after: OwnExecutorSettings): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name]);

/** An executor of another environment, as it stands. */
export interface SameAudience extends ExecutorRef {
  readonly sharedAudience: boolean;
}

/**
 * A tool server that checks the audience alone takes a grant of one environment for another with the same audience. So
 * one audience in two environments is refused (`executor.audience_in_use`), unless both documents say
 * `shared_audience: true`. An executor that has the audience already may say so first, so that two that stand can get
 * there.
 *
 * @param others executors of other environments with this audience.
 */
export function checkAudience(
  executor: ExecutorRef,
  content: ExecutorContent,
  standing: ExecutorContent | null,
  others: readonly SameAudience[],
): Result<null, readonly FieldError[]> {
  if (content.sharedAudience && standing?.audience === content.audience) return ok(null);
  const other = others.find(({ sharedAudience }) => !(content.sharedAudience && sharedAudience));
  if (other === undefined) return ok(null);
  const own = ownAudience(executor);
  const silent = [
    ...(content.sharedAudience ? [] : [`this one of ${executor.environment}`]),
    ...(other.sharedAudience ? [] : [`${other.name} of ${other.environment}`]),
  ].join(' and ');
  return err([
    {
      pointer: '/audience',
      code: 'executor.audience_in_use',
      message: `The executor ${other.name} of ${other.environment} has the audience ${content.audience}: a grant of ${other.environment} would be good for ${executor.environment}. Leave audience out for ${own}, or say shared_audience: true in both documents; ${silent} does not.`,
      suggestion: own,
    },
  ]);
}
