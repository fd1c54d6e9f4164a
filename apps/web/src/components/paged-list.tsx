import type { ReactNode } from 'react';
import type { Paged } from '../api/paged.js';
import { Button } from './button.js';
import { Card } from './card.js';
import { ErrorNote } from './error-note.js';
import { SkeletonRows } from './skeleton.js';

interface PagedCardProps<Item> {
  readonly title: string;
  /** The actions, beside the title. */
  readonly actions?: ReactNode;
  readonly list: Paged<Item>;
  /** The room that the list has while it is read. */
  readonly room?: ReactNode;
  /** The text for an empty list. */
  readonly empty: string;
  /** The label of the button for the next page. */
  readonly more?: string;
  /** Shows the items, of which there is at least one. */
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list in a section, a page of it at a time. */
export function PagedCard<Item>(card: PagedCardProps<Item>) {
  const { title, actions, list, room = <SkeletonRows rows={3} />, empty, more = 'More', children } = card;
  return (
    <Card title={title} actions={actions} flush>
      {list.isPending && room}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={list.again} />
        </div>
      )}
      {!list.isPending && list.error === null && list.items.length === 0 && (
        <p className="p-4 text-sm text-muted">{empty}</p>
      )}
      {list.items.length > 0 && children(list.items)}
      {list.hasMore && (
        <div className="p-3">
          <Button size="sm" onClick={list.more}>
            {more}
          </Button>
        </div>
      )}
    </Card>
  );
}

interface PagedListProps<Item> extends Omit<PagedCardProps<Item>, 'children'> {
  /** One item, as a list item. */
  readonly children: (item: Item, index: number) => ReactNode;
}

/** The same with a list item each. */
export const PagedList = <Item,>({ children, ...card }: PagedListProps<Item>) => (
  <PagedCard {...card}>{(items) => <ul aria-label={card.title}>{items.map(children)}</ul>}</PagedCard>
);
