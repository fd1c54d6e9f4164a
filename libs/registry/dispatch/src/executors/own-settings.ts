import { z } from 'zod';
import { executorSettingsSchema, type OwnExecutorSettings } from '#lib/formats';
import { err, ok, type FieldError, type Result } from '#lib/kernel';
import { closest, wordsOfIssue } from '#lib/words';
import type { ExecutorKind } from './executor-kind.js';

/** Settings that have a column of their own, which a kind reads itself. */
const COMMON: readonly string[] = ['url', 'secret'];

/** By the settings of a kind. Each call is checked, and a schema takes longer to build than to use. */
const schemas = new WeakMap<z.ZodObject, z.ZodObject>();

function ownSchema({ settings }: Pick<ExecutorKind, 'settings'>): z.ZodObject {
  const known = schemas.get(settings);
  if (known !== undefined) return known;
  const own = Object.entries(settings.shape).filter(([name]) => !COMMON.includes(name));
  const schema = z.strictObject(Object.fromEntries(own));
  schemas.set(settings, schema);
  return schema;
}

/**
 * Checks the settings that a kind has beside `url` and `secret`, when a document is put and before each call. Pointers
 * point into the document. Codes: `executor.setting_unknown`, `executor.setting_required`, `executor.setting_invalid`.
 */
export function readOwnSettings(
  kind: Pick<ExecutorKind, 'name' | 'settings'>,
  own: OwnExecutorSettings,
): Result<OwnExecutorSettings, readonly FieldError[]> {
  const checked = ownSchema(kind).safeParse(own, { error: wordsOfIssue });
  if (checked.success) return ok(executorSettingsSchema.parse(checked.data));
  return err(checked.error.issues.flatMap((issue) => errorsOf(kind, own, issue)));
}

function errorsOf(
  kind: Pick<ExecutorKind, 'name' | 'settings'>,
  own: OwnExecutorSettings,
  issue: z.core.$ZodIssue,
): readonly FieldError[] {
  const whose = `an executor of kind ${kind.name}`;
  if (issue.code === 'unrecognized_keys') return issue.keys.map((name) => unknownSetting(kind, name));
  const name = String(issue.path[0] ?? '');
  const about = describe(kind, name);
  return own[name] === undefined
    ? [
        {
          pointer: `/${name}`,
          code: 'executor.setting_required',
          message: `The setting ${name} of ${whose} is missing${about}.`,
        },
      ]
    : [
        {
          pointer: `/${name}`,
          code: 'executor.setting_invalid',
          message: `The setting ${name} of ${whose} is wrong: ${issue.message}${about}.`,
        },
      ];
}

function unknownSetting({ name: kind, settings }: Pick<ExecutorKind, 'name' | 'settings'>, name: string): FieldError {
  const names = Object.keys(settings.shape);
  const suggestion = closest(name, [...names, 'audience', 'shared_audience']);
  return {
    pointer: `/${name}`,
    code: 'executor.setting_unknown',
    message: `An executor of kind ${kind} has no setting ${name}; it has ${names.length === 0 ? 'none' : names.join(', ')}.`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

const describe = ({ settings }: Pick<ExecutorKind, 'settings'>, name: string): string => {
  const schema: unknown = settings.shape[name];
  const description = schema instanceof z.ZodType ? schema.meta()?.description : undefined;
  return description === undefined ? '' : ` (${description})`;
};
