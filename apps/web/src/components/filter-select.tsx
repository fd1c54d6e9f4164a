import { useId } from 'react';
import { inWords } from './tone-of.js';

interface FilterSelectProps {
  readonly label: string;
  readonly value: string;
  readonly values: readonly string[];
  readonly onChange: (value: string) => void;
}

/** One filter of a list. */
export function FilterSelect({ label, value, values, onChange }: FilterSelectProps) {
  const id = useId();
  return (
    <span className="inline-flex items-center gap-2">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <select
        id={id}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        className="h-9 rounded-lg border border-line-strong bg-surface px-2 text-sm"
      >
        <option value="">any</option>
        {values.map((each) => (
          <option key={each} value={each}>
            {inWords(each)}
          </option>
        ))}
      </select>
    </span>
  );
}
