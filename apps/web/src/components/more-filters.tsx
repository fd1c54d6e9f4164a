import { ChevronDown } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Button } from './button.js';

interface MoreFiltersProps {
  /** The number of these filters that are set. */
  readonly inUse: number;
  readonly children: ReactNode;
}

/** Hides the less common filters of a list behind a button. */
export function MoreFilters({ inUse, children }: MoreFiltersProps) {
  const id = useId();
  const [open, setOpen] = useState(inUse > 0);
  return (
    <>
      <Button
        size="sm"
        look="quiet"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          setOpen(!open);
        }}
      >
        More filters{inUse > 0 ? ` (${String(inUse)})` : ''}
        <ChevronDown aria-hidden className={`size-4 ${open ? 'rotate-180' : ''}`} />
      </Button>
      <span
        id={id}
        className={`${open ? 'grid md:flex' : 'hidden'} col-span-2 basis-full grid-cols-2 items-end gap-3 md:flex-wrap md:items-center md:gap-x-5`}
      >
        {open && children}
      </span>
    </>
  );
}
