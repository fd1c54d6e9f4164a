import type { OwnExecutorSettings } from '#lib/formats';

/** An MCP server that runners of a pool start, by the name that their operators give it. */
export interface ServerOnRunner {
  readonly pool: string;
  readonly server: string;
}

/** The place of a server on runners; null for one that has an address. */
export const serverOnRunner = ({ pool, server }: OwnExecutorSettings): ServerOnRunner | null =>
  typeof pool === 'string' && typeof server === 'string' ? { pool, server } : null;
