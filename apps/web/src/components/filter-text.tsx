import { useState } from 'react';
import { FilterField } from './filter-field.js';

interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'datetime-local';
  readonly placeholder?: string;
  readonly onChange: (value: string) => void;
}

/** One filter of a list that is typed; it counts once it is left or Enter is pressed. */
export function FilterText({ label, value, type = 'text', placeholder, onChange }: FilterTextProps) {
  const [typed, setTyped] = useState(value);
  const [standing, setStanding] = useState(value);
  // Changed elsewhere: by the address, or by all filters being taken away.
  if (standing !== value) {
    setStanding(value);
    setTyped(value);
  }
  const take = (): void => {
    if (typed.trim() !== value) onChange(typed.trim());
  };
  return (
    <FilterField label={label} wide={type === 'datetime-local'}>
      {(control) => (
        <input
          {...control}
          type={type}
          value={typed}
          placeholder={placeholder}
          onChange={(event) => {
            setTyped(event.target.value);
          }}
          onBlur={take}
          onKeyDown={(event) => {
            if (event.key === 'Enter') take();
          }}
        />
      )}
    </FilterField>
  );
}
