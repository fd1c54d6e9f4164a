import { useEffect, useState } from 'react';
import { FilterField } from './filter-field.js';

interface FilterTextProps {
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'search' | 'datetime-local';
  readonly placeholder?: string;
  /** Offered while one types. */
  readonly suggestions?: readonly string[];
  readonly onChange: (value: string) => void;
}

const TYPING_MS = 300;

/** One filter of a list that is typed; it counts once the typing pauses, or Enter is pressed. */
export function FilterText({ label, value, type = 'text', placeholder, suggestions = [], onChange }: FilterTextProps) {
  const [typed, setTyped] = useState(value);
  const [standing, setStanding] = useState(value);
  // Changed elsewhere: by the address, or by all filters being taken away. Text that was typed since is kept.
  if (standing !== value) {
    setStanding(value);
    if (typed.trim() === standing) setTyped(value);
  }
  const wanted = typed.trim();
  useEffect(() => {
    if (wanted === value) return;
    const timer = setTimeout(() => {
      onChange(wanted);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [wanted, value, onChange]);
  return (
    <FilterField label={label} wide={type !== 'text'}>
      {(control) => (
        <>
          <input
            {...control}
            className={`${control.className} md:w-auto`}
            type={type}
            value={typed}
            placeholder={placeholder}
            list={suggestions.length === 0 ? undefined : `${control.id}-list`}
            onChange={(event) => {
              setTyped(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && wanted !== value) onChange(wanted);
            }}
          />
          {suggestions.length > 0 && (
            <datalist id={`${control.id}-list`}>
              {suggestions.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </>
      )}
    </FilterField>
  );
}
