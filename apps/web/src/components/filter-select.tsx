import { stateInWords, visibleText } from '#lib/words';
import { FilterField } from './filter-field.js';

interface FilterSelectProps {
  readonly label: string;
  readonly value: string;
  /** Each with a name, if the value needs one. */
  readonly values: readonly (string | readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

/** One filter of a list: one of some values, or any. */
export function FilterSelect({ label, value, values, onChange }: FilterSelectProps) {
  const options = values.map((each) => (typeof each === 'string' ? ([each, stateInWords(each)] as const) : each));
  // The address may name one that is not offered.
  if (value !== '' && !options.some(([each]) => each === value)) options.push([value, value]);
  return (
    <FilterField label={label}>
      {(control) => (
        // The width is the same before and after the values arrive, so that the next control does not move.
        <select
          {...control}
          className={`${control.className} md:w-40`}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        >
          <option value="">any</option>
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {visibleText(name)}
            </option>
          ))}
        </select>
      )}
    </FilterField>
  );
}
