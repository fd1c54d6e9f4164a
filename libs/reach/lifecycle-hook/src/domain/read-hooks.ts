import { documentRefusal, explainIssue, parseYaml, positionOf, type ParsedYaml } from '#lib/autonomy';
import {
  hookProgramNameSchema,
  lifecycleHooksDocumentSchema,
  MAX_HOOKS_BYTES,
  type LifecycleHookDocument,
} from '#lib/formats';
import { err, ok, type Failure, type FieldError, type Result } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';
import type { CommandAction, HookSettings } from './lifecycle-hook.js';
import { holdsPlaceholder, isKnown, namesIn, placeholderOf, PLACEHOLDERS } from './placeholders.js';

const MAX_ERRORS = 20;

type Refuse = (pointer: string, code: string, message: string) => void;
type CommandDocument = Extract<LifecycleHookDocument['action'], { type: 'command' }>;

/**
 * Reads the YAML of a tenant's hooks. Every error has its line and column.
 *
 * @returns `lifecycle_hook.too_large`, `lifecycle_hook.unreadable` (not YAML), `lifecycle_hook.invalid` (YAML with a mistake).
 */
export function readHooks(source: string): Result<readonly HookSettings[]> {
  if (Buffer.byteLength(source) > MAX_HOOKS_BYTES) return err(tooLarge);
  const parsed = parseYaml(source);
  if (!parsed.ok) return err(refusal(parsed.error));
  const yaml = parsed.value;
  const checked = lifecycleHooksDocumentSchema.safeParse(yaml.value, { error: wordsOfIssue });
  if (!checked.success) {
    const context = { area: 'lifecycle_hook', schema: lifecycleHooksDocumentSchema, value: yaml.value, yaml };
    return err(refusal(checked.error.issues.slice(0, MAX_ERRORS).flatMap((issue) => explainIssue(issue, context))));
  }
  const errors: FieldError[] = [];
  const hooks = checked.data.hooks.map((hook, index) => {
    const at = `/hooks/${String(index)}`;
    const refuse = refusingAt(yaml, errors);
    if (checked.data.hooks.findIndex(({ name }) => name === hook.name) < index)
      refuse(`${at}/name`, 'named_twice', `Another hook has the name ${hook.name}.`);
    return settingsOf(hook, checked.data.runner, `${at}/action`, refuse);
  });
  return errors.length === 0 ? ok(hooks) : err(refusal(errors.slice(0, MAX_ERRORS)));
}

const refusingAt =
  (yaml: ParsedYaml, errors: FieldError[]): Refuse =>
  (pointer, code, message) => {
    errors.push({ pointer, code: `lifecycle_hook.${code}`, message, ...positionOf(pointer, yaml) });
  };

function settingsOf(
  { name, event, matcher, action, enabled }: LifecycleHookDocument,
  runner: CommandDocument['runner'],
  pointer: string,
  refuse: Refuse,
): HookSettings {
  if (action.type === 'log') {
    for (const each of namesIn(action.message)) checkName(each, `${pointer}/message`, refuse);
    return { name, event, matcher, action, enabled };
  }
  return { name, event, matcher, action: commandOf(action, action.runner ?? runner, pointer, refuse), enabled };
}

function commandOf(
  action: CommandDocument,
  runner: CommandDocument['runner'],
  pointer: string,
  refuse: Refuse,
): CommandAction {
  const command = `${pointer}/command`;
  const [program = '', ...given] = wordsOf(action.command, command, refuse);
  if (holdsPlaceholder(program)) refuse(command, 'placeholder_as_program', AS_PROGRAM);
  else if (!hookProgramNameSchema.safeParse(program).success) refuse(command, 'wrong_program', WRONG_PROGRAM);
  for (const text of given) checkWhole(text, command, refuse);
  for (const [name, text] of Object.entries(action.variables)) checkWhole(text, `${pointer}/variables/${name}`, refuse);
  if (runner === undefined) refuse(pointer, 'no_runner', NO_RUNNER);
  return {
    type: 'command',
    program,
    arguments: given,
    variables: action.variables,
    timeoutSeconds: action.timeout_seconds,
    pool: runner?.pool ?? '',
    environment: runner?.environment ?? '',
  };
}

/** Characters that a shell reads. No shell is there, so that their author would mean something else. */
const SHELL_SYNTAX = /[|&;<>()$`\\"'*?[\]#~!\n\r\t]/;

function wordsOf(command: CommandDocument['command'], pointer: string, refuse: Refuse): readonly string[] {
  if (typeof command !== 'string') return command;
  if (SHELL_SYNTAX.test(command)) refuse(pointer, 'shell_syntax', NO_SHELL);
  // The spaces in {{ toolName }} divide nothing.
  return command.match(/\{\{ *[^{}]* *\}\}(?=$| )|[^ ]+/g) ?? [''];
}

function checkWhole(text: string, pointer: string, refuse: Refuse): void {
  if (text.includes('\0')) refuse(pointer, 'nul', 'The character NUL can stand in no argument and no variable.');
  if (!holdsPlaceholder(text)) return;
  const name = placeholderOf(text);
  if (name === null) refuse(pointer, 'part_of_argument', WHOLE);
  else checkName(name, pointer, refuse);
}

function checkName(name: string | null, pointer: string, refuse: Refuse): void {
  if (name !== null && isKnown(name)) return;
  const what = name === null ? 'These braces hold no placeholder.' : `There is no placeholder {{${name}}}.`;
  refuse(pointer, 'unknown_placeholder', `${what} Name one of ${PLACEHOLDERS.join(', ')}, or args. and an argument.`);
}

const AS_PROGRAM =
  'A placeholder never names the program. Write the name under which the operator of the runner lists it.';
const WRONG_PROGRAM =
  'The first word is the name under which the operator of the runner lists a program: letters, digits and . _ / - alone.';
const NO_SHELL =
  'No shell reads this line, so that quotes, variables, pipes and patterns have no meaning in it. Write the words as a list, in which each character stands for itself.';
const WHOLE =
  'A placeholder is one whole argument, or the whole value of a variable. Separate it from the text around it.';
const NO_RUNNER =
  'A command runs on a runner. Name one for this hook or for all: runner: {pool: ..., environment: ...}.';

const tooLarge: Failure = {
  kind: 'too_large',
  code: 'lifecycle_hook.too_large',
  message: `The hooks have at most ${String(MAX_HOOKS_BYTES)} bytes.`,
  action: 'Shorten or remove some.',
};

const refusal = (errors: readonly FieldError[]): Failure =>
  documentRefusal('lifecycle_hook', 'The hooks are refused.', errors);
