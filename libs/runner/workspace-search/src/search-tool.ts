import { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import { defineTool, documentOf, namesOf, pathSchema, TOOL_SECONDS, type RunnerTool } from '#lib/workspace';
import { INDEX_LIMITS, type IndexLimits, type SearchEmbedder, type WorkspaceSearch } from './domain/search-job.js';

export const SEARCH_WORKSPACE = 'search_workspace';

const MAX_RESULTS = 20;
const USUAL_RESULTS = 8;

/** The parts of the search of one call. */
export interface SearchParts {
  readonly search: WorkspaceSearch;
  /** The folder of the session, which keeps the index. */
  readonly folder: string;
  readonly limits?: IndexLimits;
  /** Null if the operator of the runner names none. */
  readonly embedder?: SearchEmbedder | null;
}

/** The tool that finds code of the workspace by a question in words. It reads, and its answer has excerpts of files. */
export const searchTool = ({ search, folder, limits = INDEX_LIMITS, embedder = null }: SearchParts): RunnerTool =>
  defineTool({
    name: SEARCH_WORKSPACE,
    document: documentOf(
      'read',
      'Finds code of the workspace by a question: words, names, paths and near spellings. It leaves out what .gitignore leaves out, ' +
        'and files that may hold secrets. The answer has excerpts of files; the index stays on the runner.',
      TOOL_SECONDS,
      [],
      { reads: ['/path'] },
    ),
    schema: z.strictObject({
      query: z
        .string()
        .trim()
        .min(1)
        .max(500)
        .meta({ description: 'Words, names or parts of them: where are failed calls retried.' }),
      path: pathSchema('The folder or file to search; the root if absent.').optional(),
      language: z
        .string()
        .regex(/^[a-z]{1,20}$/, 'must be a name in lower-case letters, such as typescript')
        .optional()
        .meta({ description: 'Only files of this language, such as typescript, python or markdown.' }),
      limit: z
        .int()
        .min(1)
        .max(MAX_RESULTS)
        .optional()
        .meta({ description: `The most results; ${String(USUAL_RESULTS)} if absent.` }),
    }),
    run: async ({ root, signal }, { query, path = '.', language = null, limit: most = USUAL_RESULTS }) => {
      const answer = await search(
        {
          ...{ root, folder, query, path: namesOf(path).join('/'), language, most, limits },
          ...(embedder === null ? {} : { embedder }),
        },
        signal,
      );
      return answer as unknown as JsonObject; // an interface of JSON values, which has no index signature
    },
  });
