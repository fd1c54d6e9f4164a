import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type ReactNode } from 'react';

interface VirtualListProps<Row> {
  readonly rows: readonly Row[];
  readonly label: string;
  readonly keyOf: (row: Row) => string;
  /** The estimated height of one row, in pixels; each is measured once shown. */
  readonly estimate: number;
  /** The row that the keyboard is on. */
  readonly current?: number;
  /** Called near the end of the rows. */
  readonly onNearEnd?: () => void;
  readonly className?: string;
  readonly children: (row: Row, index: number) => ReactNode;
}

/** A list that keeps only its visible rows in the page: ten thousand rows cost as much as twenty. */
export function VirtualList<Row>({
  rows,
  label,
  keyOf,
  estimate,
  current,
  onNearEnd,
  className = 'max-h-[70dvh]',
  children,
}: VirtualListProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    overscan: 8,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= 0 && last >= rows.length - 10) onNearEnd?.();
  }, [last, rows.length, onNearEnd]);
  useEffect(() => {
    if (current !== undefined && current >= 0) virtual.scrollToIndex(current, { align: 'auto' });
  }, [current]);
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={label}
      className={`overflow-y-auto rounded-xl ${className}`}
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <li
              key={item.key}
              data-index={item.index}
              ref={virtual.measureElement}
              aria-setsize={rows.length}
              aria-posinset={item.index + 1}
              className={`absolute inset-x-0 top-0 ${item.index < rows.length - 1 ? 'border-b border-line' : ''}`}
              style={{ transform: `translateY(${String(item.start)}px)` }}
            >
              {children(row, item.index)}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
