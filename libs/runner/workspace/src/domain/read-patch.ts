import { applyPatch, parsePatch, type StructuredPatch } from 'diff';
import { ownMember } from '#lib/canonical';
import { ToolRefusal } from './tool-refusal.js';
import { said } from './workspace-path.js';

/** One file of a patch. `from` is null for a new file, `to` for one that is deleted; both differ for a rename. */
export interface PatchedFile {
  readonly from: string | null;
  readonly to: string | null;
  /** The new permissions, if the patch states them. */
  readonly mode: number | null;
  readonly patch: StructuredPatch;
}

const MODES: Readonly<Record<string, number>> = { '100644': 0o644, '100755': 0o755 };
/**
 * Comparisons of lines while the place of a hunk is looked for. Without a bound, one line repeated would take the
 * square of the file.
 */
const MAX_COMPARISONS = 5_000_000;

/**
 * Reads a patch as git writes it, with `a/` and `b/` before paths.
 *
 * @throws {ToolRefusal} `workspace.invalid_patch`, `workspace.unsupported_patch` for binary files, symbolic links, submodules and
 *   copies.
 */
export function readPatch(text: string): readonly PatchedFile[] {
  const files = parsed(text).map(fileOf);
  const paths = files.flatMap(({ from, to }) => [...new Set([from, to])]).filter((path) => path !== null);
  if (files.length === 0) throw invalid('it names no file');
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw invalid(`it names ${said(twice)} twice`);
  return files;
}

function parsed(text: string): readonly StructuredPatch[] {
  try {
    return parsePatch(text);
  } catch (problem) {
    throw invalid(problem instanceof Error ? problem.message : 'it cannot be read');
  }
}

function fileOf(patch: StructuredPatch): PatchedFile {
  const from = pathOf(patch.oldFileName);
  const to = pathOf(patch.newFileName);
  const created = patch.isCreate === true || from === null;
  const deleted = patch.isDelete === true || to === null;
  const shown = said(to ?? from ?? '');
  if (patch.isBinary === true || patch.isCopy === true) {
    throw new ToolRefusal(
      'workspace.unsupported_patch',
      `The patch of ${shown} is of a binary file or a copy. Write the file instead.`,
    );
  }
  if (created && deleted) throw invalid(`it both creates and deletes ${shown}`);
  const stated = deleted ? patch.oldMode : patch.newMode;
  const mode = stated === undefined ? null : ownMember(MODES, stated);
  if (mode === undefined) {
    throw new ToolRefusal(
      'workspace.unsupported_patch',
      `The patch makes ${shown} no ordinary file, but one of mode ${said(stated ?? '')}.`,
    );
  }
  if (patch.hunks.length === 0 && mode === null && from === to) throw invalid(`it changes nothing of ${shown}`);
  return { from: created ? null : from, to: deleted ? null : to, mode, patch };
}

function pathOf(name: string | undefined): string | null {
  if (name === undefined || name === '/dev/null') return null;
  const [, path] = /^[ab]\/(.+)$/s.exec(name) ?? [];
  if (path === undefined) throw invalid(`${said(name)} does not begin with a/ or b/`);
  return path;
}

/**
 * The new text of a file. A hunk may stand some lines away from its place. Every line of it must be as the patch has
 * it.
 *
 * @throws {ToolRefusal} `workspace.patch_does_not_apply`
 */
export function patchText(text: string, { from, to, patch }: PatchedFile): string {
  let comparisons = 0;
  const patched = applyPatch(text, patch, {
    fuzzFactor: 0,
    autoConvertLineEndings: false,
    compareLine: (_, line, __, wanted) => {
      if ((comparisons += 1) > MAX_COMPARISONS) throw invalid('its lines are too many and too alike');
      return line === wanted;
    },
  });
  if (patched !== false) return patched;
  throw new ToolRefusal(
    'workspace.patch_does_not_apply',
    `The patch does not fit ${said(to ?? from ?? '')}. Read the file again, and make the patch anew.`,
  );
}

const invalid = (reason: string): ToolRefusal =>
  new ToolRefusal('workspace.invalid_patch', `The patch cannot be used: ${reason}.`);
