import { Link, useSearchParams } from 'react-router';
import type { RequestTab } from '#lib/api-schemas';

const REQUEST_TABS: readonly RequestTab[] = ['for_me', 'open', 'decided_by_me', 'all'];

const NAMES: Readonly<Record<RequestTab, string>> = {
  for_me: 'For me',
  open: 'Open',
  decided_by_me: 'Decided by me',
  all: 'All',
};

/** The tab that the address names; without one, the requests that wait for the reader. */
export const tabOf = (text: string | null): RequestTab => REQUEST_TABS.find((tab) => tab === text) ?? 'for_me';

/** The parts of the list of requests; the filters stay as they are. */
export function RequestTabs({ current }: { readonly current: RequestTab }) {
  const [search] = useSearchParams();
  const pathOf = (tab: RequestTab): string => {
    const parameters = new URLSearchParams(search);
    parameters.set('tab', tab);
    return `?${parameters.toString()}`;
  };
  return (
    <nav aria-label="Which requests" className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
      {REQUEST_TABS.map((tab) => (
        <Link
          key={tab}
          to={pathOf(tab)}
          replace
          aria-current={tab === current ? 'page' : undefined}
          className={`-mb-px border-b-2 px-2 py-2 text-sm whitespace-nowrap sm:px-3 focus-visible:-outline-offset-2 ${tab === current ? 'border-accent font-semibold text-accent' : 'border-transparent text-muted hover:text-ink'}`}
        >
          {NAMES[tab]}
        </Link>
      ))}
    </nav>
  );
}
