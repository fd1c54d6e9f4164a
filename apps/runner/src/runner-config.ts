import { isAbsolute, join, resolve } from 'node:path';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { environmentNameSchema, executorNameSchema } from '#lib/formats';
import { fail, wrongSetting } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';
import { LOG_LEVELS, type LogLevel } from '#lib/operation';
import { isAddress, unencryptedWay } from '#lib/sdk';
import type { SandboxChoice } from '#lib/workspace';
import type { SearchEmbedder } from '#lib/workspace-search';
import { isInRoot, realOf } from './is-in-root.js';
import type { ListedServer } from './mcp/listed-server.js';
import { mcpServersIn } from './mcp/mcp-file.js';

/** How one runner works. */
export interface RunnerConfig {
  /** Countersign's address, which is also the issuer of grants. */
  readonly url: string;
  /** The folder that tools are confined to. */
  readonly root: string;
  /** The folder of its key, its journal and its snapshots: on no root, and on a disk. */
  readonly data: string;
  /** The executor that it works as: grants are made out to `<executor>.<environment>`. */
  readonly executor: string;
  /** The environments that it works in. A grant of any other is refused. */
  readonly environments: readonly string[];
  /** The one-time token; null for a runner that is enrolled. */
  readonly token: string | null;
  /** The real path of the file with the token. No program may read it. */
  readonly tokenFile: string | null;
  /** The most calls at once. */
  readonly atOnce: number;
  /** The scripts of package.json that run after each write. */
  readonly checks: readonly string[];
  /** The folders that programs are looked for in, in order. */
  readonly programFolders: readonly string[];
  /** Private hosts that web-fetch may reach, as `host` or `host:port`. */
  readonly privateHosts: readonly string[];
  /** Whether lines and scripts run in bubblewrap. Without one, `required` refuses them. */
  readonly sandbox: SandboxChoice;
  /** The programs of lifecycle hooks: absolute paths, by the names that hooks use. */
  readonly hooks: ReadonlyMap<string, string>;
  /** The MCP servers that it may start. */
  readonly mcpServers: readonly ListedServer[];
  /** The server that gives code its vectors; null for none. */
  readonly embedder: SearchEmbedder | null;
  /** The real path of the file with its token. No program may read it. */
  readonly embedderTokenFile: string | null;
  readonly logLevel: LogLevel;
}

const listOf = (item: z.ZodType<string, string>, separator: RegExp) =>
  z
    .string()
    .transform((text) => text.split(separator).flatMap((part) => (part.trim() === '' ? [] : [part.trim()])))
    .pipe(z.array(item));

const folder = z.string().transform((path) => resolve(path));

const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, { error: `must be one of ${names.join(', ')}` });

function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${String(least)} to ${String(most)}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

/** A name as hooks have it, and the absolute path of its program. */
const HOOK_ENTRY = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}=\/[^\0]+$/;

const EMBEDDER_ADDRESS =
  'must be an address that begins with https, or with http on this machine, without credentials, query or fragment';

/** Messages show the address, and paths are added to it. */
const ADDRESS = 'must be an http or https address without user, query or fragment';

const settingsSchema = z.object({
  COUNTERSIGN_URL: z
    .string()
    .refine(isAddress, { error: ADDRESS })
    .transform((url) => url.replace(/\/+$/, '')),
  COUNTERSIGN_RUNNER_ROOT: folder,
  COUNTERSIGN_RUNNER_DATA: folder.default(() => resolve('.countersign/runner')),
  COUNTERSIGN_RUNNER_EXECUTOR: executorNameSchema.default('workspace'),
  COUNTERSIGN_RUNNER_ENVIRONMENTS: listOf(environmentNameSchema, /,/).refine((names) => names.length > 0, {
    error: 'must name at least one environment',
  }),
  COUNTERSIGN_RUNNER_TOKEN_FILE: z.string().optional(),
  COUNTERSIGN_RUNNER_AT_ONCE: wholeNumber(1, 32).default(4),
  COUNTERSIGN_RUNNER_CHECKS: listOf(z.string(), /,/).default(['test']),
  COUNTERSIGN_RUNNER_PATH: listOf(
    z.string().refine(isAbsolute, { error: 'must be absolute paths with colons between' }),
    /:/,
  ).default(['/usr/local/bin', '/usr/bin', '/bin']),
  COUNTERSIGN_RUNNER_HOOKS: listOf(
    z.string().regex(HOOK_ENTRY, { error: 'must be names with absolute paths, such as notify=/usr/local/bin/notify' }),
    /,/,
  ).default([]),
  COUNTERSIGN_RUNNER_MCP_FILE: z.string().optional(),
  COUNTERSIGN_RUNNER_EMBEDDER_URL: z
    .url({ error: EMBEDDER_ADDRESS })
    .refine((url) => /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost)[:/])[^?#@]*$/.test(url), {
      error: EMBEDDER_ADDRESS,
    })
    .optional(),
  COUNTERSIGN_RUNNER_EMBEDDER_MODEL: z.string().max(200, { error: 'must have at most 200 characters' }).optional(),
  COUNTERSIGN_RUNNER_EMBEDDER_DIMENSIONS: wholeNumber(8, 4_096).optional(),
  COUNTERSIGN_RUNNER_EMBEDDER_TOKEN_FILE: z.string().optional(),
  COUNTERSIGN_RUNNER_EMBEDDER_CA_FILE: z.string().optional(),
  COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: listOf(
    z.string().regex(/^[A-Za-z0-9.:_-]+$/, { error: 'must be hosts, as host or host:port, with commas between' }),
    /,/,
  ).default([]),
  COUNTERSIGN_LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  COUNTERSIGN_RUNNER_SANDBOX: oneOf(['where_possible', 'required', 'off']).default('required'),
});

/**
 * The configuration from environment variables.
 *
 * @throws {FailureError} `start.wrong_setting`, naming the variable that is wrong; `connection.plain_http`.
 */
export function runnerConfigFrom(environment: Readonly<Record<string, string | undefined>>): RunnerConfig {
  const set = setIn(environment);
  const read = settingsSchema.safeParse(set, { error: wordsOfIssue });
  if (!read.success) {
    const [issue] = read.error.issues;
    const name = String(issue?.path[0] ?? '');
    throw wrongSetting(`${name} ${set[name] === undefined ? 'is missing' : (issue?.message ?? 'is wrong')}.`);
  }
  const settings = read.data;
  requireEncryption(settings.COUNTERSIGN_URL, environment);
  if (`${settings.COUNTERSIGN_RUNNER_DATA}/`.startsWith(join(settings.COUNTERSIGN_RUNNER_ROOT, '/')))
    throw wrongSetting(
      'COUNTERSIGN_RUNNER_DATA must not lie in COUNTERSIGN_RUNNER_ROOT, where tools could read its key.',
    );
  return {
    url: settings.COUNTERSIGN_URL,
    root: settings.COUNTERSIGN_RUNNER_ROOT,
    data: settings.COUNTERSIGN_RUNNER_DATA,
    executor: settings.COUNTERSIGN_RUNNER_EXECUTOR,
    environments: settings.COUNTERSIGN_RUNNER_ENVIRONMENTS,
    ...tokenIn(
      'COUNTERSIGN_RUNNER_TOKEN_FILE',
      settings.COUNTERSIGN_RUNNER_TOKEN_FILE,
      settings.COUNTERSIGN_RUNNER_ROOT,
    ),
    atOnce: settings.COUNTERSIGN_RUNNER_AT_ONCE,
    checks: settings.COUNTERSIGN_RUNNER_CHECKS,
    programFolders: settings.COUNTERSIGN_RUNNER_PATH,
    hooks: hooksIn(settings.COUNTERSIGN_RUNNER_HOOKS, settings.COUNTERSIGN_RUNNER_ROOT),
    mcpServers:
      settings.COUNTERSIGN_RUNNER_MCP_FILE === undefined
        ? []
        : mcpServersIn(settings.COUNTERSIGN_RUNNER_MCP_FILE, settings.COUNTERSIGN_RUNNER_ROOT, environment),
    privateHosts: settings.COUNTERSIGN_ALLOWED_PRIVATE_HOSTS,
    sandbox: settings.COUNTERSIGN_RUNNER_SANDBOX,
    ...embedderIn(settings),
    logLevel: settings.COUNTERSIGN_LOG_LEVEL,
  };
}

/** The one-time token and the secrets of calls go over this way. The keys that grants are verified with come over it. */
function requireEncryption(url: string, environment: Readonly<Record<string, string | undefined>>): void {
  const refused = unencryptedWay(url, 'set COUNTERSIGN_ALLOW_PLAIN_HTTP=1');
  if (refused === null || environment.COUNTERSIGN_ALLOW_PLAIN_HTTP === '1') return;
  fail({ kind: 'invalid', code: refused.code, message: refused.detail, action: refused.action });
}

/** An empty setting counts as not set, as for the other programs. */
const setIn = (environment: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== ''));

/** The checks alone, for a machine that has no other setting yet. @throws {FailureError} `start.wrong_setting` */
export function checksFrom(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const read = settingsSchema.pick({ COUNTERSIGN_RUNNER_CHECKS: true }).safeParse(setIn(environment));
  if (!read.success) throw wrongSetting('COUNTERSIGN_RUNNER_CHECKS is wrong.');
  return read.data.COUNTERSIGN_RUNNER_CHECKS;
}

function embedderIn(settings: z.infer<typeof settingsSchema>): Pick<RunnerConfig, 'embedder' | 'embedderTokenFile'> {
  const { COUNTERSIGN_RUNNER_EMBEDDER_URL: url, COUNTERSIGN_RUNNER_EMBEDDER_MODEL: model } = settings;
  if (url === undefined) return { embedder: null, embedderTokenFile: null };
  if (model === undefined)
    throw wrongSetting('COUNTERSIGN_RUNNER_EMBEDDER_MODEL is missing: the embedder needs a model.');
  const { token, tokenFile } = tokenIn(
    'COUNTERSIGN_RUNNER_EMBEDDER_TOKEN_FILE',
    settings.COUNTERSIGN_RUNNER_EMBEDDER_TOKEN_FILE,
    settings.COUNTERSIGN_RUNNER_ROOT,
  );
  const authority = settings.COUNTERSIGN_RUNNER_EMBEDDER_CA_FILE;
  return {
    embedder: {
      ...{ url, model, token },
      dimensions: settings.COUNTERSIGN_RUNNER_EMBEDDER_DIMENSIONS ?? null,
      ca: authority === undefined ? null : textOf('COUNTERSIGN_RUNNER_EMBEDDER_CA_FILE', authority),
    },
    embedderTokenFile: tokenFile,
  };
}

function tokenIn(setting: string, file: string | undefined, root: string): Pick<RunnerConfig, 'token' | 'tokenFile'> {
  if (file === undefined) return { token: null, tokenFile: null };
  const token = textOf(setting, file);
  const tokenFile = realOf(resolve(file));
  const inRoot = [resolve(file), tokenFile].some((path) =>
    [root, realOf(root)].some((folder) => path.startsWith(join(folder, '/'))),
  );
  if (inRoot)
    throw wrongSetting(`${setting} must not lie in COUNTERSIGN_RUNNER_ROOT, where tools could read it. Move the file.`);
  return { token, tokenFile };
}

/** The programs of hooks. None lies in the root, where tools could write into it. */
function hooksIn(entries: readonly string[], root: string): ReadonlyMap<string, string> {
  const hooks = new Map<string, string>();
  for (const entry of entries) {
    const at = entry.indexOf('=');
    const [name, path] = [entry.slice(0, at), entry.slice(at + 1)];
    if (hooks.has(name)) throw wrongSetting(`COUNTERSIGN_RUNNER_HOOKS names ${name} twice.`);
    if (isInRoot(path, root))
      throw wrongSetting(
        `COUNTERSIGN_RUNNER_HOOKS names ${path}, which lies in COUNTERSIGN_RUNNER_ROOT, where tools could change it. Move the program.`,
      );
    hooks.set(name, path);
  }
  return hooks;
}

function textOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw wrongSetting(`${setting} names a file that cannot be read.`);
  }
}
