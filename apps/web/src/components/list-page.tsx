import { ListX } from 'lucide-react';
import { useCallback, useMemo, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router';
import type { Paged } from '../api/paged.js';
import { Card } from './card.js';
import { Empty } from './empty.js';
import { ErrorNote } from './error-note.js';
import { Filters } from './filters.js';
import { Page } from './page.js';
import { PageList } from './page-list.js';
import { SkeletonRows } from './skeleton.js';
import { useListKeys } from './use-list-keys.js';

interface ListPageProps<Item> {
  readonly title: string;
  readonly meta: string;
  /** Parts of the list, or its state, above its filters. */
  readonly tabs?: ReactNode;
  /** Null for a list that has none. */
  readonly filters: ReactNode;
  /** Those that hold now, said below them. */
  readonly inForce?: ReactNode;
  readonly actions?: ReactNode;
  /** How many filters are set now, and how to have all of the list. */
  readonly active: number;
  readonly onClear: () => void;
  readonly list: Paged<Item>;
  readonly keyOf: (item: Item) => string;
  readonly pathOf: (item: Item) => string;
  /** The text for an empty list. */
  readonly empty: ReactNode;
  readonly children: (item: Item) => ReactNode;
}

/** A list with filters, read page by page as it is scrolled, walked with j and k. */
export function ListPage<Item>(props: ListPageProps<Item>) {
  const { title, meta, actions, tabs, filters, inForce, active, onClear, list, keyOf, pathOf, empty, children } = props;
  const filtered = active > 0;
  const { items } = list;
  const navigate = useNavigate();
  const open = useCallback(
    (index: number) => {
      const item = items[index];
      if (item !== undefined) void navigate(pathOf(item));
    },
    [items, navigate, pathOf],
  );
  const current = useListKeys(
    useMemo(() => items.map(keyOf), [items, keyOf]),
    open,
  );
  return (
    <Page title={title} meta={meta} actions={actions}>
      {tabs}
      {filters !== null && (
        <Filters active={active} onClear={onClear}>
          {filters}
        </Filters>
      )}
      {inForce}
      <Card flush>
        {list.isPending && <SkeletonRows rows={8} className="h-16" />}
        {list.error !== null && (
          <div className="p-4">
            <ErrorNote error={list.error} retry={list.again} />
          </div>
        )}
        {!list.isPending && list.error === null && items.length === 0 && (
          <Empty icon={<ListX aria-hidden />} title={filtered ? 'Nothing matches' : 'Nothing here yet'}>
            {filtered ? 'Take a filter away to see more.' : empty}
          </Empty>
        )}
        {items.length > 0 && (
          <PageList rows={items} label={title} estimate={76} keyOf={keyOf} current={current} onNearEnd={list.more}>
            {(item, index) => (
              <Link
                aria-current={index === current ? 'true' : undefined}
                to={pathOf(item)}
                className={`flex min-h-19 flex-col justify-center px-4 py-3 hover:bg-sunken focus-visible:-outline-offset-2 ${index === current ? 'bg-accent-soft' : ''}`}
              >
                {children(item)}
              </Link>
            )}
          </PageList>
        )}
      </Card>
      <p role="status" className="mt-2 h-5 text-sm text-muted">
        {items.length > 0 &&
          (list.hasMore ? `${String(items.length)} shown; more come as you scroll` : `${String(items.length)} in all`)}
      </p>
    </Page>
  );
}
