import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';

interface UnfoldingItemProps {
  /** The line that is always there; `more` stands below it. */
  readonly line: ReactNode;
  readonly more?: (open: boolean) => ReactNode;
  /** Whether it is unfolded at first. */
  readonly unfolded?: boolean;
  /** Drawn once somebody unfolds the item. */
  readonly children: ReactNode;
}

/** An item of a list that unfolds to its details. */
export function UnfoldingItem({ line, more, unfolded = false, children }: UnfoldingItemProps) {
  const [open, setOpen] = useState(unfolded);
  const id = useId();
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <li className="border-b border-line last:border-0">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        className="flex w-full gap-2 px-4 py-3 text-left text-sm hover:bg-sunken focus-visible:-outline-offset-2"
        onClick={() => {
          setOpen(!open);
        }}
      >
        <Chevron aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">{line}</span>
          {more?.(open)}
        </span>
      </button>
      <div id={id} hidden={!open}>
        {open && children}
      </div>
    </li>
  );
}
