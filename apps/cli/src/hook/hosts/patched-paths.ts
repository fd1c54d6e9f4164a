import type { HookRefusal } from '../hook-refusal.js';
import type { HostCall } from '../host-call.js';

const HEADER = /\*\*\* (?:Add File|Update File|Delete File|Move to):(.*)$/s;
const OTHER_MARKER = /^\*\*\* (?:Begin Patch|End Patch|End of File)$/;
/** Blanks and invisible characters, of which each parser trims a choice of its own. */
const AROUND = /^[\s\p{Z}\p{C}]+|[\s\p{Z}\p{C}]+$/gu;
/** Characters that end a line for some parsers and not for others. */
const DIVIDES = /[\p{Cc}\u2028\u2029]/u;

/**
 * The paths that a patch names, each once, or the refusal of a patch that parsers read in different ways. Codex (`codex-rs/apply-patch`)
 * divides at line feeds and trims lines. opencode wants its markers at the start of a line, and no blank behind them. A line of
 * the patch's text that holds a header counts too. One path too many is asked about, never one too few.
 */
export function patchedPaths(patch: string): { readonly paths: readonly string[] } | { readonly refusal: HookRefusal } {
  const paths = new Set<string>();
  for (const [index, line] of patch.split('\n').entries()) {
    const path = HEADER.exec(line.replace(/\r$/, ''))?.[1];
    const trimmed = line.replace(AROUND, '');
    if (path === undefined && (!trimmed.startsWith('***') || OTHER_MARKER.test(trimmed))) continue;
    if (path === undefined || path.trim() === '' || DIVIDES.test(line.replace(/\r$/, '')))
      return { refusal: unclear(index + 1) };
    paths.add(path.trim());
  }
  return { paths: [...paths] };
}

/** A call of `apply_patch` is judged by the paths of its patch. */
export function patchCall(
  tool: string,
  input: HostCall['input'],
  member: string,
): Pick<HostCall, 'tool' | 'input' | 'refusal'> {
  const patch = input[member];
  if (tool !== 'apply_patch' || typeof patch !== 'string') return { tool, input };
  const patched = patchedPaths(patch);
  return 'paths' in patched ? { tool, input: { ...input, paths: patched.paths } } : { tool, input, ...patched };
}

const unclear = (line: number): HookRefusal => ({
  code: 'hook.patch_unclear',
  message: `Line ${String(line)} of the patch names no path for certain. Write its header as "*** Update File: path", without control characters, and begin no other line with ***.`,
});
