/**
 * Judges command lines (ADR-007), and the paths that other calls name: a deterministic verdict on their effect, without executing anything.
 *
 * Owns the reading of a line as bash, sh or zsh would read it. Owns the table of commands: each program, its
 * subcommands, and the effect of its options.
 *
 * Invariants: the same line has the same verdict, always. The line is as bad as the worst of its commands, wherever it stands. A line
 * that cannot be read, or is beyond a cap, is Tier 3. An unknown program or option is never Tier 1. The verdict names the shell it
 * holds for; for an unknown one, it holds for bash, zsh and sh.
 *
 * Never executes, expands or looks up anything: files, variables, aliases and the configuration of programs count as trusted. Never
 * decides whether a call may go on: policy does, with the verdict as a fact.
 */
export { CLASS_LEVEL } from './domain/class-level.js';
export { classifyCommand } from './domain/classify-command.js';
export { commandNames } from './domain/command-names.js';
export { executableTree } from './domain/executable-tree.js';
export { judgePaths, type PathVerdict } from './domain/judge-paths.js';
export { isSecretPath } from './domain/paths.js';
export { shapeOf } from './domain/shape-of.js';
export type { Shell, ShellVerdict, Tier } from './domain/verdict.js';
export {
  BRACKET_PATTERN,
  shellTreeSchema,
  treeDigest,
  type ShellTree,
  type TreeCommand,
  type TreeList,
  type TreePiece,
  type TreePipeline,
  type TreeRedirection,
  type TreeVariable,
  type TreeWord,
} from './domain/shell-tree.js';
