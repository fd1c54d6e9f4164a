import type { z } from 'zod';
import type { executorKindListSchema } from '#lib/api-schemas';
import type { OwnExecutorSettings } from '#lib/formats';
import { CommandError, EXIT } from './exit-codes.js';
import { oneLine } from './output.js';

type Kind = z.infer<typeof executorKindListSchema>['items'][number];

/** The settings of a kind by name; one that is not needed stands in brackets. */
export const settingNames = ({ settings: { properties, required } }: Kind): readonly string[] =>
  Object.keys(properties).map((name) => (required.includes(name) ? name : `[${name}]`));

/**
 * The settings that a command line gives, as the schema of the kind types them.
 *
 * @param given each as `NAME=VALUE`.
 * @throws {CommandError} that names the kind, the setting and the correction.
 */
export function readSettings(kinds: readonly Kind[], name: string, given: readonly string[]): OwnExecutorSettings {
  const kind = kinds.find((each) => each.kind === name);
  if (kind === undefined)
    throw wrong(`There is no kind of executor ${oneLine(name)}.`, [
      `kinds: ${kinds.map((each) => each.kind).join(', ')}`,
    ]);
  const { properties, required } = kind.settings;
  const settings: Record<string, OwnExecutorSettings[string]> = {};
  for (const text of given) {
    const at = text.indexOf('=');
    const setting = at === -1 ? text : text.slice(0, at);
    if (!Object.hasOwn(properties, setting))
      throw wrong(`An executor of kind ${kind.kind} has no setting ${oneLine(setting)}.`, settingLines(kind));
    if (at === -1)
      throw wrong(`The setting ${setting} of an executor of kind ${kind.kind} has no value.`, settingLines(kind));
    settings[setting] = valueOf(kind, setting, text.slice(at + 1));
  }
  const missing = required.find((each) => settings[each] === undefined);
  if (missing !== undefined)
    throw wrong(`An executor of kind ${kind.kind} needs the setting ${missing}.`, settingLines(kind));
  return settings;
}

function valueOf(kind: Kind, setting: string, text: string): OwnExecutorSettings[string] {
  const type = kind.settings.properties[setting]?.type;
  const refuse = (wanted: string): never => {
    throw wrong(
      `The setting ${setting} of an executor of kind ${kind.kind} is ${wanted}, and not ${JSON.stringify(oneLine(text))}.`,
      settingLines(kind),
    );
  };
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : refuse('true or false'));
  if (type !== 'number' && type !== 'integer') return text;
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return refuse('a number');
  return type === 'integer' && !Number.isInteger(number) ? refuse('a whole number') : number;
}

/** The settings of a kind as `--set` takes them, a line each. */
const settingLines = ({ kind, settings: { properties, required } }: Kind): readonly string[] => {
  const lines = Object.entries(properties).map(([name, { description }]) => {
    const flag = `--set ${name}=…${required.includes(name) ? '' : ' (optional)'}`;
    return description === undefined ? flag : `${flag}: ${description}`;
  });
  return lines.length === 0 ? [`kind ${kind} has no settings`] : lines;
};

const wrong = (message: string, details: readonly string[]): CommandError =>
  new CommandError(
    EXIT.usage,
    message,
    'Correct the settings; `countersign executor kinds` lists the kinds and the settings of each.',
    details,
    'executor.settings',
  );
