import { resolve } from 'node:path';
import { z } from 'zod';
import type { HookHost, HostOutcome } from '../host.js';
import { heldResponse } from './held-response.js';
import { patchCall } from './patched-paths.js';
import { withSearchedFolder } from './searched-folder.js';

type Input = Readonly<Record<string, unknown>>;

const text = z.string().min(1).max(200);
const input = z.object({ tool: text, sessionID: text, callID: text });
const args = z.record(z.string(), z.unknown());
const directory = z.string().min(1);

const documentSchema = z.discriminatedUnion('hook', [
  z.object({ hook: z.literal('tool.execute.before'), directory, input, output: z.object({ args }) }),
  z.object({
    hook: z.literal('tool.execute.after'),
    directory,
    input: input.extend({ args }),
    output: z.object({ output: z.unknown().optional(), metadata: z.unknown().optional() }),
  }),
  z.object({
    hook: z.literal('event'),
    event: z.object({
      type: z.literal('session.deleted'),
      properties: z.object({ info: z.object({ id: text }) }),
    }),
  }),
]);

/**
 * opencode. Its plugins are functions. The plugin of `examples/opencode` writes the arguments of its hook as
 * `{ hook, directory, input, output }`, with the members of `@opencode-ai/plugin` 1 ("Plugins",
 * https://opencode.ai/docs/plugins). It throws unless the answer's `status` is `allow` or `ask`. Those are the words of
 * `permission.ask`, which opencode declares and never calls (anomalyco/opencode issue 7006). Of its events the plugin passes on
 * `session.deleted`, as `{ hook: 'event', event }`; the end of its program is none.
 */
export const opencode: HookHost = {
  name: 'opencode',
  title: 'opencode',
  rules: {
    bash: {
      tool: 'shell',
      arguments: { command: 'command' },
      line: 'command',
      reason: 'description',
      ignored: ['timeout'],
    },
    read: { tool: 'file-read', arguments: { filePath: 'path' }, paths: ['filePath'], ignored: ['offset', 'limit'] },
    write: { tool: 'file-write', arguments: { filePath: 'path', content: 'content' }, paths: ['filePath'] },
    edit: {
      tool: 'file-edit',
      arguments: { filePath: 'path', oldString: 'old_text', newString: 'new_text', replaceAll: 'replace_all' },
      paths: ['filePath'],
      defaults: { replaceAll: false },
    },
    apply_patch: { tool: 'git-apply-patch', arguments: { patchText: 'patch', paths: 'paths' }, paths: ['paths'] },
    glob: {
      tool: 'file-search',
      arguments: { pattern: 'pattern', path: 'path' },
      paths: ['path'],
      search: { folder: 'path' },
      defaults: { path: null },
    },
    grep: {
      tool: 'text-search',
      arguments: { pattern: 'pattern', path: 'path', include: 'files' },
      paths: ['path'],
      search: { folder: 'path', files: { member: 'include', argument: 'chosen' } },
      defaults: { path: null, include: null },
    },
    list: { tool: 'directory-list', arguments: { path: 'path' }, paths: ['path'], ignored: ['ignore'] },
    webfetch: { tool: 'web-fetch', arguments: { url: 'url' }, ignored: ['format', 'timeout'] },
  },
  read: (document) => {
    const { data } = documentSchema.safeParse(document);
    if (data === undefined) return null;
    if (data.hook === 'event')
      return { kind: 'ends', event: data.event.type, hostSession: data.event.properties.info.id };
    const { tool, sessionID: hostSession, callID: id } = data.input;
    const given = data.hook === 'tool.execute.before' ? data.output.args : data.input.args;
    const { directory } = data;
    const judgedInput = judged(tool, given, directory);
    const call = { hostSession, id, turn: null, directory, ...patchCall(tool, judgedInput, 'patchText') };
    return data.hook === 'tool.execute.before'
      ? { kind: 'asks', event: data.hook, call }
      : { kind: 'tells', event: data.hook, call, outcome: outcomeOf(data.output) };
  },
  write: ({ kind }, answer) => {
    if (kind !== 'asks') return null;
    return answer.verdict === 'undecided' ? { status: 'ask' } : { status: answer.verdict, message: answer.message };
  },
};

/** The input as it is judged. A search is judged in its folder, and a command line in the folder of the agent. */
function judged(tool: string, given: Input, directory: string): Input {
  if (tool === 'glob') return withSearchedFolder(given);
  const { workdir, ...rest } = given;
  // In another folder the same line does something else. There it has no place, and is denied.
  return tool === 'bash' && typeof workdir === 'string' && resolve(directory, workdir) === resolve(directory)
    ? rest
    : given;
}

/** `bash` tells the exit code of its command in `metadata`. */
function outcomeOf({ output, metadata }: { readonly output?: unknown; readonly metadata?: unknown }): HostOutcome {
  const { data: exit } = z.object({ exit: z.int() }).safeParse(metadata);
  if (exit === undefined || exit.exit === 0) return { outcome: 'succeeded', result: heldResponse(output) };
  const message = `The command ended with ${String(exit.exit)}.`;
  return { outcome: 'failed', effect: 'done', error: { code: 'host.tool_failed', message } };
}
