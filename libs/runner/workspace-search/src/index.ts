/**
 * The search over a code workspace that a runner offers, for the tool `search_workspace`.
 *
 * Owns the division of source files into pieces, the ranking of pieces for a question, and a session's index.
 *
 * Invariants: the index lies in the session's folder, outside the workspace, and goes with it. It holds no file that may hold secrets,
 * none that .gitignore leaves out, and follows no symbolic link. The answer of a call has excerpts of files, and an embedder of the
 * operator's gets pieces. Nothing else leaves the machine. A result is of the file as it is now. Files, bytes, time and memory are
 * bounded, and an answer counts the files that were left out.
 *
 * Never changes a file of the workspace, and never decides whether a call may go on.
 */
export { answerInThread } from './adapters/answer-in-thread.js';
export { searchInThread } from './adapters/search-in-thread.js';
export type { SearchEmbedder } from './domain/search-job.js';
export { SEARCH_WORKSPACE, searchTool } from './search-tool.js';
