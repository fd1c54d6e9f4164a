import type { AutonomyReader } from '#lib/autonomy';
import type { Tx } from '#lib/kernel';
import type { ToolRegistry } from '#lib/tool';
import type { WorldReader } from '../application/impact.ports.js';
import { toolInWorld, type PresentWorld } from '../domain/proposed-world.js';
import type { AcceptedInWorld } from '../domain/world.js';

/** The libraries that own the parts of a world. */
export interface WorldSources {
  readonly autonomy: AutonomyReader;
  readonly tools: Pick<ToolRegistry, 'list'>;
  readonly environments: {
    list(
      tx: Tx,
      page: { readonly limit: number; readonly afterName: string | null },
    ): Promise<readonly { readonly id: string; readonly name: string; readonly production: boolean }[]>;
  };
  readonly safeTools: { list(tx: Tx): Promise<readonly (AcceptedInWorld & { readonly tool: string })[]> };
}

/** More environments than a tenant has. */
const ALL = { limit: 10_000, afterName: null };

/** Reads the world from the libraries that own its parts. */
export class LibraryWorldReader implements WorldReader {
  constructor(private readonly sources: WorldSources) {}

  async present(tx: Tx): Promise<PresentWorld> {
    const autonomy = (await this.sources.autonomy.current(tx))?.document ?? null;
    const tools = await this.sources.tools.list(tx);
    const environments = await this.sources.environments.list(tx, ALL);
    const safeTools = await this.sources.safeTools.list(tx);
    return {
      tools,
      environmentNames: Object.fromEntries(environments.map(({ id, name }) => [id, name])),
      world: {
        autonomy,
        tools: Object.fromEntries(tools.map((tool) => [tool.name, toolInWorld(tool)])),
        environments: Object.fromEntries(environments.map(({ name, production }) => [name, production])),
        safeTools: Object.fromEntries(
          safeTools.map(({ tool, effect, risk, digest }) => [tool, { effect, risk, digest }]),
        ),
      },
    };
  }
}
