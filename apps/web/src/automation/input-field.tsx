import { Field } from '../components/field.js';
import { TextField } from '../components/text-field.js';
import type { Trigger } from './trigger-item.js';

/** A declared input: its type, and its bounds. */
export type Declaration = Trigger;
export type InputValue = string | number | boolean;

interface InputFieldProps {
  readonly name: string;
  readonly declared: Declaration;
  /** As it is typed. */
  readonly typed: string;
  readonly onChange: (typed: string) => void;
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The text of an input's default. */
export const defaultOf = (declared: Declaration): string => textOf(declared.default);

/** The value that was typed, of the declared type; undefined leaves it to the default. */
export function valueOf({ type }: Declaration, typed: string): InputValue | undefined {
  if (typed === '') return undefined;
  if (type === 'number') return Number(typed);
  return type === 'boolean' ? typed === 'true' : typed;
}

/** The values to choose from; null if it is typed. */
function choicesOf({ type, values }: Declaration): readonly string[] | null {
  if (type === 'boolean') return ['true', 'false'];
  return type === 'enum' && Array.isArray(values) ? values.map(textOf) : null;
}

/** A control for a value of its type, within its bounds. */
export function InputField({ name, declared, typed, onChange }: InputFieldProps) {
  const hint = textOf(declared.description);
  const required = declared.default === undefined;
  const choices = choicesOf(declared);
  if (choices !== null)
    return (
      <Field label={name} {...(hint === '' ? {} : { hint })}>
        {(control) => (
          <select
            {...control}
            required={required}
            value={typed}
            onChange={(event) => {
              onChange(event.target.value);
            }}
          >
            <option value="">Choose a value</option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        )}
      </Field>
    );
  const bounds =
    declared.type === 'number'
      ? { type: 'number', step: 'any', min: textOf(declared.minimum), max: textOf(declared.maximum) }
      : { maxLength: Number(declared.max_length ?? 1_000), placeholder: textOf(declared.example) };
  return (
    <TextField
      {...bounds}
      label={name}
      {...(hint === '' ? {} : { hint })}
      required={required}
      value={typed}
      onChange={onChange}
    />
  );
}
