import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Agent, request } from 'undici';
import { packageRoot } from '#lib/database';
import { serverPort } from './server-port.js';
import { compiledPackage } from './compiled-package.js';
import { until } from './until.js';

const NAMESPACE = 'countersign-test';
const PORTS = [
  'frontend',
  'frontendMembers',
  'http',
  'matching',
  'matchingMembers',
  'history',
  'historyMembers',
] as const;
type Ports = Readonly<Record<(typeof PORTS)[number] | 'worker' | 'workerMembers', number>>;

/** One event of a workflow's history, as Temporal's HTTP API gives it. */
export type TemporalEvent = Readonly<Record<string, unknown>> & { readonly eventType: string };

/** A Temporal server of a test's own, with its data in files. */
export interface TemporalServer {
  /** The settings of a worker that has its runs advanced here. */
  readonly settings: Readonly<Record<string, string>>;
  /** The folder of the npm packages of Temporal. */
  readonly packages: string;
  /** SIGKILL, and another server on the same data. */
  restart(): Promise<void>;
  /** Another namespace, known to the server. @returns its name. */
  namespace(name: string): Promise<string>;
  /** The whole history of a workflow's latest execution. */
  history(workflowId: string, namespace?: string): Promise<readonly TemporalEvent[]>;
  /** The state of a workflow's latest execution; null if the server knows none. */
  workflow(workflowId: string, namespace?: string): Promise<WorkflowState | null>;
  /** Starts the workflow of runs with this input, as anybody can who reaches the server, and waits for its end. */
  start(workflowId: string, input: readonly string[]): Promise<void>;
  /** Ends a workflow without its consent. */
  terminate(workflowId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkflowState {
  readonly status: string;
  readonly runId: string;
  readonly priority: { readonly fairnessKey?: string; readonly fairnessWeight?: number };
}

/** The server and the packages, made once if need be: the first time takes as long as Go needs to build a large program. */
function temporalParts(): { readonly server: string; readonly packages: string } {
  const made = spawnSync(process.execPath, [join(packageRoot(), 'tools/temporal.mjs')], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`there is no Temporal: ${made.stderr}`);
  return JSON.parse(made.stdout) as { server: string; packages: string };
}

/** A copy of the compiled package in which Node finds the packages of Temporal, as after their installation. */
export function packageWithTemporal({ packages }: Pick<TemporalServer, 'packages'>): string {
  const folder = compiledPackage();
  const target = `${folder}-temporal`;
  if (existsSync(target)) return target;
  const making = `${target}.${String(process.pid)}`;
  cpSync(folder, making, { recursive: true, verbatimSymlinks: true });
  mkdirSync(join(making, 'node_modules'));
  symlinkSync(join(packages, '@temporalio'), join(making, 'node_modules', '@temporalio'));
  try {
    renameSync(making, target);
  } catch (error) {
    // Another test was faster.
    if (!existsSync(target)) throw error;
    rmSync(making, { recursive: true });
  }
  return target;
}

/** @param mutualTls whether it takes only clients with a certificate of its own authority. */
export async function startTemporal({ mutualTls = false } = {}): Promise<TemporalServer> {
  const { server, packages } = temporalParts();
  const folder = mkdtempSync(join(tmpdir(), 'countersign-temporal-'));
  const ports = await freePorts();
  const tls = mutualTls ? makeCertificates(folder) : null;
  writeConfig(folder, ports, tls);
  const http = `${tls === null ? 'http' : 'https'}://127.0.0.1:${String(ports.http)}/api/v1`;
  const dispatcher = new Agent({ connect: tls === null ? {} : contentsOf(tls) });
  let child: ChildProcess;

  const call = async (path: string, body?: object): Promise<unknown> => {
    const answer = await request(`${http}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      dispatcher,
    });
    const text = await answer.body.text();
    if (answer.statusCode === 404) return null;
    if (answer.statusCode >= 300)
      throw new Error(`Temporal answers ${path} with ${String(answer.statusCode)}: ${text}`);
    return JSON.parse(text) as unknown;
  };
  const start = async (): Promise<void> => {
    child = spawn(server, ['--root', folder, '--config', 'conf', '--env', 'development', '--allow-no-auth', 'start'], {
      stdio: 'ignore',
    });
    await until(() => call('/namespaces').catch(() => null));
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const namespace = async (name: string): Promise<string> => {
    await call('/namespaces', { namespace: name, workflowExecutionRetentionPeriod: '86400s' });
    // Each service learns of it by itself.
    await until(async () => (await call(`/namespaces/${name}/workflows`).catch(() => null)) !== null);
    return name;
  };
  const history = async (workflowId: string, within = NAMESPACE): Promise<readonly TemporalEvent[]> => {
    const events: TemporalEvent[] = [];
    for (let token = ''; ;) {
      const page = (await call(
        `/namespaces/${within}/workflows/${workflowId}/history?nextPageToken=${encodeURIComponent(token)}`,
      )) as { history: { events: TemporalEvent[] }; nextPageToken?: string };
      events.push(...page.history.events);
      token = page.nextPageToken ?? '';
      if (token === '') return events;
    }
  };
  const state = async (workflowId: string, within = NAMESPACE): Promise<WorkflowState | null> => {
    const told = (await call(`/namespaces/${within}/workflows/${workflowId}`)) as {
      workflowExecutionInfo: {
        status: string;
        execution: { runId: string };
        priority?: WorkflowState['priority'];
      };
    } | null;
    if (told === null) return null;
    const { status, execution, priority = {} } = told.workflowExecutionInfo;
    return { status, runId: execution.runId, priority };
  };
  await start();
  await namespace(NAMESPACE);
  return {
    settings: {
      COUNTERSIGN_DISPATCHER: 'temporal',
      COUNTERSIGN_TEMPORAL_ADDRESS: `127.0.0.1:${String(ports.frontend)}`,
      COUNTERSIGN_TEMPORAL_NAMESPACE: NAMESPACE,
      ...(tls === null
        ? {}
        : {
            COUNTERSIGN_TEMPORAL_TLS_CA: tls.ca,
            COUNTERSIGN_TEMPORAL_TLS_CERT: tls.cert,
            COUNTERSIGN_TEMPORAL_TLS_KEY: tls.key,
            COUNTERSIGN_TEMPORAL_TLS_SERVER_NAME: SERVER_NAME,
          }),
    },
    packages,
    restart: async () => {
      await kill();
      await start();
    },
    namespace,
    history,
    workflow: state,
    start: async (workflowId, input) => {
      const payloads = input.map((text) => ({
        metadata: { encoding: base64('json/plain') },
        data: base64(JSON.stringify(text)),
      }));
      await call(`/namespaces/${NAMESPACE}/workflows/${workflowId}`, {
        workflowType: { name: 'countersignRun' },
        taskQueue: { name: 'countersign-runs' },
        input: { payloads },
      });
      await until(async () => (await state(workflowId))?.status === 'WORKFLOW_EXECUTION_STATUS_COMPLETED');
    },
    terminate: async (workflowId) => {
      await call(`/namespaces/${NAMESPACE}/workflows/${workflowId}/terminate`, { reason: 'a test' });
    },
    stop: async () => {
      await kill();
      await dispatcher.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function freePorts(): Promise<Ports> {
  const ports: Record<string, number> = {};
  for (const name of [...PORTS, 'worker', 'workerMembers']) ports[name] = await serverPort();
  return ports as unknown as Ports; // the loop has set each of its names
}

/** A name in the server's certificate that is no address of this machine. */
const SERVER_NAME = 'temporal.test';

/** Paths: of the authority, and of one certificate for both sides. */
interface TlsFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

const contentsOf = ({ ca, cert, key }: TlsFiles) => ({
  ca: readFileSync(ca),
  cert: readFileSync(cert),
  key: readFileSync(key),
});

function makeCertificates(folder: string): TlsFiles {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: readonly string[]): void => {
    const made = spawnSync('openssl', args, { encoding: 'utf8' });
    if (made.status !== 0) throw new Error(`openssl ${args.join(' ')}: ${made.stderr}`);
  };
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...fresh,
    '-days',
    '2',
    '-subj',
    '/CN=authority',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  );
  openssl('req', ...fresh, '-subj', `/CN=${SERVER_NAME}`, '-keyout', at('tls.key'), '-out', at('tls.csr'));
  writeFileSync(
    at('tls.ext'),
    `subjectAltName=DNS:${SERVER_NAME},IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n`,
  );
  const signed = [
    '-CA',
    at('ca.pem'),
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-days',
    '2',
    '-extfile',
    at('tls.ext'),
  ];
  openssl('x509', '-req', '-in', at('tls.csr'), ...signed, '-out', at('tls.pem'));
  return { ca: at('ca.pem'), cert: at('tls.pem'), key: at('tls.key') };
}

function tlsConfig({ ca, cert, key }: TlsFiles): object {
  const client = { serverName: SERVER_NAME, rootCaFiles: [ca] };
  return {
    frontend: {
      server: { certFile: cert, keyFile: key, requireClientAuth: true, clientCaFiles: [ca] },
      client,
    },
    // The server's own worker is a client of its frontend.
    systemWorker: { certFile: cert, keyFile: key, client },
  };
}

/** Of one process with durable SQLite files; fair queues, in one partition each: a queue is fair within a partition. */
function writeConfig(folder: string, ports: Ports, tls: TlsFiles | null): void {
  const store = (name: string): object => ({
    sql: {
      user: '',
      password: '',
      pluginName: 'sqlite',
      databaseName: join(folder, `${name}.db`),
      connectAddr: 'localhost',
      connectProtocol: 'tcp',
      connectAttributes: { cache: 'private', setup: 'true', journal_mode: 'wal', synchronous: '2' },
      maxConns: 1,
      maxIdleConns: 1,
      maxConnLifetime: '1h',
    },
  });
  const rpc = (grpcPort: number, membershipPort: number, more: object = {}): object => ({
    rpc: { grpcPort, membershipPort, bindOnLocalHost: true, ...more },
  });
  const frontend = `127.0.0.1:${String(ports.frontend)}`;
  const off = { history: { state: 'disabled' }, visibility: { state: 'disabled' } };
  // JSON is YAML.
  write(join(folder, 'conf', 'development.yaml'), {
    log: { stdout: true, level: 'fatal' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: { default: store('default'), visibility: store('visibility') },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      ...(tls === null ? {} : { tls: tlsConfig(tls) }),
    },
    services: {
      frontend: rpc(ports.frontend, ports.frontendMembers, { httpPort: ports.http }),
      matching: rpc(ports.matching, ports.matchingMembers),
      history: rpc(ports.history, ports.historyMembers),
      worker: rpc(ports.worker, ports.workerMembers),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: frontend },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    archival: off,
    namespaceDefaults: { archival: off },
    dynamicConfigClient: { filepath: join(folder, 'conf', 'dynamic.yaml'), pollInterval: '10s' },
  });
  write(join(folder, 'conf', 'dynamic.yaml'), {
    'matching.enableFairness': [{ value: true }],
    'matching.numTaskqueueReadPartitions': [{ value: 1 }],
    'matching.numTaskqueueWritePartitions': [{ value: 1 }],
  });
}

function write(path: string, content: object): void {
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}
