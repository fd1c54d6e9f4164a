import type { z } from 'zod';
import type { executorKindListSchema, ExecutorView } from '#lib/api-schemas';
import { Field } from '../components/field.js';
import { TextField } from '../components/text-field.js';

type Settings = ExecutorView['settings'];
type Properties = z.infer<typeof executorKindListSchema>['items'][number]['settings']['properties'];

/** Settings with a field of their own in the form. */
const COMMON: readonly string[] = ['url', 'secret'];

interface KindSettingsProps {
  /** Those of the kind, by name, from its JSON Schema. */
  readonly properties: Properties;
  readonly required: readonly string[];
  readonly settings: Settings;
  readonly onChange: (settings: Settings) => void;
}

/** A field for each setting of a kind of executor, beside address and secret. */
export const KindSettings = ({ properties, required, settings, onChange }: KindSettingsProps) =>
  Object.entries(properties)
    .filter(([name]) => !COMMON.includes(name))
    .map(([name, { type, title, description }]) => {
      const label = title ?? name;
      const { [name]: value, ...others } = settings;
      if (type === 'boolean')
        return (
          <Field key={name} label={label} {...(description === undefined ? {} : { hint: description })}>
            {(control) => (
              <input
                {...control}
                type="checkbox"
                checked={value === true}
                onChange={(event) => onChange({ ...others, [name]: event.target.checked })}
              />
            )}
          </Field>
        );
      const numeric = type === 'number' || type === 'integer';
      return (
        <TextField
          key={name}
          label={label}
          {...(description === undefined ? {} : { hint: description })}
          required={required.includes(name)}
          {...(numeric ? { type: 'number', step: type === 'integer' ? 1 : 'any' } : {})}
          value={value === undefined ? '' : String(value)}
          onChange={(text) => onChange(text === '' ? others : { ...others, [name]: numeric ? Number(text) : text })}
        />
      );
    });
