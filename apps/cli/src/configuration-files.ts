import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION_PARTS, type ConfigurationPart } from '#lib/api-schemas';
import { readText } from './documents.js';
import { CommandError, EXIT } from './exit-codes.js';

/** The files of a configuration directory; any but one may be missing. A catalog of tools may have any name. */
export const CONFIGURATION_FILES: Readonly<Record<ConfigurationPart, string>> = {
  environments: 'environments.yaml',
  tools: 'tools.yaml',
  executors: 'executors.yaml',
  autonomy: 'autonomy.yaml',
};

/** A file of the directory, and its content. */
export interface ConfigurationFile {
  readonly part: ConfigurationPart;
  readonly file: string;
  readonly text: string;
}

/** @throws {CommandError} if there is nothing to apply, or two catalogs. */
export async function configurationFiles(directory: string): Promise<ConfigurationFile[]> {
  const catalogs = catalogsIn(directory);
  if (catalogs.length > 1) {
    throw new CommandError(
      EXIT.usage,
      `${directory} holds ${catalogs.join(' and ')}, and one catalog says which tools there are.`,
      'Put all tools into one of them, and take the other away.',
      [],
      'apply.two_catalogs',
    );
  }
  const files: ConfigurationFile[] = [];
  for (const part of CONFIGURATION_PARTS) {
    const file = join(
      directory,
      part === 'tools' ? (catalogs[0] ?? CONFIGURATION_FILES.tools) : CONFIGURATION_FILES[part],
    );
    if (existsSync(file)) files.push({ part, file, text: await readText(file) });
  }
  if (files.length > 0) return files;
  throw new CommandError(
    EXIT.usage,
    `${directory} holds none of ${Object.values(CONFIGURATION_FILES).join(', ')}, and no other catalog of tools.`,
    'Name the directory with your configuration.',
    [],
    'apply.nothing_to_apply',
  );
}

const CATALOG = /^tools:/m;

/** The files of a directory with a tool catalog: by their name, or by their content. */
function catalogsIn(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const others: readonly string[] = Object.values(CONFIGURATION_FILES);
  return readdirSync(directory)
    .filter((name) => /\.ya?ml$/.test(name))
    .filter(
      (name) =>
        name === CONFIGURATION_FILES.tools ||
        (!others.includes(name) && CATALOG.test(readFileSync(join(directory, name), 'utf8'))),
    )
    .sort();
}
