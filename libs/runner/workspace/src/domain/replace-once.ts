import { ToolRefusal } from './tool-refusal.js';
import { said } from './workspace-path.js';

/**
 * Replaces the only occurrence of a text.
 *
 * @throws {ToolRefusal} `workspace.text_not_found`, or `workspace.text_not_unique` with the number of occurrences: overlapping
 *   ones count, since each could be meant.
 */
export function replaceOnce(text: string, oldText: string, newText: string, path: string): string {
  const at = text.indexOf(oldText);
  if (at === -1) {
    throw new ToolRefusal('workspace.text_not_found', `${said(path)} does not hold the old text. Read the file again.`);
  }
  let found = 1;
  for (let next = text.indexOf(oldText, at + 1); next !== -1; next = text.indexOf(oldText, next + 1)) found += 1;
  if (found > 1) {
    throw new ToolRefusal(
      'workspace.text_not_unique',
      `${said(path)} holds the old text ${String(found)} times. Give more of the lines around it.`,
    );
  }
  return text.slice(0, at) + newText + text.slice(at + oldText.length);
}
