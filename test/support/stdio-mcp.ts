import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import { ProgramGroups } from '#lib/workspace';
import type { ListedServer } from '../../apps/runner/src/mcp/mcp-file.js';
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
  /** The lines of the file that servers write to. */
  marks(): readonly string[];
  /** The file itself. */
  readonly mark: string;
  /** The entries of the operator's log. */
  readonly warned: object[];
  /** Servers of the fixture programs, after a look. */
  looked(...listed: readonly (Partial<ListedServer> & { readonly name: string })[]): Promise<StdioServers>;
  close(): void;
}

export function stdioMcp(): StdioMcp {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mcp-'));
  const mark = join(folder, 'marks');
  const warned: object[] = [];
  return {
    ...{ folder, mark, warned },
    marks: () =>
      readFileSync(mark, 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    looked: async (...listed) => {
      const servers = new StdioServers({
        servers: listed.map((each) => ({
          program: process.execPath,
          arguments: [],
          environment: {},
          secrets: [],
          folder,
          timeLimitSeconds: 20,
          ...each,
        })),
        programFolders: ['/usr/bin', '/bin'],
        homes: join(folder, 'homes'),
        groups: new ProgramGroups(join(folder, 'programs')),
        warn: (facts) => warned.push(facts),
      });
      await servers.look();
      return servers;
    },
    close: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
