import { existsSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { environmentNameSchema, SHELLS, uuidSchema, type ShellName } from '#lib/formats';
import { wordsOfIssue } from '#lib/words';
import { readDocument } from '../documents.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Io } from '../io.js';
import { toolRuleSchema } from './tool-rules.js';

const hookSettingsSchema = z.strictObject({
  environment: environmentNameSchema.optional(),
  session: uuidSchema.optional(),
  workspace: z.string().min(1).optional(),
  shell: z.enum(SHELLS).optional(),
  tools: z.record(z.string(), toolRuleSchema).default({}),
});
export type HookSettings = z.infer<typeof hookSettingsSchema>;

/**
 * Reads the settings file: the named one, else `countersign/hook.yaml` in the person's configuration folder if it is there. A file of
 * the workspace is never looked for: the agent may write it.
 *
 * @throws {CommandError} `hook.settings_invalid`, `hook.settings_not_yours`, and those of unreadable documents
 */
export async function readHookSettings(named: string | undefined, io: Io): Promise<HookSettings> {
  const { environment } = io;
  const usual = join(environment.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'countersign', 'hook.yaml');
  if (named === undefined && !existsSync(usual)) return hookSettingsSchema.parse({});
  const file = named ?? usual;
  const { value } = await readDocument(file, io);
  requireOwn(file);
  const { data, error } = hookSettingsSchema.safeParse(value, { error: wordsOfIssue });
  if (data !== undefined) return data;
  const details = error.issues.map(({ path, message }) => `/${path.join('/')}: ${message}`);
  throw new CommandError(
    EXIT.usage,
    `The hook's settings file ${file} is wrong: ${details.join('; ')}.`,
    'Correct it. docs/coding-agents.md describes it.',
    [],
    'hook.settings_invalid',
  );
}

const WRITABLE_BY_OTHERS = 0o022;
/** In such a folder accounts replace only files of their own. */
const STICKY = 0o1000;

/** The owner of the file says which tools are asked about. Other accounts do not, neither in the file nor in its folder. */
function requireOwn(file: string): void {
  const me = process.getuid?.();
  const isOwn = (path: string, kept: number): boolean => {
    const { uid, mode } = statSync(path);
    return (uid === me || uid === 0) && ((mode & WRITABLE_BY_OTHERS) === 0 || (mode & kept) !== 0);
  };
  const folders = [dirname(file), dirname(realpathSync(file))];
  if (me === undefined || (isOwn(file, 0) && folders.every((folder) => isOwn(folder, STICKY)))) return;
  throw new CommandError(
    EXIT.usage,
    `Other accounts of this machine may write the hook's settings file ${file}, or its folder.`,
    'Own both, and let nobody else write them: chmod go-w.',
    [],
    'hook.settings_not_yours',
  );
}

/** The shell that a host's command lines run in: the one that Claude Code was told, else the person's own. */
export function shellOf(environment: Io['environment']): ShellName {
  const name = basename(environment.CLAUDE_CODE_SHELL ?? environment.SHELL ?? '');
  return SHELLS.find((shell) => shell === name) ?? 'unknown';
}

/** No file system follows more symbolic links in a row. */
const MAX_LINKS = 40;

/** The path of the file that would be opened or made. Symbolic links are followed, also one to a file that does not exist yet. */
export function realPath(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    if (above === path || links > MAX_LINKS) return path;
    const target = linkAt(path);
    return target === null
      ? join(realPath(above, links), basename(path))
      : realPath(resolve(realPath(above, links), target), links + 1);
  }
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
