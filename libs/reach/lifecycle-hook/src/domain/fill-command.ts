import { HOOK_TOOL, type HookCall } from '#lib/formats';
import { err, ok, type Result } from '#lib/kernel';
import type { CommandAction } from './lifecycle-hook.js';
import { filled, placeholderOf, type HookValues } from './placeholders.js';

/** The most characters of one value, and of all arguments and variables together. */
const MAX_VALUE = 8_192;
const MAX_ALL = 65_536;

/** The reason why a command hook was not executed for an event. It holds no value. */
export interface HookFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * The call of a program with the values of one event. Each value is one whole argument or one variable: no shell reads it, and
 * nothing splits it. A program might read an argument that begins with `-` as an option. Such a value is refused before
 * a `--`.
 *
 * Errors: `lifecycle_hook.leading_dash`, `lifecycle_hook.nul`, `lifecycle_hook.value_too_long`.
 */
export function fillCommand(action: CommandAction, values: HookValues): Result<HookCall, HookFailure> {
  const dashes = action.arguments.indexOf('--');
  const isAfterDashes = (index: number): boolean => dashes !== -1 && index > dashes;
  for (const [index, text] of action.arguments.entries()) {
    if (placeholderOf(text) !== null && !isAfterDashes(index) && filled(text, values).startsWith('-'))
      return err({
        code: 'lifecycle_hook.leading_dash',
        message: `The value of ${text} begins with "-". Put the placeholder after an argument --, or into a variable.`,
      });
  }
  const given = action.arguments.map((text) => filled(text, values));
  const variables = Object.entries(action.variables).map(([name, text]) => [name, filled(text, values)] as const);
  const all = [...given, ...variables.map(([, value]) => value)];
  if (all.some((value) => value.includes('\0')))
    return err({ code: 'lifecycle_hook.nul', message: 'A value holds the character NUL, which no argument can hold.' });
  if (all.some((value) => value.length > MAX_VALUE) || all.join('').length > MAX_ALL)
    return err({
      code: 'lifecycle_hook.value_too_long',
      message: `A value is longer than ${String(MAX_VALUE)} characters, or all together are longer than ${String(MAX_ALL)}. Name a part of it, such as {{args.path}}.`,
    });
  return ok({
    program: action.program,
    arguments: given.map((value) => value.toWellFormed()),
    variables: Object.fromEntries(variables.map(([name, value]) => [name, value.toWellFormed()])),
    timeout_seconds: action.timeoutSeconds,
  });
}

/** The tool of such a call; it never changes. */
export const HOOK_CALL_TOOL = { name: HOOK_TOOL, version: 1, idempotent: false } as const;
