import { wrongSetting } from '#lib/kernel';

type Environment = Readonly<Record<string, string | undefined>>;

/** How a worker reaches Temporal, and which part of it is ours. */
export interface TemporalConfig {
  /** `host:port` of its frontend. */
  readonly address: string;
  /** The namespace, which the operator has registered. */
  readonly namespace: string;
  /** The task queue; null for one of this installation alone. */
  readonly taskQueue: string | null;
  /** Shares of tenants, by slug; a tenant without one has 1. */
  readonly weights: ReadonlyMap<string, number>;
  /** TLS and its files; null for a connection in the clear. */
  readonly tls: TemporalTls | null;
  /** The API key, as Temporal Cloud wants one; null without. */
  readonly apiKey: string | null;
}

export interface TemporalTls {
  /** A file with the certificate of the authority that signed the server's; null for those that the system trusts. */
  readonly caFile: string | null;
  /** Files with the certificate and the key of this worker; null without mutual TLS. */
  readonly client: { readonly certFile: string; readonly keyFile: string } | null;
  /** The name in the server's certificate, if it differs from the address. */
  readonly serverName: string | null;
}

const ADDRESS = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):[1-9][0-9]{0,4}$/;
/** The names of Temporal have at most so many characters by default. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;
const WEIGHT = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)=([0-9]+(?:\.[0-9]+)?)$/;
/** The bounds of Temporal. */
const WEIGHTS = [0.001, 1_000] as const;

/**
 * Reads `COUNTERSIGN_DISPATCHER` and, if it is `temporal`, `COUNTERSIGN_TEMPORAL_ADDRESS`, `_NAMESPACE`, `_TASK_QUEUE`, `_WEIGHTS`,
 * `_TLS`, `_TLS_CA`, `_TLS_CERT`, `_TLS_KEY`, `_TLS_SERVER_NAME` and `_API_KEY`.
 *
 * @returns null for the embedded dispatcher.
 * @throws {FailureError} `start.wrong_setting`, naming the variable that is wrong.
 */
export function temporalConfigFrom(environment: Environment): TemporalConfig | null {
  const dispatcher = environment.COUNTERSIGN_DISPATCHER ?? '';
  if (dispatcher === '' || dispatcher === 'embedded') return null;
  if (dispatcher !== 'temporal')
    throw wrongSetting(`COUNTERSIGN_DISPATCHER must be embedded or temporal, and is "${dispatcher}".`);
  const address = environment.COUNTERSIGN_TEMPORAL_ADDRESS ?? '';
  if (!ADDRESS.test(address)) {
    throw wrongSetting(
      'COUNTERSIGN_TEMPORAL_ADDRESS must be the host and port of a Temporal frontend, such as temporal.example:7233, beside COUNTERSIGN_DISPATCHER=temporal.',
    );
  }
  const apiKey = textOf(environment.COUNTERSIGN_TEMPORAL_API_KEY);
  return {
    address,
    namespace: nameOf(environment, 'COUNTERSIGN_TEMPORAL_NAMESPACE') ?? 'default',
    taskQueue: nameOf(environment, 'COUNTERSIGN_TEMPORAL_TASK_QUEUE'),
    weights: weightsOf(environment.COUNTERSIGN_TEMPORAL_WEIGHTS ?? ''),
    tls: tlsOf(environment, apiKey !== null),
    apiKey,
  };
}

const textOf = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

function nameOf(environment: Environment, setting: string): string | null {
  const name = textOf(environment[setting]);
  if (name === null || NAME.test(name)) return name;
  throw wrongSetting(
    `${setting} must be letters, digits, dots, dashes and underscores, at most 200, and is "${name}".`,
  );
}

function weightsOf(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const entry of text.split(',').flatMap((part) => part.trim() || [])) {
    const [, slug, number] = WEIGHT.exec(entry) ?? [];
    const weight = Number(number);
    if (slug === undefined || !(weight >= WEIGHTS[0] && weight <= WEIGHTS[1])) {
      throw wrongSetting(
        `COUNTERSIGN_TEMPORAL_WEIGHTS lists tenant=weight, separated by commas, with weights from ${WEIGHTS.join(' to ')}; "${entry}" is none.`,
      );
    }
    weights.set(slug, weight);
  }
  return weights;
}

/** An API key never travels in the clear. */
function tlsOf(environment: Environment, hasKey: boolean): TemporalTls | null {
  const caFile = textOf(environment.COUNTERSIGN_TEMPORAL_TLS_CA);
  const certFile = textOf(environment.COUNTERSIGN_TEMPORAL_TLS_CERT);
  const keyFile = textOf(environment.COUNTERSIGN_TEMPORAL_TLS_KEY);
  const serverName = textOf(environment.COUNTERSIGN_TEMPORAL_TLS_SERVER_NAME);
  const wanted = environment.COUNTERSIGN_TEMPORAL_TLS ?? '';
  if (!['', '0', '1'].includes(wanted)) throw wrongSetting('COUNTERSIGN_TEMPORAL_TLS must be 1, or 0.');
  if ((certFile === null) !== (keyFile === null))
    throw wrongSetting('COUNTERSIGN_TEMPORAL_TLS_CERT and COUNTERSIGN_TEMPORAL_TLS_KEY belong together.');
  const asked = hasKey || [caFile, certFile, serverName].some((setting) => setting !== null);
  if (wanted === '0' && asked)
    throw wrongSetting('COUNTERSIGN_TEMPORAL_TLS is 0, but an API key or another setting of TLS needs it.');
  if (!asked && wanted !== '1') return null;
  return { caFile, client: certFile === null || keyFile === null ? null : { certFile, keyFile }, serverName };
}
