import { Argument, type Command } from 'commander';
import { parseStrictJson, StrictJsonError, type Json } from '#lib/canonical';
import { Ended, EXIT } from '../exit-codes.js';
import { explainError } from '../explain-error.js';
import { answerHook, endSession, reportOutcome, type HookOptions } from '../hook/answer-hook.js';
import { deadlineIn, DeadlinePassed } from '../hook/deadline.js';
import type { HookEvent, HookHost } from '../hook/host.js';
import { HOOK_HOSTS } from '../hook/hosts/index.js';
import type { Io } from '../io.js';
import { safe } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { wholeNumberTo } from './read.js';

/** The most that a host may write, in bytes. The API takes less in one call, and says so. */
const MAX_INPUT = 8_388_608;
const MIN_WAIT = 5;
const MAX_WAIT = 3_600;
/** Below the shortest time limit that a host has documented, a minute. */
const USUAL_WAIT = 50;
/** Of the seconds to wait: a process starts, and in the end a call is taken back. */
const START_MS = 1_000;
const TAKE_BACK_MS = 1_500;
/** After its answer, the process ends within this time. */
const END_MS = 1_000;

/** `countersign hook`: the calls of a coding agent, asked about from the hook of its host. */
export function addHook(program: Command, context: () => CommandContext, io: Io): void {
  program
    .command('hook')
    .description('answer the hook of a coding agent: ask Countersign about each call, and deny it without an answer')
    .addArgument(
      new Argument('<host>', 'the program that the agent runs in').choices(HOOK_HOSTS.map(({ name }) => name)),
    )
    .option(
      '--environment <name>',
      'the environment of its calls; a session is opened once for each session of the host',
    )
    .option('--session <id>', 'the session of its calls, opened before')
    .option('--settings <file>', 'tools, workspace and shell; ~/.config/countersign/hook.yaml if it is there')
    .option(
      '--wait <seconds>',
      'deny after so long; below the time limit of the host’s hook',
      wholeNumberTo(MAX_WAIT, MIN_WAIT),
      USUAL_WAIT,
    )
    .addHelpText(
      'after',
      `
The host writes JSON to standard input, and reads the answer from standard output. People answer in the browser or in
Slack, never here. Exit code 2 with no answer means that the input cannot be read; the hosts take it for a denial.

Example:
  countersign hook claude-code --environment development --wait 170
`,
    )
    .action(async (name: string, options: HookOptions) => {
      const host = HOOK_HOSTS.find((each) => each.name === name);
      if (host === undefined) throw new Error(`there is no host ${name}`);
      const all = deadlineIn(options.wait * 1_000 - START_MS);
      const asking = deadlineIn(options.wait * 1_000 - START_MS - TAKE_BACK_MS);
      const stopping = new AbortController();
      const forget = onceStopped(() => {
        stopping.abort();
        asking.end();
        setTimeout(all.end, TAKE_BACK_MS).unref();
      });
      try {
        const event = await all.within(readEvent(host, io)).catch((error: unknown) => {
          throw unreadable(error, io);
        });
        const world = {
          host,
          options,
          io,
          access: () => context().access(),
          deadlines: { asking, all },
          stopped: stopping.signal,
        };
        if (event.kind === 'ends') await endSession(event, world);
        if (event.kind === 'tells') await told(reportOutcome(event, world), io);
        const answer = event.kind === 'asks' ? await answerHook(event, world) : ({ verdict: 'undecided' } as const);
        const shown = answer.verdict === 'undecided' ? answer : { ...answer, message: safe(answer.message) };
        const document = host.write(event, shown);
        if (document !== null) io.out(`${JSON.stringify(document)}\n`);
      } catch (error) {
        if (error instanceof Ended) throw error;
        // Another exit code would let the call pass.
        io.err(`Countersign denied this call: the hook failed.\n${explainError(error).lines.join('\n')}\n`);
        throw new Ended(EXIT.usage);
      } finally {
        forget();
        all.lift();
        asking.lift();
        // A host lets a call pass if its hook exceeds the host's limit.
        io.endWithin?.(END_MS);
      }
    });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first signal ends the question and withdraws its call. So no person answers about a call that its host gave up. */
function onceStopped(end: () => void): () => void {
  const onSignal = (): void => {
    forget();
    end();
  };
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return forget;
}

class Unreadable extends Error {}

async function readEvent(host: HookHost, io: Io): Promise<HookEvent> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of io.pieces()) {
    size += piece.length;
    if (size > MAX_INPUT)
      throw new Unreadable(`The input is longer than ${String(MAX_INPUT)} bytes. (hook.input_too_long)`);
    pieces.push(piece);
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  const document = parseStrictJson(text);
  if (holdsReservedKey(document))
    throw new Unreadable('The input holds the key __proto__, which libraries drop. (hook.input_reserved_key)');
  const event = host.read(document);
  if (event === null) throw new Unreadable(`The input is none that ${host.title} documents. (hook.input_unknown)`);
  return event;
}

/** People would answer about less than the host executes: its schema drops this key. */
function holdsReservedKey(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(holdsReservedKey);
}

/** Ends the command with the exit code that hosts take for a denial: the input does not name its event. */
function unreadable(error: unknown, io: Io): Ended {
  let what = 'The input cannot be read. (hook.input_unreadable)';
  if (error instanceof Unreadable) what = error.message;
  if (error instanceof DeadlinePassed) what = 'The input did not end in time. (hook.no_input)';
  if (error instanceof StrictJsonError) what = `The input is not JSON: ${error.message}. (hook.input_malformed)`;
  io.err(`Countersign denied this call: ${safe(what)}\n`);
  return new Ended(EXIT.usage);
}

/** A call that has ended is not denied any more: a failing report is told to the person. */
async function told(work: Promise<void>, io: Io): Promise<void> {
  try {
    await work;
  } catch (error) {
    io.err(`The outcome of this call was not reported.\n${explainError(error).lines.join('\n')}\n`);
    throw new Ended(EXIT.refused);
  }
}
