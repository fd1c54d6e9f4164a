import { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import { chromium, type Browser } from 'playwright-core';

/** Of the worker, by program. */
const kept = new Map<string, Browser>();

/**
 * The browser of the worker: the first file that needs one starts it, and later files find it. They share nothing in it. A
 * context has cookies, storage and processes for pages of its own, and each file closes its contexts.
 *
 * @param program where the browser is.
 * @param options its options on the command line; a program always has the same.
 */
export async function keptBrowser(program: string, options: readonly string[]): Promise<Browser> {
  const found = kept.get(program);
  if (found?.isConnected() === true) return found;
  const browser = await chromium.launch({ executablePath: program, args: [...options] });
  letWorkerEnd(program);
  kept.set(program, browser);
  return browser;
}

/** A worker without further files ends in spite of its browsers. They end with it, since they read a pipe from it. */
function letWorkerEnd(program: string): void {
  // Node does not declare how to list them, and Playwright does not give the process away.
  const { _getActiveHandles: handles } = process as unknown as { _getActiveHandles(): readonly unknown[] };
  for (const handle of handles.call(process))
    if (handle instanceof ChildProcess && handle.spawnfile === program) {
      handle.unref();
      for (const pipe of handle.stdio) if (pipe instanceof Socket) pipe.unref();
    }
}
