/**
 * Replays a recorded history of a workflow against its program. Ends with 1 if the program would not do now as it did then.
 *
 *   node replay.mjs PROGRAM HISTORY    beside node_modules with the packages of Temporal
 */
import { readFileSync } from 'node:fs';
import { Worker } from '@temporalio/worker';

const [workflowsPath, history] = process.argv.slice(2);
await Worker.runReplayHistory({ workflowsPath }, JSON.parse(readFileSync(history, 'utf8')));
// The runtime of Temporal would keep the process alive.
process.exit(0);
