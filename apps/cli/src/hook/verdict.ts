import type { ToolCallView } from '#lib/api-schemas';
import type { ShellName } from '#lib/formats';
import type { HookRefusal } from './hook-refusal.js';

/** The call as it was asked about. */
export interface AskedCall {
  readonly argumentsDigest: string;
  /** The shell that executes command lines of this host. */
  readonly shell: ShellName;
}

/** `reported`: whether Countersign awaits the outcome of the call. */
export type Verdict =
  | { readonly allow: true; readonly message: string; readonly reported: boolean }
  | { readonly allow: false; readonly refusal: HookRefusal };

const DECISIONS: Readonly<Partial<Record<NonNullable<ToolCallView['decided_as']>, string>>> = {
  auto_approved: 'its policies ask nobody about this call',
  approved: 'a person approved this call',
  trusted: 'a person approved calls like this one in this session',
};

/**
 * Reads an answer of Countersign for a host that executes the call itself. An allow counts only for exactly the arguments that
 * were asked about, and for the shell that executes them. If an executor makes the call, too, it does not count. Anything else is
 * a denial (T56).
 */
export function verdictOf(answer: ToolCallView, { argumentsDigest, shell }: AskedCall): Verdict {
  const { outcome, answered_by: by } = answer;
  if (outcome === 'denied') return denied(denialOf(answer));
  if (by === 'executor')
    return denied({
      code: 'hook.executed_elsewhere',
      message:
        'An executor of Countersign makes calls of this tool, so this program must not make them too. Give the tool an executor of kind agent in this environment, or none.',
    });
  const mine = outcome === 'executing' && by === 'agent' && answer.grant !== undefined;
  if (!mine && !(outcome === 'allowed' && by === null))
    return denied({
      code: 'hook.call_over',
      message: `Countersign's answer no longer allows this call: it is ${outcome}. Ask for it anew.`,
    });
  if (answer.arguments_digest !== argumentsDigest)
    return denied({ code: 'hook.other_arguments', message: 'Countersign answered about other arguments.' });
  const judgedFor = answer.shell?.shell ?? 'unknown';
  if (judgedFor !== 'unknown' && judgedFor !== shell)
    return denied({
      code: 'hook.other_shell',
      message: `The verdict holds for ${judgedFor}, and this program's shell is ${shell === 'unknown' ? 'not known' : shell}. Map the call to a tool that names no shell for its line, or this one.`,
    });
  const why = DECISIONS[answer.decided_as ?? 'approved'] ?? 'it is allowed';
  return { allow: true, reported: mine, message: `Countersign allowed it: ${why}.` };
}

const denied = (refusal: HookRefusal): Verdict => ({ allow: false, refusal });

/** Reasons stand one behind another, and not all of them end with a stop. */
const asSentence = (reason: string): string => reason.replace(/[^.!?]$/, '$&.');

/** The most reasons that an agent is told. */
const MAX_REASONS = 8;

function denialOf({ denial, reasons, errors, shell }: ToolCallView): HookRefusal {
  if (denial !== null) return denial;
  const parts = shell?.tier === 3 ? shell.parts.filter(({ tier }) => tier === 3).flatMap((part) => part.reasons) : [];
  const told = [
    ...reasons.map(({ message }) => message),
    ...parts.map(({ message }) => message),
    ...errors.map(({ pointer, message }) => `${pointer}: ${message}`),
  ];
  const message = [...new Set(told)].slice(0, MAX_REASONS).map(asSentence).join(' ');
  return { code: reasons[0]?.code ?? 'policy.denied', message: message || 'Policy denies this call.' };
}
