import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIGURATION_PARTS, type ConfigurationPart } from '#lib/api-schemas';
import { errorCode } from '#lib/kernel';
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

/**
 * @throws {CommandError} if it is no directory, or if a file cannot be read. Also if there is nothing to apply, or two catalogs.
 */
export async function configurationFiles(directory: string): Promise<ConfigurationFile[]> {
  const names = namesIn(directory);
  const catalogs = catalogsIn(directory, names);
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
    const name = part === 'tools' ? (catalogs[0] ?? CONFIGURATION_FILES.tools) : CONFIGURATION_FILES[part];
    if (!names.includes(name)) continue;
    const file = join(directory, name);
    files.push({ part, file, text: await readText(file) });
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

/** All names, also that of a link that leads nowhere. A part that is left out in silence would count as unchanged. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).sort();
  } catch (cause) {
    const code = errorCode(cause);
    throw new CommandError(
      EXIT.usage,
      code === 'ENOENT'
        ? `There is no directory ${directory}.`
        : code === 'ENOTDIR'
          ? `${directory} is no directory.`
          : `${directory} cannot be read.`,
      'Name the directory with your configuration, and see that you may read it.',
      [],
      'apply.no_directory',
    );
  }
}

/** The files of a directory with a tool catalog: by their name, or by their content. */
function catalogsIn(directory: string, names: readonly string[]): readonly string[] {
  const others: readonly string[] = Object.values(CONFIGURATION_FILES);
  return names.filter(
    (name) =>
      /\.ya?ml$/.test(name) &&
      (name === CONFIGURATION_FILES.tools || (!others.includes(name) && isCatalog(join(directory, name)))),
  );
}

/** A folder, a pipe or a link that leads nowhere is none. */
function isCatalog(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    return CATALOG.test(readFileSync(file, 'utf8'));
  } catch {
    throw new CommandError(
      EXIT.usage,
      `${file} cannot be read, and might be the catalog of tools.`,
      'See that you may read it, or take it away.',
      [],
      'file.unreadable',
    );
  }
}
