const HEADER = /^\s*\*\*\* (?:Add File|Update File|Delete File|Move to): (.+?)\s*$/gm;

/**
 * The paths that a patch of Codex's `apply_patch` names (`codex-rs/apply-patch/apply_patch_tool_instructions.md`), each once. A line of
 * the patch's text that looks like a header counts too: one path too many is asked about, never one too few.
 */
export const patchedPaths = (patch: string): readonly string[] => [
  ...new Set([...patch.matchAll(HEADER)].map(([, path = '']) => path)),
];
