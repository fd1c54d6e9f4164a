import type { ParsedScript } from 'unbash';
import { allowListingOf } from './allow-list.js';
import { checkText } from './check-text.js';
import { COMMAND_TABLE, type CommandTable } from './command-table.js';
import { worseClass } from './class-rank.js';
import { Judgement } from './judgement.js';
import { NO_COMMAND, Refusal, UNREADABLE } from './refusal.js';
import type { Part, Shell, ShellClass, ShellVerdict, Tier } from './verdict.js';
import { Walk } from './walk.js';

/**
 * Judges the effect of a command line (ADR-007). Pure and deterministic; never throws. Work is bounded by the caps of `LIMITS`, and each
 * of them is Tier 3.
 *
 * @param shell the shell that will read the line. `unknown` is judged as bash, zsh and sh at once, the worst counting.
 */
export function classifyCommand(command: string, shell: Shell = 'unknown'): ShellVerdict {
  return classifyBy(COMMAND_TABLE, command, shell);
}

/** As {@link classifyCommand}, by a table of the caller's. */
export function classifyBy(table: CommandTable, command: string, shell: Shell): ShellVerdict {
  const judgement = new Judgement(shell);
  let script: ParsedScript | null = null;
  try {
    checkText(command);
    script = new Walk(judgement, table).line(command, shell);
    judgeTogether(judgement, command);
  } catch (error) {
    judgement.construct({ class: 'UNKNOWN', tier: 3, ...refusalOf(error, command) });
  }
  return verdictOf(judgement, script, command);
}

/** Judges the things that only the line as a whole shows. */
function judgeTogether(judgement: Judgement, command: string): void {
  const whole = { start: 0, end: command.length };
  if (judgement.parts.length === 0) judgement.construct({ class: 'UNKNOWN', tier: 3, ...NO_COMMAND, ...whole });
  judgement.judgeEvaluated();
  judgement.judgeMoves();
  judgement.judgeReads();
  const recursive = judgement.recursion();
  if (recursive === null) return;
  const message = `The function ${recursive} calls itself: it can fill the machine with processes.`;
  judgement.construct({ class: 'DESTRUCTIVE', tier: 3, code: 'shell.fork_bomb', message, ...whole });
}

function refusalOf(error: unknown, command: string): { code: string; message: string; start: number; end: number } {
  if (error instanceof Refusal) {
    const { code, message, start, end } = error;
    return { code, message, start, end: Math.max(end, Math.min(start + 1, command.length)) };
  }
  return { ...UNREADABLE, start: 0, end: command.length };
}

/** By their starts; the longer part first. */
const inOrder = (a: Part, b: Part): number => a.start - b.start || b.end - a.end;

/** True of most lines: their parts are found in the order of their starts. */
function isInOrder(parts: readonly Part[]): boolean {
  for (let at = 1; at < parts.length; at++) {
    const [before, part] = [parts[at - 1], parts[at]];
    if (before !== undefined && part !== undefined && inOrder(before, part) > 0) return false;
  }
  return true;
}

/** @param script null if the line cannot be read */
function verdictOf(judgement: Judgement, script: ParsedScript | null, command: string): ShellVerdict {
  const { parts } = judgement;
  if (!isInOrder(parts)) parts.sort(inOrder);
  let tier: Tier = 1;
  let shellClass: ShellClass = 'READ_ONLY';
  let { network } = judgement;
  for (const part of parts) {
    if (part.tier > tier) tier = part.tier;
    shellClass = worseClass(shellClass, part.class);
    network ||= part.class === 'NETWORK';
  }
  const allowListed = tier === 3 || script === null ? 'blocked' : allowListingOf(parts, script, command);
  return { shell: judgement.shell, tier, class: shellClass, allowListed, parts, network };
}
