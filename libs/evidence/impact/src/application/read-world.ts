import type { AutonomyReader } from '#lib/autonomy';
import type { Tx } from '#lib/kernel';
import type { ToolRegistry } from '#lib/tool';
import { toolInWorld, type PresentWorld } from '../domain/proposed-world.js';
import type { AcceptedInWorld } from '../domain/world.js';
import type { WorldReader } from './impact.ports.js';

export interface ReadWorldDeps {
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
export class ReadWorld implements WorldReader {
  constructor(private readonly deps: ReadWorldDeps) {}

  async present(tx: Tx): Promise<PresentWorld> {
    const autonomy = (await this.deps.autonomy.current(tx))?.document ?? null;
    const tools = await this.deps.tools.list(tx);
    const environments = await this.deps.environments.list(tx, ALL);
    const safeTools = await this.deps.safeTools.list(tx);
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
