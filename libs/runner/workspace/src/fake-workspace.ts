import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '#lib/canonical';
import { makeFolderSync } from '#lib/folders';
import {
  createWorkspace,
  DEFAULT_LIMITS,
  Snapshots,
  type OutputChunk,
  type Sandbox,
  type ToolContext,
  type ToolLimits,
  type ToolOutcome,
  Turns,
  type WorkspaceSettings,
} from './index.js';

/** A new folder, in memory if the machine has a filesystem there. A flush to a disk that others use takes long. */
export const temporaryFolder = (): string =>
  mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'countersign-workspace-'));

/** Programs run as on a machine whose operator turned the sandbox off. */
const NO_SANDBOX: Sandbox = { kind: 'open', reason: 'a test', hidden: [], hiddenFiles: [] };

/** A workspace in a real temporary folder, with a folder beside it that no tool may reach. */
export interface FakeWorkspace {
  readonly root: string;
  readonly outside: string;
  readonly snapshots: Snapshots;
  readonly tools: ReturnType<typeof createWorkspace>;
  readonly chunks: OutputChunk[];
  readonly write: (path: string, content: string) => void;
  readonly call: (tool: string, callArguments?: JsonObject, signal?: AbortSignal) => Promise<ToolOutcome>;
  /** The result of a call that has to succeed. */
  readonly result: (tool: string, callArguments?: JsonObject) => Promise<JsonObject>;
  /** The code of a refusal, or `ok`. */
  readonly code: (tool: string, callArguments?: JsonObject) => Promise<string>;
  readonly remove: () => void;
}

export function fakeWorkspace(
  settings: Partial<WorkspaceSettings> = {},
  limits: Partial<ToolLimits> = {},
): FakeWorkspace {
  const base = temporaryFolder();
  const [root, outside] = [join(base, 'root'), join(base, 'outside')];
  for (const folder of [root, outside]) mkdirSync(folder);
  const snapshots = new Snapshots(join(base, 'store'));
  const tools = createWorkspace({
    snapshots,
    turns: new Turns(),
    guardedFetch: () => Promise.reject(new Error('no network in tests')),
    programs: { path: process.env.PATH ?? '', home: base, scriptSeconds: 120, sandbox: NO_SANDBOX },
    checks: [],
    author: { name: 'Test', email: 'test@example.org' },
    platform: 'linux',
    ...settings,
  });
  const chunks: OutputChunk[] = [];
  const call: FakeWorkspace['call'] = async (name, callArguments = {}, signal = new AbortController().signal) => {
    const context: ToolContext = {
      root,
      signal,
      output: (chunk) => chunks.push(chunk),
      limits: { ...DEFAULT_LIMITS, ...limits },
      secretsToMask: [],
    };
    const tool = tools.get(name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return await tool.call(context, callArguments);
  };
  return {
    root,
    outside,
    snapshots,
    tools,
    chunks,
    write: (path, content) => {
      makeFolderSync(dirname(join(root, path)));
      writeFileSync(join(root, path), content);
    },
    call,
    result: async (name, callArguments) => {
      const outcome = await call(name, callArguments);
      if (!outcome.ok) throw new Error(`${name}: ${outcome.error.code}: ${outcome.error.message}`);
      return outcome.result;
    },
    code: async (name, callArguments) => {
      const outcome = await call(name, callArguments);
      return outcome.ok ? 'ok' : outcome.error.code;
    },
    remove: () => {
      rmSync(base, { recursive: true, force: true });
    },
  };
}
