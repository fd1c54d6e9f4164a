import type { ReactNode } from 'react';
import type { PathOf } from '#lib/client';
import type { Paged } from '../api/paged.js';
import { InertText } from '../components/agent-text.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { DataTable } from '../components/data-table.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { TimeAgo } from '../components/times.js';
import { useChange } from './use-change.js';

interface Item {
  readonly id: string;
  readonly last_error: string | null;
  readonly created_at: string;
}

interface GivenUpProps<Each extends Item> {
  readonly title: string;
  /** The label of the table. */
  readonly label: string;
  readonly list: Paged<Each>;
  /** Sends one item again. */
  readonly retry: (id: string) => Promise<unknown>;
  /** The path of the list. */
  readonly path: PathOf<'get'>;
  /** The heads of the two columns that `cellsOf` fills. */
  readonly columns: readonly [string, string];
  readonly cellsOf: (item: Each) => readonly [ReactNode, ReactNode];
  /** The name of one item, for a button that a screen reader reads alone. */
  readonly nameOf: (item: Each) => string;
  /** Shown if the list is empty. */
  readonly empty: ReactNode;
}

/** Messages that were given up after all attempts, for admins to send again. */
export function GivenUp<Each extends Item>(props: GivenUpProps<Each>) {
  const { title, label, list, path, columns, cellsOf, nameOf, empty } = props;
  const retry = useChange(props.retry, path);
  return (
    <Card title={title} flush>
      {list.isPending && <SkeletonRows rows={1} />}
      {list.error !== null && (
        <div className="p-4">
          <ErrorNote error={list.error} retry={list.again} />
        </div>
      )}
      {retry.error !== null && (
        <div className="p-4">
          <ErrorNote error={retry.error} />
        </div>
      )}
      {!list.isPending && list.error === null && list.items.length === 0 && empty}
      {list.items.length > 0 && (
        <DataTable
          label={label}
          columns={[...columns, 'Why', 'Since', '']}
          rows={list.items.map((item) => ({
            key: item.id,
            cells: [
              ...cellsOf(item),
              <InertText key="why" text={item.last_error ?? ''} />,
              <TimeAgo key="since" at={item.created_at} />,
              <Button
                key="again"
                size="sm"
                aria-label={`Send again: ${nameOf(item)}`}
                busy={retry.isPending && retry.variables === item.id}
                onClick={() => {
                  retry.mutate(item.id);
                }}
              >
                Send again
              </Button>,
            ],
          }))}
        />
      )}
    </Card>
  );
}
