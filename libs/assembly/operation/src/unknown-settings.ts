import { closest, suggestionInWords } from '#lib/words';

/** The environment variables of every program of Countersign. A test holds them equal to those that the code reads. */
const SETTINGS: readonly string[] = [
  'COUNTERSIGN_ALLOWED_PRIVATE_HOSTS',
  'COUNTERSIGN_ALLOW_PLAIN_HTTP',
  'COUNTERSIGN_AUTOMATION_RUN_DAYS',
  'COUNTERSIGN_BODY_BYTES',
  'COUNTERSIGN_CHECKPOINT_DIRECTORY',
  'COUNTERSIGN_CHECKPOINT_URL',
  'COUNTERSIGN_DATA',
  'COUNTERSIGN_DATABASE_POOL',
  'COUNTERSIGN_DEMO',
  'COUNTERSIGN_DEMO_WAIT_SCALE',
  'COUNTERSIGN_DIRECT_URL',
  'COUNTERSIGN_DISPATCHER',
  'COUNTERSIGN_HANDLER_TIMEOUT_MS',
  'COUNTERSIGN_HOST',
  'COUNTERSIGN_KEYRING',
  'COUNTERSIGN_LEASE_MARGIN_MS',
  'COUNTERSIGN_LOG_LEVEL',
  'COUNTERSIGN_LOOK_MS',
  'COUNTERSIGN_MAIL_FROM',
  'COUNTERSIGN_METRICS_HOST',
  'COUNTERSIGN_METRICS_PORT',
  'COUNTERSIGN_MIGRATE_URL',
  'COUNTERSIGN_MOVE_RECEIVER',
  'COUNTERSIGN_OCSF_FILE',
  'COUNTERSIGN_PG_PORT',
  'COUNTERSIGN_POOLED',
  'COUNTERSIGN_PORT',
  'COUNTERSIGN_PUBLIC_URL',
  'COUNTERSIGN_READ_URL',
  'COUNTERSIGN_REQUESTS_PER_MINUTE',
  'COUNTERSIGN_REQUEST_BURST',
  'COUNTERSIGN_ROUTER_ANSWER_MS',
  'COUNTERSIGN_ROUTER_DATABASE_URL',
  'COUNTERSIGN_ROUTER_HOST',
  'COUNTERSIGN_ROUTER_MAP_HOURS',
  'COUNTERSIGN_ROUTER_PORT',
  'COUNTERSIGN_RUNNER_AT_ONCE',
  'COUNTERSIGN_RUNNER_CHECKS',
  'COUNTERSIGN_RUNNER_DATA',
  'COUNTERSIGN_RUNNER_EMBEDDER_CA_FILE',
  'COUNTERSIGN_RUNNER_EMBEDDER_DIMENSIONS',
  'COUNTERSIGN_RUNNER_EMBEDDER_MODEL',
  'COUNTERSIGN_RUNNER_EMBEDDER_TOKEN_FILE',
  'COUNTERSIGN_RUNNER_EMBEDDER_URL',
  'COUNTERSIGN_RUNNER_ENVIRONMENTS',
  'COUNTERSIGN_RUNNER_EXECUTOR',
  'COUNTERSIGN_RUNNER_HOOKS',
  'COUNTERSIGN_RUNNER_MCP_FILE',
  'COUNTERSIGN_RUNNER_PATH',
  'COUNTERSIGN_RUNNER_ROOT',
  'COUNTERSIGN_RUNNER_SANDBOX',
  'COUNTERSIGN_RUNNER_TOKEN_FILE',
  'COUNTERSIGN_RUNNER_WAIT_MS',
  'COUNTERSIGN_SLACK_URL',
  'COUNTERSIGN_SMTP_URL',
  'COUNTERSIGN_STREAMS_PER_HOLDER',
  'COUNTERSIGN_STREAMS_PER_TENANT',
  'COUNTERSIGN_TEMPORAL_ADDRESS',
  'COUNTERSIGN_TEMPORAL_API_KEY',
  'COUNTERSIGN_TEMPORAL_NAMESPACE',
  'COUNTERSIGN_TEMPORAL_TASK_QUEUE',
  'COUNTERSIGN_TEMPORAL_TLS',
  'COUNTERSIGN_TEMPORAL_TLS_CA',
  'COUNTERSIGN_TEMPORAL_TLS_CERT',
  'COUNTERSIGN_TEMPORAL_TLS_KEY',
  'COUNTERSIGN_TEMPORAL_TLS_SERVER_NAME',
  'COUNTERSIGN_TEMPORAL_WEIGHTS',
  'COUNTERSIGN_TENANT_REQUESTS_PER_MINUTE',
  'COUNTERSIGN_TENANT_REQUEST_BURST',
  'COUNTERSIGN_TOKEN',
  'COUNTERSIGN_TOKENS_PER_HOLDER',
  'COUNTERSIGN_TOKEN_FILE',
  'COUNTERSIGN_TRUSTED_PROXIES',
  'COUNTERSIGN_URL',
  'COUNTERSIGN_WORKER_HOST',
  'COUNTERSIGN_WORKER_PORT',
];

/** Kubernetes adds them to each container beside a service with the name of Countersign. */
const OF_KUBERNETES = /_(SERVICE_(HOST|PORT(_.*)?)|PORT_[0-9]+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)$/;

/** A misspelt port of ours is a number; that of Kubernetes is an address. */
const isOfKubernetes = (name: string, value = ''): boolean =>
  OF_KUBERNETES.test(name) || (name.endsWith('_PORT') && /^(tcp|udp):\/\//.test(value));

/**
 * Environment variables with the prefix of Countersign that no program of it reads. A misspelt setting leaves the
 * default in force.
 *
 * @returns a sentence for each, without its value.
 */
export const unknownSettings = (environment: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(environment)
    .filter(
      ([name, value]) => name.startsWith('COUNTERSIGN_') && !SETTINGS.includes(name) && !isOfKubernetes(name, value),
    )
    .map(([name]) => {
      const meant = closest(name, SETTINGS);
      const suggestion = meant === undefined ? '' : ` ${suggestionInWords(meant)}`;
      return `${name} is not a setting of Countersign, and has no effect.${suggestion} (start.unknown_setting)`;
    });

/** Tells the operator of unknown settings on standard error. */
export function reportUnknownSettings(environment: Readonly<Record<string, string | undefined>>): void {
  for (const sentence of unknownSettings(environment)) process.stderr.write(`${sentence}\n`);
}
