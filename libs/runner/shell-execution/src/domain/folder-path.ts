import { Stop } from './stop.js';

/** A path inside one of the folders that a line is confined to. `steps` are as spelled: `..` among them, `.` and empty ones not. */
export interface FolderPath {
  readonly base: string;
  readonly steps: readonly string[];
}

/**
 * Finds the folder that a path lies in.
 *
 * @param bases absolute paths; the first is the base of relative paths
 * @param folder the current folder, by its names below the first base
 * @throws Stop `shell.outside_root` if the spelling alone leads out
 */
export function folderPath(bases: readonly string[], folder: readonly string[], path: string): FolderPath {
  const [root = ''] = bases;
  const base = path.startsWith('/') ? bases.find((each) => path === each || path.startsWith(`${each}/`)) : root;
  const spelled = (path.startsWith('/') ? path.slice(base?.length ?? 0) : path).split('/');
  const steps = [...(path.startsWith('/') ? [] : folder), ...spelled.filter((name) => name !== '' && name !== '.')];
  if (base === undefined || leavesBase(steps)) throw outside(path);
  return { base, steps };
}

export const outside = (path: string): Stop =>
  new Stop('shell.outside_root', `The path ${path} lies outside the workspace. Name a path inside it.`);

function leavesBase(steps: readonly string[]): boolean {
  let depth = 0;
  for (const step of steps) {
    depth += step === '..' ? -1 : 1;
    if (depth < 0) return true;
  }
  return false;
}
