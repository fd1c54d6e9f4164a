import type { ReactNode } from 'react';
import type { Paged } from '../api/paged.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';

interface PagedListProps<Item> {
  readonly title: string;
  readonly list: Paged<Item>;
  /** The text for an empty list. */
  readonly empty: string;
  /** One item, as a list item. */
  readonly children: (item: Item) => ReactNode;
}

/** A list of the settings, a page of it at a time. */
export function PagedList<Item>({ title, list, empty, children }: PagedListProps<Item>) {
  return (
    <Card title={title} flush>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={list.again} />
        </div>
      )}
      {!list.isPending && list.error === null && list.items.length === 0 && (
        <p className="p-4 text-sm text-muted">{empty}</p>
      )}
      {list.items.length > 0 && <ul>{list.items.map(children)}</ul>}
      {list.hasMore && (
        <div className="p-3">
          <Button size="sm" onClick={list.more}>
            More
          </Button>
        </div>
      )}
    </Card>
  );
}
