interface FilterToggleProps {
  readonly label: string;
  /** "true" if it is on, as the address says it. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One filter of a list that is on or off. */
export const FilterToggle = ({ label, value, onChange }: FilterToggleProps) => (
  <label className="inline-flex h-9 items-center gap-2 text-sm">
    <input
      type="checkbox"
      checked={value === 'true'}
      onChange={(event) => {
        onChange(event.target.checked ? 'true' : '');
      }}
    />
    {label}
  </label>
);
