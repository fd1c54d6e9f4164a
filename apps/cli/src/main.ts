#!/usr/bin/env node
import { runCommandLine } from './command-line.js';
import { processIo } from './io.js';
import { replayInThread } from './replay-in-thread.js';

const replay = replayInThread(new URL('./replay-thread.js', import.meta.url));
void runCommandLine(process.argv.slice(2), processIo(replay)).then((exitCode) => {
  process.exitCode = exitCode;
  // A program that answers through a pipe need not close it for the command to end.
  process.stdin.destroy();
});
