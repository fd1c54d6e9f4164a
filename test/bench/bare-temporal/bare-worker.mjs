/**
 * A bare Temporal worker and its client. The message `{ workflows, activities }` starts that many workflows of that many
 * activities, which do nothing. The answer is the milliseconds until all have ended.
 *
 *   node bare-worker.mjs ADDRESS NAMESPACE    beside node_modules with the packages of Temporal
 */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';

const [address, namespace] = process.argv.slice(2);
const taskQueue = 'bare';
const connection = await NativeConnection.connect({ address });
const worker = await Worker.create({
  ...{ connection, namespace, taskQueue },
  workflowsPath: fileURLToPath(new URL('bare-workflow.cjs', import.meta.url)),
  activities: { nothing: () => Promise.resolve() },
  maxConcurrentActivityTaskExecutions: 64,
});
const running = worker.run();
const { workflow } = new Client({ connection, namespace });

process.on('message', async ({ workflows, activities }) => {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: workflows }, () =>
      workflow.execute('bare', { taskQueue, workflowId: randomUUID(), args: [activities] }),
    ),
  );
  process.send(performance.now() - started);
});
process.on('disconnect', () => worker.shutdown());
process.send('ready');
await running;
// The connection of the client would keep the process alive.
process.exit(0);
