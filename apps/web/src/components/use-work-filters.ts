import { useFilters } from './use-filters.js';
import { usePeriod } from './use-period.js';

/** The filters that every list of work has, as the API and the address name them. */
const WORK_FILTERS = [
  'search',
  'environment',
  'agent_id',
  'tool',
  'target',
  'person_id',
  'when',
  'from',
  'until',
] as const;

/** The filters of a list of work, kept in the address, and the query they come to. */
export function useWorkFilters(own: readonly string[]) {
  const filters = useFilters([...own, ...WORK_FILTERS]);
  const period = usePeriod(filters.values);
  const { when: _, ...others } = filters.values;
  return { ...filters, query: { ...others, ...period } };
}

export type WorkFiltersInUse = ReturnType<typeof useWorkFilters>;
