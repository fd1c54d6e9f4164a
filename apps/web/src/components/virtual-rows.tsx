import type { Virtualizer } from '@tanstack/react-virtual';
import type { ReactNode, Ref } from 'react';

interface VirtualRowsProps<Row, Scroller extends Element | Window> {
  readonly virtual: Virtualizer<Scroller, Element>;
  /** The beginning of the list in its scroller, in pixels. */
  readonly begin?: number;
  readonly rows: readonly Row[];
  readonly label: string;
  readonly ref?: Ref<HTMLUListElement>;
  readonly children: (row: Row, index: number) => ReactNode;
}

/** The rows of a list that are in sight: ten thousand rows cost as much as twenty. */
export function VirtualRows<Row, Scroller extends Element | Window>({
  virtual,
  begin = 0,
  rows,
  label,
  ref,
  children,
}: VirtualRowsProps<Row, Scroller>) {
  return (
    // The virtualizer keeps rows in their place while others are measured; the browser would do it a second time.
    <ul
      ref={ref}
      aria-label={label}
      className="relative overflow-clip rounded-xl [overflow-anchor:none]"
      style={{ height: virtual.getTotalSize() }}
    >
      {virtual.getVirtualItems().map((item) => {
        const row = rows[item.index];
        return row === undefined ? null : (
          <li
            key={item.key}
            data-index={item.index}
            ref={virtual.measureElement}
            aria-setsize={rows.length}
            aria-posinset={item.index + 1}
            className={`absolute inset-x-0 top-0 ${item.index < rows.length - 1 ? 'border-b border-line' : ''}`}
            style={{ transform: `translateY(${String(item.start - begin)}px)` }}
          >
            {children(row, item.index)}
          </li>
        );
      })}
    </ul>
  );
}
