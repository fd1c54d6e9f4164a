import { SlidersHorizontal } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Button } from './button.js';

interface FiltersProps {
  /** How many of them are set now. */
  readonly active: number;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/**
 * The filters of a list. They stand beside each other if there is room. On a phone they are behind a button that counts those in
 * use.
 */
export function Filters({ active, onClear, children }: FiltersProps) {
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3.5 gap-y-3 print:hidden">
      <span className="flex w-full flex-wrap items-center gap-2 md:hidden">
        <Button
          aria-expanded={open}
          aria-controls={id}
          onClick={() => {
            setOpen(!open);
          }}
        >
          <SlidersHorizontal aria-hidden className="size-4" /> Filters{' '}
          {active > 0 && (
            <span className="rounded-full bg-accent px-1.5 text-xs font-semibold text-accent-ink">
              {String(active)}
              <span className="sr-only"> in use</span>
            </span>
          )}
        </Button>
        {active > 0 && (
          <Button look="quiet" onClick={onClear}>
            Show all
          </Button>
        )}
      </span>
      <div
        id={id}
        role="group"
        aria-label="Filters"
        className={`${open ? 'grid' : 'hidden'} w-full grid-cols-2 items-end gap-3 md:contents`}
      >
        {children}
      </div>
      {active > 0 && (
        <Button size="sm" look="quiet" className="max-md:hidden" onClick={onClear}>
          Show all
        </Button>
      )}
    </div>
  );
}
