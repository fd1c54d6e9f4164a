import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactNode } from 'react';
import { VirtualRows } from './virtual-rows.js';

interface VirtualListProps<Row> {
  readonly rows: readonly Row[];
  readonly label: string;
  readonly keyOf: (row: Row) => string;
  /** The estimated height of one row, in pixels; each is measured once shown. */
  readonly estimate: number;
  /** Sets the height of the box. */
  readonly className: string;
  readonly children: (row: Row, index: number) => ReactNode;
}

/** A list in a box of its own that scrolls, beside other parts of a page. */
export function VirtualList<Row>({ rows, label, keyOf, estimate, className, children }: VirtualListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    overscan: 8,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={label}
      className={`overflow-y-auto rounded-xl ${className}`}
    >
      <VirtualRows virtual={virtual} rows={rows} label={label}>
        {children}
      </VirtualRows>
    </div>
  );
}
