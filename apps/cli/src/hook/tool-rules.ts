import { isAbsolute, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { ownMember } from '#lib/canonical';
import { toolNameSchema } from '#lib/formats';
import { chosenPaths } from './chosen-paths.js';
import type { HookRefusal } from './hook-refusal.js';
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
    search: z
      .strictObject({
        folder: z.string(),
        files: z.strictObject({ member: z.string(), argument: z.string() }).optional(),
      })
      .optional()
      .meta({
        description:
          'The members that name the folder of a search and choose its files, and the argument for its possible paths.',
      }),
    line: z
      .string()
      .optional()
      .meta({ description: 'The member that is a command line. It is denied in a folder outside the workspace.' }),
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
type ToRegistry = Exclude<ToolRule, 'host'>;
export type ToolRules = Readonly<Record<string, z.input<typeof toolRuleSchema>>>;

/** The call that is asked about. */
export interface MappedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
}

export type Mapping =
  | { readonly call: MappedCall }
  | { readonly refusal: HookRefusal }
  | { readonly leave: 'to the host' };

/** The longest reason that the API takes. */
const MAX_REASON = 2_000;

/**
 * Finds the tool of the registry, and its arguments. Each member of the host's input has a locate, or the call is refused. People
 * never answer about less than the host executes. A command line in a folder below the workspace begins with its `cd`. So it is
 * judged and shown there, and no answer covers it in another folder.
 *
 * @param rules by the host's tool names. `mcp__<server>__<tool>` without a rule is `mcp:<server>:<tool>`.
 * @param workspace the absolute path of the folder that paths are written from.
 * @param realPath follows symbolic links, so that a path is judged by the file that it opens.
 */
export function mapCall(
  call: HostCall,
  rules: ToolRules,
  workspace: string,
  realPath: (path: string) => string,
): Mapping {
  const { tool, input, directory } = call;
  if (call.refusal !== undefined) return { refusal: call.refusal };
  const given = ownMember(rules, tool) ?? ruleOfMcpTool(tool);
  const rule = toolRuleSchema.safeParse(given).data;
  if (rule === undefined) return { refusal: unmapped(tool) };
  if (rule === 'host') return { leave: 'to the host' };

  // Each name becomes a member of its own: `args['__proto__'] = …` would lose one.
  const args = new Map<string, unknown>();
  const locate: Locate = (path) => pathBelow(workspace, realPath(resolve(directory, path)));
  let reason: string | null = null;
  for (const [member, value] of Object.entries(input)) {
    const usual = Object.hasOwn(rule.defaults, member) && rule.defaults[member] === value;
    if (value === undefined || usual || rule.ignored.includes(member)) continue;
    if (member === rule.reason) {
      reason = typeof value === 'string' && value.trim() !== '' ? value.slice(0, MAX_REASON) : null;
      continue;
    }
    const name = argumentOf(rule, member);
    if (name === undefined) return { refusal: unmappedMember(tool, member) };
    const located = (path: unknown): unknown => (typeof path === 'string' ? locate(path) : path);
    const isPath = rule.paths.includes(member);
    const unclear = isPath ? [value].flat().find((path) => typeof path === 'string' && UNCLEAR.test(path)) : undefined;
    if (unclear !== undefined) return { refusal: unclearPath(tool, member) };
    args.set(name, !isPath ? value : Array.isArray(value) ? value.map(located) : located(value));
  }
  const more = rule.line === undefined ? searched(call, rule, locate) : lineInFolder(call, rule, locate);
  if ('code' in more) return { refusal: more };
  more.forEach(([name, value]) => args.set(name, value));
  return { call: { tool: rule.tool, arguments: Object.fromEntries(args), reason } };
}

/** Hosts read these in ways of their own: they remove blanks, and put a home folder in place of `~`. */
const UNCLEAR = /^\s|\s$|^~|:\/\//;

type Locate = (path: string) => string;
type Arguments = readonly (readonly [name: string, value: unknown])[];

/** The command line as it would be written at the root of the workspace. */
function lineInFolder({ tool, input }: HostCall, rule: ToRegistry, locate: Locate): Arguments | HookRefusal {
  const folder = locate('.');
  if (isAbsolute(folder)) return outside(tool, folder);
  const { line = '' } = rule;
  const [name, text] = [argumentOf(rule, line), input[line]];
  if (name === undefined || typeof text !== 'string' || folder === '.') return [];
  return [[name, `cd ${quoted(folder)} && ${text}`]];
}

/** The folder of a search, which hosts search from their own one. Also the paths that its choice of files may mean. */
function searched({ tool, input }: HostCall, rule: ToRegistry, locate: Locate): Arguments | HookRefusal {
  if (rule.search === undefined) return [];
  const { folder, files } = rule.search;
  const [below, name] = [textOr('.', input[folder]), argumentOf(rule, folder)];
  const found: [string, unknown][] = name === undefined || locate(below) === '.' ? [] : [[name, locate(below)]];
  const glob = files === undefined ? null : input[files.member];
  if (files === undefined || typeof glob !== 'string') return found;
  const chosen = chosenPaths(glob);
  if (chosen === null) return unclearPattern(tool, files.member);
  // A path of the home folder stays one, which counts as unclear.
  const paths = chosen.map((path) => (path.startsWith('~') ? path : locate(resolveIn(below, path))));
  return [...found, [files.argument, paths]];
}

const resolveIn = (below: string, path: string): string => (isAbsolute(path) ? path : `${below}/${path}`);

const argumentOf = (rule: ToRegistry, member: string): string | undefined =>
  rule.arguments === 'all' ? member : ownMember(rule.arguments, member);

const textOr = (usual: string, value: unknown): string => (typeof value === 'string' ? value : usual);

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/** Names of Model Context Protocol tools, as Claude Code and Codex write them. */
function ruleOfMcpTool(tool: string): ToolRule | undefined {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  if (server === undefined || name === undefined) return undefined;
  return toolRuleSchema.safeParse({ tool: `mcp:${server}:${name}`, arguments: 'all' }).data;
}

/** A path below the workspace from its root; any other stays absolute, which counts as unclear. */
function pathBelow(workspace: string, path: string): string {
  const below = relative(workspace, path);
  if (below === '') return '.';
  const outside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  return outside ? path : below.split(sep).join('/');
}

const unmapped = (tool: string): HookRefusal => ({
  code: 'hook.tool_unmapped',
  message: `Countersign's hook knows no tool for ${tool}. Add it under "tools" in the hook's settings file, with the tool of the registry and its arguments. Or add it as "host" to leave it to this program's own rules.`,
});

const unclearPath = (tool: string, member: string): HookRefusal => ({
  code: 'hook.path_unclear',
  message: `The path in ${member} of ${tool} begins with ~, begins or ends with a blank, or is an address. Write the absolute path.`,
});

const unmappedMember = (tool: string, member: string): HookRefusal => ({
  code: 'hook.argument_unmapped',
  message: `The call of ${tool} has the member ${member}, which no argument stands for. Add it to the rule of ${tool} in the hook's settings file. Use "arguments", or "ignored" if it changes nothing that people decide on.`,
});

const outside = (tool: string, folder: string): HookRefusal => ({
  code: 'hook.folder_outside',
  message: `${tool} would run its command line in ${folder}, which is not in the workspace. Run it in the workspace, and name files outside by their whole paths.`,
});

const unclearPattern = (tool: string, member: string): HookRefusal => ({
  code: 'hook.pattern_unclear',
  message: `The pattern ${member} of ${tool} has too many alternatives to judge. Search with several simpler ones.`,
});
