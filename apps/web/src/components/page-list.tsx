import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { VirtualRows } from './virtual-rows.js';

interface PageListProps<Row> {
  readonly rows: readonly Row[];
  readonly label: string;
  readonly keyOf: (row: Row) => string;
  /** The estimated height of one row, in pixels; each is measured once shown. */
  readonly estimate: number;
  /** The row that the keyboard is on. */
  readonly current?: number;
  /** Called near the end of the rows. */
  readonly onNearEnd?: () => void;
  readonly children: (row: Row, index: number) => ReactNode;
}

/** The bars of a phone cover this much of both ends of the page, in pixels. */
const BARS = 80;

/** The measured rows of the lists that were left last, by the entry of the history. So the way back leads to the same row. */
const left = new Map<string, VirtualItem[]>();
const MAX_LEFT = 20;

function leave(key: string, rows: VirtualItem[]): void {
  left.delete(key);
  left.set(key, rows);
  const [oldest] = left.keys();
  if (left.size > MAX_LEFT && oldest !== undefined) left.delete(oldest);
}

/** A list that scrolls with its page, and keeps only its visible rows in it. */
export function PageList<Row>({ rows, label, keyOf, estimate, current, onNearEnd, children }: PageListProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const { key } = useLocation();
  const begin = useBegin(list);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimate,
    overscan: 8,
    scrollMargin: begin,
    scrollPaddingStart: BARS,
    scrollPaddingEnd: BARS,
    initialMeasurementsCache: left.get(key) ?? [],
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  useEffect(
    () => () => {
      leave(key, virtual.takeSnapshot());
    },
    [key, virtual],
  );
  const last = virtual.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    if (last >= 0 && last >= rows.length - 10) onNearEnd?.();
  }, [last, rows.length, onNearEnd]);
  useEffect(() => {
    if (current !== undefined && current >= 0) virtual.scrollToIndex(current, { align: 'auto' });
  }, [current]);
  return (
    <VirtualRows ref={list} virtual={virtual} begin={begin} rows={rows} label={label}>
      {children}
    </VirtualRows>
  );
}

/** How far below the beginning of the page a part of it begins. Banners come and go above it. */
function useBegin(part: React.RefObject<HTMLElement | null>): number {
  const [begin, setBegin] = useState(0);
  useLayoutEffect(() => {
    const measure = (): void => {
      setBegin(Math.round((part.current?.getBoundingClientRect().top ?? 0) + scrollY));
    };
    measure();
    const changes = new ResizeObserver(measure);
    changes.observe(document.body);
    return () => {
      changes.disconnect();
    };
  }, [part]);
  return begin;
}
