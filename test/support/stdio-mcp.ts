import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { ProgramGroups } from '#lib/workspace';
import type { ListedServer } from '../../apps/runner/src/mcp/listed-server.js';
import { StdioServers } from '../../apps/runner/src/mcp/stdio-servers.js';

const inSupport = (name: string): string => join(packageRoot(), 'test/support', name);

export const HOSTILE_SERVER = inSupport('hostile-mcp-server.mjs');
/** It speaks 2026-07-28 alone. */
export const MODERN_SERVER = inSupport('modern-mcp-server.mjs');
/** The maintainers' server of files, which speaks 2025-11-25. */
export const FILES_SERVER = join(packageRoot(), 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

/** The servers of a runner, without the runner. */
export interface StdioMcp {
  readonly folder: string;
  /** The workspace of the runner, which tools write to. */
  readonly root: string;
  /** The lines of the file that servers write to. */
  marks(): readonly string[];
  /** The file itself. */
  readonly mark: string;
  /** The entries of the operator's log. */
  readonly warned: object[];
  /** Servers of the fixture programs, without a look. */
  of(...listed: readonly (Partial<ListedServer> & { readonly name: string })[]): StdioServers;
  /** The same after a look. */
  looked(...listed: readonly (Partial<ListedServer> & { readonly name: string })[]): Promise<StdioServers>;
  close(): void;
}

export function stdioMcp(): StdioMcp {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mcp-'));
  const [mark, root] = [join(folder, 'marks'), join(folder, 'root')];
  mkdirSync(root);
  const warned: object[] = [];
  const of: StdioMcp['of'] = (...listed) =>
    new StdioServers({
      servers: listed.map((each) => ({
        program: process.execPath,
        arguments: [],
        environment: {},
        secrets: [],
        folder,
        timeLimitSeconds: 20,
        ...each,
      })),
      root,
      programFolders: ['/usr/bin', '/bin'],
      homes: join(folder, 'homes'),
      groups: new ProgramGroups(join(folder, 'programs')),
      warn: (facts) => warned.push(facts),
    });
  return {
    ...{ folder, root, mark, warned, of },
    marks: () =>
      readFileSync(mark, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    looked: async (...listed) => {
      const servers = of(...listed);
      await servers.look();
      return servers;
    },
    close: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
