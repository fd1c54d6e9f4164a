import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { executorNameSchema, MAX_MCP_SERVERS } from '#lib/formats';
import { wrongSetting } from '#lib/kernel';
import { wordsOfIssue } from '#lib/words';
import { isInRoot, realOf } from '../is-in-root.js';
import type { ListedServer } from './listed-server.js';
import { pathInRoot } from './path-in-root.js';

const absolute = z.string().refine((path) => isAbsolute(path) && !path.includes('\0'), {
  error: 'must be an absolute path',
});
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'must be the name of an environment variable');
const text = z
  .string()
  .max(4_096)
  .refine((value) => !value.includes('\0'), { error: 'must not hold NUL' });

const fileSchema = z.strictObject({
  servers: z
    .record(
      executorNameSchema,
      z.strictObject({
        program: absolute,
        arguments: z.array(text).max(64).default([]),
        environment: z.record(variable, text).default({}),
        secrets: z.array(variable).max(32).default([]),
        folder: absolute.default('/'),
        time_limit_seconds: z.int().min(1).max(3_600).default(60),
      }),
    )
    .refine((servers) => Object.keys(servers).length <= MAX_MCP_SERVERS, {
      error: `must hold at most ${String(MAX_MCP_SERVERS)} servers`,
    }),
});

const SETTING = 'COUNTERSIGN_RUNNER_MCP_FILE';

/**
 * The servers of the operator's file. Neither the file nor code of a server lies in the root, where tools could change it.
 *
 * @param variables the environment of the runner, for the values of secrets.
 * @throws {FailureError} `start.wrong_setting`
 */
export function mcpServersIn(
  file: string,
  root: string,
  variables: Readonly<Record<string, string | undefined>>,
): readonly ListedServer[] {
  if (isInRoot(file, root))
    throw wrongSetting(
      `${SETTING} must not lie in COUNTERSIGN_RUNNER_ROOT, where tools could change it. Move the file.`,
    );
  const read = fileSchema.safeParse(yamlOf(file), { error: wordsOfIssue });
  if (!read.success) {
    const [issue] = read.error.issues;
    throw wrongSetting(`${SETTING}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is wrong'}.`);
  }
  return Object.entries(read.data.servers).map(([name, listed]) => {
    const inside = pathInRoot(listed, root);
    if (inside !== null)
      throw wrongSetting(
        `${SETTING} names ${inside} for ${name}, which lies in COUNTERSIGN_RUNNER_ROOT, where tools could change it. Move it, or name its folder in the arguments if it is data.`,
      );
    const secrets = listed.secrets.map((each) => [each, secretIn(variables, name, each)] as const);
    return {
      name,
      program: listed.program,
      arguments: listed.arguments,
      environment: { ...listed.environment, ...Object.fromEntries(secrets) },
      secrets: secrets.map(([, value]) => value),
      folder: realOf(resolve(listed.folder)),
      timeLimitSeconds: listed.time_limit_seconds,
    };
  });
}

function secretIn(variables: Readonly<Record<string, string | undefined>>, server: string, name: string): string {
  const value = variables[name];
  if (value === undefined || value === '')
    throw wrongSetting(`${SETTING} gives the secret ${name} to ${server}, and the runner has no such variable.`);
  return value;
}

function yamlOf(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'), { maxAliasCount: 0 });
  } catch {
    throw wrongSetting(`${SETTING} names a file that cannot be read as YAML.`);
  }
}
