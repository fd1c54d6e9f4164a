import type { ComponentProps, ReactNode } from 'react';
import { Field } from './field.js';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className'> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A labelled line of text. */
export function TextField({ label, hint, value, onChange, ...rest }: TextFieldProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(control) => <input {...rest} {...control} value={value} onChange={(event) => onChange(event.target.value)} />}
    </Field>
  );
}
