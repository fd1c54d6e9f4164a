import { ToolRefusal } from './tool-refusal.js';

const MAX_BYTES = 4_096;
const MAX_NAME_BYTES = 255;
/** Each folder on the way is held open, so that depth costs descriptors. */
const MAX_DEPTH = 64;

/**
 * The names on the way from the root to a file, by an agent's path: relative, with `/`. `.` names the root.
 *
 * @throws {ToolRefusal} `workspace.path_outside` for an absolute path or `..`, `workspace.invalid_path` for one that no file can have.
 */
export function namesOf(path: string): readonly string[] {
  if (path.startsWith('/')) {
    throw new ToolRefusal(
      'workspace.path_outside',
      `${said(path)} is absolute. Name the path from the workspace's root.`,
    );
  }
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) {
    throw new ToolRefusal(
      'workspace.path_outside',
      `${said(path)} climbs with "..". Name the path from the workspace's root.`,
    );
  }
  const invalid = path === '' || path.includes('\0') || !path.isWellFormed() || names.length > MAX_DEPTH;
  if (invalid || bytesOf(path) > MAX_BYTES || names.some((name) => bytesOf(name) > MAX_NAME_BYTES)) {
    throw new ToolRefusal(
      'workspace.invalid_path',
      `${said(path)} is no path of a file. Check its length and characters.`,
    );
  }
  return names;
}

/** The names of a path that is not the root itself. @throws {ToolRefusal} as {@link namesOf}, and for the root. */
export function namesBelowRoot(path: string): readonly string[] {
  const names = namesOf(path);
  if (names.length === 0) {
    throw new ToolRefusal('workspace.invalid_path', `${said(path)} is the root itself. Name something below it.`);
  }
  return names;
}

/** A path in the words of a message: quoted, and cut. */
export const said = (path: string): string => JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;
