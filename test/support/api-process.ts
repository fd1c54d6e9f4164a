import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serverPort } from './server-port.js';
import { compiledPackage } from './compiled-package.js';

const READY_WITHIN_MS = 60_000;

/** A real API in a process of its own. */
export interface ApiProcess {
  readonly url: string;
  /** SIGKILL, and until it is gone. */
  kill(): Promise<void>;
}

/**
 * @param databaseUrl shared with the replicas beside it.
 * @param data the data folder, which holds the keys; shared as well.
 * @param settings beside these.
 */
export async function startApiProcess(
  databaseUrl: string,
  data: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const [port, metricsPort] = [String(await serverPort()), String(await serverPort())];
  const folder = compiledPackage();
  const child = spawn(process.execPath, [join(folder, 'dist', 'programs', 'api', 'main.js')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_PORT: port,
      COUNTERSIGN_METRICS_PORT: metricsPort,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit');
  const kill = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const ready = await fetch(`${url}/health/ready`).catch(() => null);
    if (ready?.status === 200) return { url, kill };
    if (performance.now() > deadline || child.exitCode !== null) {
      await kill();
      throw new Error(`the API did not become ready: ${output.slice(-4_000)}`);
    }
    await delay(50);
  }
}
