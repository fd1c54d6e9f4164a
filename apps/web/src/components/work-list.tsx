import { useCallback, type ReactNode } from 'react';
import type { Paged } from '../api/paged.js';
import { FilterSelect } from './filter-select.js';
import { ListPage } from './list-page.js';
import type { WorkFiltersInUse } from './use-work-filters.js';
import { WorkFilters } from './work-filters.js';

interface WorkListProps<Item> {
  readonly title: string;
  readonly meta: string;
  readonly list: Paged<Item>;
  /** The path of the list; an item's page is below it, by its id. */
  readonly path: string;
  readonly filters: WorkFiltersInUse;
  /** The filter by state: its name in the address, and the states to choose from; null without one. */
  readonly state: readonly [name: 'state' | 'status', states: readonly string[]] | null;
  /** Filters of this list alone. */
  readonly further?: ReactNode;
  /** Parts of the list, above its filters. */
  readonly tabs?: ReactNode;
  /** The text for an empty list. */
  readonly empty: ReactNode;
  readonly children: (item: Item) => ReactNode;
}

const keyOf = ({ id }: { readonly id: string }): string => id;

/** A list of tasks, plans, requests, runs or incidents, with the filters that all of them have. */
export function WorkList<Item extends { readonly id: string }>(props: WorkListProps<Item>) {
  const { path, filters, state, further, children, ...list } = props;
  const { values, set, clear, active } = filters;
  const pathOf = useCallback(({ id }: Item) => `${path}/${id}`, [path]);
  return (
    <ListPage
      {...list}
      keyOf={keyOf}
      pathOf={pathOf}
      active={active}
      onClear={clear}
      filters={
        <WorkFilters filters={filters}>
          {state !== null && (
            <FilterSelect
              label={state[0] === 'state' ? 'State' : 'Status'}
              value={values[state[0]] ?? ''}
              values={state[1]}
              onChange={(value) => {
                set(state[0], value);
              }}
            />
          )}
          {further}
        </WorkFilters>
      }
    >
      {children}
    </ListPage>
  );
}
