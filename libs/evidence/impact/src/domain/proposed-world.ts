import { z } from 'zod';
import { readDocument } from '#lib/autonomy';
import { canonicalJson, type Json } from '#lib/canonical';
import { toolDocumentSchema, type ToolDefinition, type ToolDocument } from '#lib/formats';
import { digestOf, digestText } from '#lib/kernel';
import { planCatalogChange, toolFacts, type ToolVersion } from '#lib/tool';
import { own, type ToolInWorld, type World } from './world.js';

/** A world as it stands, with the facts by which a change is worked out against it. */
export interface PresentWorld {
  readonly world: World;
  readonly tools: readonly ToolVersion[];
  /** Names by id. */
  readonly environmentNames: Readonly<Record<string, string>>;
}

/** The documents of a configuration that is not in force, each absent if it stays. */
export interface ProposedConfiguration {
  readonly autonomy?: string;
  /** The whole catalog: tools that it leaves out are removed. */
  readonly tools?: ReadonlyMap<string, ToolDocument>;
  /** Environments that it leaves out stay. */
  readonly environments?: Readonly<Record<string, boolean>>;
}

/** The world under a configuration; null if a document in it is not valid. */
export function withConfiguration(present: PresentWorld, wanted: ProposedConfiguration): World | null {
  const world = { ...present.world, environments: { ...present.world.environments, ...wanted.environments } };
  const catalog = wanted.tools === undefined ? world : withCatalog(present, world, wanted.tools, 'others_go');
  return catalog === null || wanted.autonomy === undefined ? catalog : withDocument(catalog, wanted.autonomy);
}

const payloads = {
  autonomy: z.object({ source: z.string() }),
  tool_catalog: z.object({
    keep: z.enum(['others_stay', 'others_go']),
    tools: z.record(z.string(), toolDocumentSchema),
  }),
  environment: z.object({ environment_id: z.string(), production: z.boolean() }),
  automation_safe_tool: z.object({ tool: z.string(), version: z.int() }),
};

/** The kinds of changes that inputs of policies depend on. */
export const IMPACT_KINDS: readonly string[] = Object.keys(payloads);

/** The world under a change request. Null for a kind that no input depends on, and for a payload that does not fit any more. */
export function withChange(present: PresentWorld, kind: string, payload: Json): World | null {
  const { world } = present;
  switch (kind) {
    case 'autonomy': {
      const read = payloads.autonomy.safeParse(payload).data;
      return read === undefined ? null : withDocument(world, read.source);
    }
    case 'tool_catalog': {
      const read = payloads.tool_catalog.safeParse(payload).data;
      return read === undefined ? null : withCatalog(present, world, new Map(Object.entries(read.tools)), read.keep);
    }
    case 'environment': {
      const read = payloads.environment.safeParse(payload).data;
      const name = read === undefined ? null : own(present.environmentNames, read.environment_id);
      if (read === undefined || name === null) return null;
      return { ...world, environments: { ...world.environments, [name]: read.production } };
    }
    case 'automation_safe_tool': {
      const read = payloads.automation_safe_tool.safeParse(payload).data;
      const tool = read === undefined ? null : own(world.tools, read.tool);
      if (read === undefined || tool === null || tool.facts.version !== read.version) return null;
      const { facts, digest } = tool;
      return {
        ...world,
        safeTools: { ...world.safeTools, [read.tool]: { effect: facts.effect, risk: facts.risk, digest } },
      };
    }
    default:
      return null;
  }
}

function withDocument(world: World, source: string): World | null {
  const read = readDocument(source);
  return read.ok ? { ...world, autonomy: read.value.document } : null;
}

function withCatalog(
  { tools }: PresentWorld,
  world: World,
  submitted: ReadonlyMap<string, ToolDocument>,
  keep: 'others_stay' | 'others_go',
): World | null {
  const heads = new Map(tools.map((current) => [current.name, { name: current.name, removed: false, current }]));
  const planned = planCatalogChange(heads, submitted, keep);
  if (!planned.ok) return null;
  const next = new Map(Object.entries(world.tools));
  for (const { name, change, definition, toVersion } of planned.value.changes) {
    if (change === 'remove') next.delete(name);
    else if (definition !== null) next.set(name, toolInWorld({ name, version: toVersion ?? 1, definition }));
  }
  return { ...world, tools: Object.fromEntries(next) };
}

/** A version of a tool as decisions depend on it. */
export function toolInWorld(tool: Pick<ToolVersion, 'name' | 'version' | 'definition'>): ToolInWorld {
  return {
    facts: toolFacts(tool),
    // A schema read it from JSON.
    digest: digestText('tool', canonicalJson(tool.definition as Json)),
    reading: digestOf('tool', readingOf(tool.definition)),
  };
}

/** Through text, which leaves out members that are undefined. */
const readingOf = ({ parameters, identity_fields, shell, path_arguments }: ToolDefinition): Json =>
  JSON.parse(JSON.stringify([parameters, identity_fields, shell ?? null, path_arguments ?? null])) as Json;
