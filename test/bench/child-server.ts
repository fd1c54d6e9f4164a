import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A server in a process of its own, on loopback. */
export interface ChildServer {
  readonly origin: string;
  /** Asks the process to end, and waits until it has. */
  stop(): Promise<void>;
  /** Ends the process at once, as a crash does. */
  kill(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/**
 * Starts a server and waits until it answers `readyPath` with 200. If it fails, the error shows the text that it
 * wrote to stderr.
 */
export async function startServer(
  command: string,
  args: readonly string[],
  at: { readonly port: number; readonly readyPath: string; readonly env?: NodeJS.ProcessEnv },
): Promise<ChildServer> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...at.env } });
  let errors = '';
  child.stderr.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-4_000)));
  const ended = once(child, 'exit');
  const origin = `http://127.0.0.1:${String(at.port)}`;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const [stop, kill] = [() => end('SIGTERM'), () => end('SIGKILL')];
  for (const deadline = performance.now() + READY_WITHIN_MS; ;) {
    const ready = await fetch(origin + at.readyPath).then(
      ({ status }) => status === 200,
      () => false,
    );
    if (ready) return { origin, stop, kill };
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${command} ${args.join(' ')} did not start: ${errors}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
