#!/usr/bin/env node
import { CommanderError } from 'commander';
import pc from 'picocolors';
import { FailureError } from '#lib/kernel';
import { CountersignError } from '#lib/sdk';
import { CommandError, EXIT } from './exit-codes.js';
import { safe } from './output.js';
import { createProgram } from './program.js';

/** Says what went wrong and what to do, and answers the exit code for it. */
function explain(error: unknown): number {
  const say = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof CommandError) {
    say(`${pc.red('error')} ${error.message}`);
    if (error.action !== '') say(`      ${error.action}`);
    return error.exitCode;
  }
  if (error instanceof CountersignError) {
    const { problem } = error;
    say(`${pc.red('refused')} ${safe(problem.detail)} ${pc.dim(`(${problem.code})`)}`);
    for (const reason of problem.reasons ?? []) say(`  - ${safe(reason.message)} ${pc.dim(reason.rule)}`);
    for (const wrong of problem.errors ?? []) {
      const place =
        wrong.line === undefined ? wrong.pointer : `line ${String(wrong.line)}, column ${String(wrong.column ?? 1)}`;
      say(
        `  - ${safe(place)}: ${safe(wrong.message)}${wrong.suggestion === undefined ? '' : ` Did you mean ${safe(wrong.suggestion)}?`}`,
      );
    }
    if (problem.action !== undefined) say(`  ${safe(problem.action)}`);
    return error.status === 0 || error.status >= 500 ? EXIT.unavailable : EXIT.refused;
  }
  if (error instanceof FailureError) {
    say(`${pc.red('error')} ${error.failure.message} ${pc.dim(`(${error.failure.code})`)}`);
    if (error.failure.action !== undefined) say(`      ${error.failure.action}`);
    return EXIT.unavailable;
  }
  say(`${pc.red('error')} ${error instanceof Error ? error.message : String(error)}`);
  return EXIT.unavailable;
}

const program = createProgram().exitOverride();
for (const command of program.commands) command.exitOverride();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = explain(error);
}
