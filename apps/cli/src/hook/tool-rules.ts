import { isAbsolute, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { toolNameSchema } from '#lib/formats';
import type { HostCall } from './host-call.js';

/** How calls of one tool of a host become calls of a tool of the registry. */
export const toolRuleSchema = z.union([
  z.literal('host').meta({ description: 'The hook decides nothing: the host’s own rules do.' }),
  z.strictObject({
    tool: toolNameSchema.meta({ description: 'The tool of the registry.' }),
    arguments: z
      .union([
        z.literal('all'),
        z
          .record(z.string(), z.string())
          .refine((names) => new Set(Object.values(names)).size === Object.keys(names).length, {
            error: 'two members must not become one argument',
          }),
      ])
      .meta({ description: 'The argument that each member of the host’s input becomes; `all` takes each as it is.' }),
    paths: z
      .array(z.string())
      .default([])
      .meta({ description: 'Members that are paths. One below the workspace is written from its root.' }),
    reason: z.string().optional().meta({ description: 'The member that is the agent’s reason.' }),
    ignored: z
      .array(z.string())
      .default([])
      .meta({ description: 'Members that change nothing that people decide on.' }),
    defaults: z
      .record(z.string(), z.json())
      .default({})
      .meta({ description: 'Members that count as absent if they have this value.' }),
  }),
]);
export type ToolRule = z.infer<typeof toolRuleSchema>;
export type ToolRules = Readonly<Record<string, z.input<typeof toolRuleSchema>>>;

/** The call that is asked about. */
export interface MappedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
}

/** The refusal of a hook. `code` is stable; `message` names the mistake, its place and the next action. */
export interface HookRefusal {
  readonly code: string;
  readonly message: string;
}

export type Mapping =
  { readonly call: MappedCall } | { readonly refusal: HookRefusal } | { readonly leave: 'to the host' };

/** The longest reason that the API takes. */
const LONGEST_REASON = 2_000;

/**
 * Finds the tool of the registry, and its arguments. Each member of the host's input has a place, or the call is refused: people never
 * answer about less than the host executes.
 *
 * @param rules by the host's tool names. `mcp__<server>__<tool>` without a rule is `mcp:<server>:<tool>`.
 * @param workspace the absolute path of the folder that paths are written from.
 * @param realPath follows symbolic links, so that a path is judged by the file that it opens.
 */
export function mapCall(
  { tool, input, directory }: HostCall,
  rules: ToolRules,
  workspace: string,
  realPath: (path: string) => string,
): Mapping {
  const given = Object.hasOwn(rules, tool) ? rules[tool] : ruleOfMcpTool(tool);
  const rule = toolRuleSchema.safeParse(given).data;
  if (rule === undefined) return { refusal: unmapped(tool) };
  if (rule === 'host') return { leave: 'to the host' };

  // Each name becomes a member of its own: `args['__proto__'] = …` would lose one.
  const args = new Map<string, unknown>();
  let reason: string | null = null;
  for (const [member, value] of Object.entries(input)) {
    const absent = value === null || value === undefined;
    const usual = Object.hasOwn(rule.defaults, member) && rule.defaults[member] === value;
    if (absent || usual || rule.ignored.includes(member)) continue;
    if (member === rule.reason) {
      reason = typeof value === 'string' && value.trim() !== '' ? value.slice(0, LONGEST_REASON) : null;
      continue;
    }
    const name = rule.arguments === 'all' ? member : ownValue(rule.arguments, member);
    if (name === undefined) return { refusal: unmappedMember(tool, member) };
    const place = (path: unknown): unknown =>
      typeof path === 'string' ? placeIn(workspace, realPath(resolve(directory, path))) : path;
    const isPath = rule.paths.includes(member);
    const unclear = isPath ? [value].flat().find((path) => typeof path === 'string' && UNCLEAR.test(path)) : undefined;
    if (unclear !== undefined) return { refusal: unclearPath(tool, member) };
    args.set(name, !isPath ? value : Array.isArray(value) ? value.map(place) : place(value));
  }
  return { call: { tool: rule.tool, arguments: Object.fromEntries(args), reason } };
}

/** Hosts read these in ways of their own: they remove blanks, and put a home folder in place of `~`. */
const UNCLEAR = /^\s|\s$|^~|:\/\//;

const ownValue = (record: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;

/** Names of Model Context Protocol tools, as Claude Code and Codex write them. */
function ruleOfMcpTool(tool: string): ToolRule | undefined {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  if (server === undefined || name === undefined) return undefined;
  return toolRuleSchema.safeParse({ tool: `mcp:${server}:${name}`, arguments: 'all' }).data;
}

/** A path below the workspace from its root; any other stays absolute, which counts as unclear. */
function placeIn(workspace: string, path: string): string {
  const below = relative(workspace, path);
  if (below === '') return '.';
  const outside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return outside ? path : below.split(sep).join('/');
}

const unmapped = (tool: string): HookRefusal => ({
  code: 'hook.tool_unmapped',
  message: `Countersign's hook knows no tool for ${tool}. Add it under "tools" in the hook's settings file, with the tool of the registry and its arguments, or as "host" to leave it to this program's own rules.`,
});

const unclearPath = (tool: string, member: string): HookRefusal => ({
  code: 'hook.path_unclear',
  message: `The path in ${member} of ${tool} begins with ~, begins or ends with a blank, or is an address. Write the absolute path.`,
});

const unmappedMember = (tool: string, member: string): HookRefusal => ({
  code: 'hook.argument_unmapped',
  message: `The call of ${tool} has the member ${member}, which no argument stands for. Add it to the rule of ${tool} in the hook's settings file: under "arguments", or under "ignored" if it changes nothing that people decide on.`,
});
