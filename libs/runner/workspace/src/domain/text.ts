import { ToolRefusal } from './tool-refusal.js';
import { said } from './workspace-path.js';

/** The text of a file, or null for a binary one: a NUL, or bytes that are not UTF-8. A byte-order mark stays. */
export function textOf(content: Uint8Array): string | null {
  if (content.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    return null;
  }
}

/** @throws {ToolRefusal} `workspace.binary_file` */
export function requireText(content: Uint8Array, path: string): string {
  const text = textOf(content);
  if (text !== null) return text;
  throw new ToolRefusal(
    'workspace.binary_file',
    `${said(path)} is binary (${String(content.length)} bytes), and no text.`,
  );
}

/** The beginning of a text within so many UTF-8 bytes, cut at the end of a line if possible. */
export function cutText(text: string, most: number): { readonly text: string; readonly truncated: boolean } {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= most) return { text, truncated: false };
  // Without `fatal`, a character cut in two becomes the replacement character at the end.
  const cut = new TextDecoder().decode(bytes.subarray(0, most)).replace(/\uFFFD$/, '');
  const line = cut.lastIndexOf('\n');
  return { text: line === -1 ? cut : cut.slice(0, line + 1), truncated: true };
}
