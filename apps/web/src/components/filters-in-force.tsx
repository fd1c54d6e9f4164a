import { X } from 'lucide-react';
import { InertText } from './agent-text.js';

interface FilterInForce {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

interface FiltersInForceProps {
  readonly filters: readonly FilterInForce[];
  readonly onRemove: (name: string) => void;
}

/** The filters that hold now, each to be taken away with one click. */
export function FiltersInForce({ filters, onRemove }: FiltersInForceProps) {
  if (filters.length === 0) return null;
  return (
    <ul aria-label="Filters in force" className="mb-3 flex flex-wrap gap-2">
      {filters.map(({ name, label, value }) => (
        <li
          key={name}
          className="inline-flex max-w-full items-center gap-1 rounded-full bg-accent-soft py-0.5 pr-1 pl-3 text-sm text-accent"
        >
          <span className="truncate">
            {label}: <InertText text={value} />
          </span>
          <button
            type="button"
            aria-label={`Take away ${label}: ${value}`}
            className="grid size-6 shrink-0 place-items-center rounded-full hover:bg-surface"
            onClick={() => {
              onRemove(name);
            }}
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
