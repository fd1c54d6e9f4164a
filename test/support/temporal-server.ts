import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { packageRoot } from '#lib/database';
import { compiledPackage } from './compiled-package.js';
import { contentsOf, freePorts, makeCertificates, SERVER_NAME, writeConfig } from './temporal-files.js';
import { until } from './until.js';

const NAMESPACE = 'countersign-test';
const STARTS = 3;

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
  /** The history of a workflow's latest execution, as Temporal's tools for replays read it. */
  recorded(workflowId: string): Promise<object>;
  /** The whole history of a workflow's latest execution. */
  history(workflowId: string): Promise<readonly TemporalEvent[]>;
  /** The state of a workflow's latest execution; null if the server knows none. */
  workflow(workflowId: string): Promise<WorkflowState | null>;
  /** Starts a workflow of runs with these ids, as anybody can who reaches the server, and waits for its end. */
  start(workflowId: string, installation: string, ids: readonly string[]): Promise<void>;
  /** Wakes a workflow, as a hint about its run does. */
  wake(workflowId: string): Promise<void>;
  /** Ends a workflow without its consent. */
  terminate(workflowId: string): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkflowState {
  readonly status: string;
  readonly runId: string;
  /** Its task queue. */
  readonly queue: string;
  readonly priority: { readonly fairnessKey?: string; readonly fairnessWeight?: number };
}

/** The server and the packages, made once if need be. The first time takes as long as Go needs to build a large program. */
export function temporalParts(): { readonly server: string; readonly packages: string } {
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
  const tls = mutualTls ? makeCertificates(folder) : null;
  let ports = await freePorts();
  const dispatcher = new Agent({ connect: tls === null ? {} : contentsOf(tls) });
  let child: ChildProcess;

  const call = async (path: string, body?: object): Promise<unknown> => {
    const answer = await request(`${tls === null ? 'http' : 'https'}://127.0.0.1:${String(ports.http)}/api/v1${path}`, {
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
  /** @returns whether it is at work; false if it ended, as it does if another program took one of its ports. */
  const start = async (): Promise<boolean> => {
    writeConfig(folder, ports, tls);
    child = spawn(server, ['--root', folder, '--config', 'conf', '--env', 'development', '--allow-no-auth', 'start'], {
      stdio: 'ignore',
    });
    const ended = (): boolean => child.exitCode !== null || child.signalCode !== null;
    await until(async () => ended() || (await call('/namespaces').catch(() => null)));
    return !ended();
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const history = async (workflowId: string): Promise<readonly TemporalEvent[]> => {
    const events: TemporalEvent[] = [];
    for (let token = ''; ;) {
      const page = (await call(
        `/namespaces/${NAMESPACE}/workflows/${workflowId}/history?nextPageToken=${encodeURIComponent(token)}`,
      )) as { history: { events: TemporalEvent[] }; nextPageToken?: string };
      events.push(...page.history.events);
      token = page.nextPageToken ?? '';
      if (token === '') return events;
    }
  };
  const state = async (workflowId: string): Promise<WorkflowState | null> => {
    const told = (await call(`/namespaces/${NAMESPACE}/workflows/${workflowId}`)) as {
      workflowExecutionInfo: {
        status: string;
        execution: { runId: string };
        taskQueue: string;
        priority?: WorkflowState['priority'];
      };
    } | null;
    if (told === null) return null;
    const { status, execution, taskQueue, priority = {} } = told.workflowExecutionInfo;
    return { status, runId: execution.runId, queue: taskQueue, priority };
  };
  for (let tries = 1; !(await start()); tries += 1) {
    if (tries === STARTS) throw new Error('the Temporal server ends at its start');
    ports = await freePorts();
  }
  await call('/namespaces', { namespace: NAMESPACE, workflowExecutionRetentionPeriod: '86400s' });
  // Each service learns of it by itself.
  await until(async () => (await call(`/namespaces/${NAMESPACE}/workflows`).catch(() => null)) !== null);
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
      if (!(await start())) throw new Error('the Temporal server ends at its start');
    },
    recorded: async (workflowId) => {
      const path = `/namespaces/${NAMESPACE}/workflows/${workflowId}/history?noPayloadShorthand`;
      return ((await call(path)) as { history: object }).history;
    },
    history,
    workflow: state,
    start: async (workflowId, installation, ids) => {
      const payloads = [...ids, installation].map((text) => ({
        metadata: { encoding: base64('json/plain') },
        data: base64(JSON.stringify(text)),
      }));
      await call(`/namespaces/${NAMESPACE}/workflows/${workflowId}`, {
        workflowType: { name: 'countersignRun' },
        taskQueue: { name: `countersign-runs-${installation}` },
        input: { payloads },
      });
      await until(async () => (await state(workflowId))?.status === 'WORKFLOW_EXECUTION_STATUS_COMPLETED');
    },
    wake: async (workflowId) => {
      await call(`/namespaces/${NAMESPACE}/workflows/${workflowId}/signal/wake`, {});
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
