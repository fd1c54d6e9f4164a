import type { ToolDocument } from '#lib/formats';
import { DEFAULT_LIMITS } from '#lib/workspace';
import { SEARCH_WORKSPACE, searchInThread, searchTool, type SearchEmbedder } from '#lib/workspace-search';
import type { ServedTool } from './served-tool.js';
import type { SessionFolders } from './session-folders.js';

/** The parts of the search of a runner. */
export interface ServedSearch {
  readonly root: string;
  readonly sessions: SessionFolders;
  /** The compiled `search-thread.js`. */
  readonly program: URL;
  readonly embedder: SearchEmbedder | null;
}

/** Searches the workspace in a thread. The index lies in the folder of the session that the grant names. */
export function servedSearch({ root, sessions, program, embedder }: ServedSearch): ServedTool {
  const search = searchInThread(program);
  return {
    name: SEARCH_WORKSPACE,
    parameters: searchDocument.parameters ?? {},
    reads: true,
    call: async (callArguments, { claims, signal, output, secretsToMask }) => {
      const tool = searchTool({ search, folder: await sessions.of(claims, Date.now()), embedder });
      return await tool.call({ root, signal, output, limits: DEFAULT_LIMITS, secretsToMask }, callArguments);
    },
  };
}

/** The document of the tool: a tenant's catalog takes it over. */
export const searchDocument: ToolDocument = searchTool({
  search: () => Promise.reject(new Error('no tool is called')),
  folder: '',
}).document;
