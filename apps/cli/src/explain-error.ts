import { CommanderError } from 'commander';
import pc from 'picocolors';
import { errorCode, FailureError } from '#lib/kernel';
import { suggestionInWords } from '#lib/words';
import { CountersignError, type Problem } from '#lib/sdk';
import { CommandError, Ended, EXIT } from './exit-codes.js';
import { oneLine, safe } from './output.js';

/** The message and the exit code of a failed command. */
export interface Explanation {
  readonly exitCode: number;
  readonly lines: readonly string[];
  /** The same for programs, on standard error with --json; null if everything has been said. */
  readonly json: unknown;
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR']);
const OWN_IT =
  'Let the account that starts it own the data folder, with room in it. COUNTERSIGN_DATA names it; without, it is .countersign/.';

/** Tells the error, its position, and the action to take. */
export function explainError(error: unknown): Explanation {
  if (error instanceof Ended) return { exitCode: error.exitCode, lines: [], json: null };
  if (error instanceof CommanderError) {
    return error.exitCode === 0 ? { exitCode: EXIT.ok, lines: [], json: null } : ofCommandLine(error);
  }
  if (error instanceof CommandError) {
    const { exitCode, message, action, details, code } = error;
    return said(exitCode, 'error', code, message, details, action);
  }
  if (error instanceof CountersignError) return ofProblem(error.problem);
  if (error instanceof FailureError) {
    const { code, message, action, kind } = error.failure;
    // Commands on the server itself are refused here as well: that is no fault of the machine.
    const outage = kind === 'unavailable' || kind === 'internal' || code.startsWith('start.');
    const exitCode = outage ? EXIT.unavailable : EXIT.refused;
    return said(exitCode, 'error', code, message, [], action ?? '');
  }
  const code = errorCode(error) ?? '';
  if (UNWRITABLE.has(code) && error instanceof Error && 'path' in error) {
    const message = `${String(error.path)} cannot be read or written (${code}).`;
    return said(EXIT.unavailable, 'error', 'start.data_refused', message, [], OWN_IT);
  }
  return said(
    EXIT.unavailable,
    'error',
    'command.failed',
    error instanceof Error ? error.message : String(error),
    [],
    '',
  );
}

/** People have read it already, with the probable meaning; programs get the same. */
function ofCommandLine({ code, message }: CommanderError): Explanation {
  const error = {
    code: 'command.usage',
    message: code === 'commander.help' ? 'No command was given.' : message,
    action: 'See countersign --help, or countersign help COMMAND.',
    details: [],
  };
  return { exitCode: EXIT.usage, lines: [], json: { error } };
}

function said(
  exitCode: number,
  word: string,
  code: string,
  message: string,
  details: readonly string[],
  action: string,
): Explanation {
  return {
    exitCode,
    lines: [
      `${pc.red(`${word}:`)} ${safe(message)}${code === 'command.failed' ? '' : pc.dim(` (${code})`)}`,
      ...details.map((line) => `  - ${safe(line)}`),
      ...(action === '' ? [] : [`  ${safe(action)}`]),
    ],
    json: { error: { code, message, action, details } },
  };
}

function ofProblem(problem: Problem): Explanation {
  const { status, code, detail, action, reasons, errors } = problem;
  const unanswered = status === 0 || status >= 500;
  return {
    exitCode: unanswered ? EXIT.unavailable : EXIT.refused,
    lines: [
      `${pc.red(unanswered ? 'error:' : 'refused:')} ${safe(detail)} ${pc.dim(`(${code})`)}`,
      ...(reasons ?? []).map((reason) => `  - ${safe(reason.message)} ${pc.dim(reason.rule)}`),
      ...(errors ?? []).map((wrong) => `  - ${errorText(wrong)}`),
      ...plansIn(problem).map((plan) => `  - plan ${plan}`),
      ...(action === undefined ? [] : [`  ${safe(action)}`]),
    ],
    json: { error: problem },
  };
}

/** The plans that stand in the way, if a refusal names any. */
const plansIn = ({ details }: Problem): string[] => (details?.plans ?? []).map(oneLine);

/** The position, the error, and the probable meaning. */
function errorText({ line, column, pointer, message, suggestion }: NonNullable<Problem['errors']>[number]): string {
  const position = [
    ...(line === undefined ? [] : [`line ${String(line)}, column ${String(column ?? 1)}`]),
    ...(pointer === '' ? [] : [oneLine(pointer)]),
  ].join(', ');
  return `${position === '' ? '' : `${position}: `}${safe(message)}${suggestion === undefined ? '' : ` ${oneLine(suggestionInWords(suggestion))}`}`;
}
