import type { ToolDefinition } from '#lib/formats';
import type { FieldError } from '#lib/kernel';
import { declaredAt } from './declared-names.js';
import { member } from './json-pointer.js';

/**
 * Checks the member `shell` of a definition. A tool with one changes state, since any command line can. Only a verdict
 * on the line makes a single call a read. Its argument is a string of the parameters that is no secret, since people
 * and the classifier read it.
 *
 * @param at the pointer of the tool in the submitted document.
 */
export function shellErrors(tool: ToolDefinition, at: string): FieldError[] {
  const { shell } = tool;
  if (shell === undefined) return [];
  const errors: FieldError[] = [];
  if (tool.surface !== 'terminal') {
    errors.push({
      pointer: `${at}/surface`,
      code: 'tool.shell_beside_terminal',
      message: 'A tool that takes a command line has the surface terminal.',
      suggestion: 'terminal',
    });
  }
  if (tool.effect === 'read') {
    errors.push({
      pointer: `${at}/risk`,
      code: 'tool.shell_contradicts_risk',
      message:
        'A command line can change anything, so its tool is a state change. A line that only reads counts as a read by itself.',
      suggestion: 'state_change_nonprod',
    });
  }
  const node = declaredAt(tool.parameters, shell.argument);
  if (member(node, 'type') !== 'string' || member(node, 'writeOnly') === true) {
    errors.push({
      pointer: `${at}/shell/argument`,
      code: 'tool.shell_argument_not_a_string',
      message: `${shell.argument} is not declared in parameters as a string that is no secret.`,
    });
  }
  return errors;
}
