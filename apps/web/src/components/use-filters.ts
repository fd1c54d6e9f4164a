import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** The filters of a list, kept in the page's address. So a filtered list can be bookmarked and sent to others. */
export function useFilters(names: readonly string[]): {
  readonly values: Readonly<Record<string, string>>;
  readonly set: (name: string, value: string) => void;
  readonly clear: () => void;
  /** How many of them are set. */
  readonly active: number;
} {
  const [search, setSearch] = useSearchParams();
  const all = names.join(' ');
  const values = Object.fromEntries(names.map((name) => [name, search.get(name) ?? '']));
  const set = useCallback(
    (name: string, value: string) => {
      // The address is read directly: the value of a render is behind if two filters change one after the other.
      const filters = new URLSearchParams(globalThis.location.search);
      if (value === '') filters.delete(name);
      else filters.set(name, value);
      setSearch(filters, { replace: true });
    },
    [setSearch],
  );
  const clear = useCallback(() => {
    const filters = new URLSearchParams(globalThis.location.search);
    for (const name of all.split(' ')) filters.delete(name);
    setSearch(filters, { replace: true });
  }, [setSearch, all]);
  return { values, set, clear, active: Object.values(values).filter((value) => value !== '').length };
}
