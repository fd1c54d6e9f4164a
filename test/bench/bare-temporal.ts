import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';

/** A bare Temporal worker in a process of its own, whose activities do nothing. */
export interface BareTemporal {
  /** Runs so many workflows side by side, each of so many activities. @returns milliseconds. */
  run(workflows: number, activities: number): Promise<number>;
  close(): Promise<void>;
}

/** @param folder that holds `node_modules` with the packages of Temporal. */
export async function bareTemporal(folder: string, address: string, namespace: string): Promise<BareTemporal> {
  const programs = join(folder, 'bare-temporal');
  cpSync(join(packageRoot(), 'test', 'bench', 'bare-temporal'), programs, { recursive: true });
  const child = fork(join(programs, 'bare-worker.mjs'), [address, namespace], { stdio: 'ignore' });
  await messageOf(child);
  return {
    run: async (workflows, activities) => {
      child.send({ workflows, activities });
      return Number(await messageOf(child));
    },
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('the bare worker has ended');
  });
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown];
    return message;
  } finally {
    ended.catch(() => undefined);
    answered.abort();
  }
}
