import { z } from 'zod';
import type { RunnerTool } from '../domain/runner-tool.js';
import { namesBelowRoot } from '../domain/workspace-path.js';
import { pathSchema } from '../tools/path-schema.js';
import type { WorkspaceSettings } from '../tools/settings.js';
import { repositoryTool } from './repository-tool.js';

const MAX_MESSAGE = 2_000;
const FIELDS = ['%H', '%an', '%aI', '%s', '%b'];

export const gitLog = (settings: WorkspaceSettings): RunnerTool =>
  repositoryTool(settings, {
    name: 'git-log',
    description: 'Lists the latest commits of the branch that is checked out.',
    schema: z.strictObject({
      limit: z.int().min(1).max(200).optional().meta({ description: 'How many at most; 20 if absent.' }),
      path: pathSchema('Only commits that changed this file or folder.').optional(),
    }),
    reads: ['/path'],
    read: async (repository, { limit = 20, path }) => {
      if ((await repository.head()).commit === null) return { commits: [] };
      const { text } = await repository.git([
        ...['log', '-z', `--max-count=${String(limit)}`, '--no-notes', '--no-color', `--format=${FIELDS.join('%x1f')}`],
        ...['HEAD', '--', ...(path === undefined ? [] : [namesBelowRoot(path).join('/')])],
      ]);
      const commits = text.split('\0').filter((commit) => commit !== '');
      return {
        commits: commits.map((commit) => {
          const [id = '', author = '', date = '', subject = '', body = ''] = commit.split('\x1f');
          return { id, author, date, subject, body: body.trim().slice(0, MAX_MESSAGE) };
        }),
      };
    },
  });
