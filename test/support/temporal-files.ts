import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serverPort } from './server-port.js';

const PORTS = [
  'frontend',
  'frontendMembers',
  'http',
  'matching',
  'matchingMembers',
  'history',
  'historyMembers',
] as const;
/** The ports of a Temporal server. */
type Ports = Readonly<Record<(typeof PORTS)[number] | 'worker' | 'workerMembers', number>>;

export async function freePorts(): Promise<Ports> {
  const ports: Record<string, number> = {};
  for (const name of [...PORTS, 'worker', 'workerMembers']) ports[name] = await serverPort();
  return ports as unknown as Ports; // the loop has set each of its names
}

/** A name in the server's certificate that is no address of this machine. */
export const SERVER_NAME = 'temporal.test';

/** Paths: of the authority, and of one certificate for both sides. */
interface TlsFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export const contentsOf = ({ ca, cert, key }: TlsFiles) => ({
  ca: readFileSync(ca),
  cert: readFileSync(cert),
  key: readFileSync(key),
});

export function makeCertificates(folder: string): TlsFiles {
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
export function writeConfig(folder: string, ports: Ports, tls: TlsFiles | null): void {
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
