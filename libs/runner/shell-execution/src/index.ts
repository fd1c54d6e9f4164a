/**
 * Executes a command line on a runner (ADR-007): the tree that was classified and approved, and never the text (T53).
 *
 * Owns the meaning of a tree: words, patterns, redirections and pipes as bash has them. Each program is started without
 * a shell. A line is confined to a workspace, an environment of its own, a time limit and caps. Bubblewrap keeps its
 * programs in if the machine has it.
 *
 * Invariants: only a tree whose digest was approved runs, and the runner makes that tree from the line itself. No path of a redirection
 * or a pattern follows a symbolic link or leaves the workspace. No name of a file becomes an option. Every cap ends the line or cuts
 * off its output. After a line, none of its process groups has a member.
 *
 * Never decides whether a call may run: the grant does. Without bubblewrap it executes nothing, unless the runner's operator accepted
 * that. Then it does not keep a program from reading or writing elsewhere, nor end one that left its process group. The result says so.
 */
export { createTreeExecutor, refusalOf, type ExecuteTree } from './execute-tree.js';
export { DEFAULT_SHELL_LIMITS } from './domain/limits.js';
