import { parentPort, workerData } from 'node:worker_threads';
import { replayDecisions, type ReplayJob } from '#lib/verifier';

// The program of the thread that `replayInThread` starts.
parentPort?.postMessage(replayDecisions(workerData as ReplayJob));
