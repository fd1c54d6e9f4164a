import type { FindingView } from '#lib/api-schemas';
import { NAVIGATION_ITEMS } from './navigation.js';

/** The commands of the palette itself. */
export type Act = 'halt' | 'help';

export interface Match {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly finding: FindingView | null;
  /** The address to open, or the command to run. */
  readonly to: { readonly path: string } | { readonly act: Act };
}

const ACTS: readonly { readonly name: string; readonly act: Act }[] = [
  { name: 'Halt everything, or a part', act: 'halt' },
  { name: 'Keys and help', act: 'help' },
];

const PATHS: Readonly<Record<FindingView['kind'], (id: string) => string>> = {
  request: (id) => `/requests/${id}`,
  run: (id) => `/runs/${id}`,
  plan: (id) => `/plans/${id}`,
  task: (id) => `/tasks/${id}`,
  incident: (id) => `/incidents/${id}`,
  tool: (name) => `/tools/${encodeURIComponent(name)}`,
  agent: (id) => `/tasks?agent_id=${id}`,
  person: (id) => `/people/${id}`,
};

/** The pages and commands that a text may mean, then the search results. */
export function matchesOf(text: string, found: readonly FindingView[] = []): Match[] {
  const wanted = text.trim().toLowerCase();
  // The thing with the id itself comes before those that hang together with it.
  const hasId = ({ id }: FindingView): boolean => id.startsWith(wanted) || id.slice(-8).startsWith(wanted);
  const named = <Item extends { readonly name: string }>(items: readonly Item[]): readonly Item[] =>
    items.filter(({ name }) => name.toLowerCase().includes(wanted));
  const pages = named(NAVIGATION_ITEMS).map(({ name, path }) => ({
    key: path,
    kind: 'page',
    name,
    finding: null,
    to: { path },
  }));
  const acts = named(ACTS).map(({ name, act }) => ({ key: act, kind: 'act', name, finding: null, to: { act } }));
  return [
    // "halt" halts first, and only then leads to the page of halts.
    ...(wanted === '' ? [...pages, ...acts] : [...acts, ...pages]),
    ...[...found]
      .sort((one, other) => Number(hasId(other)) - Number(hasId(one)))
      .map((finding) => ({
        key: `${finding.kind} ${finding.id}`,
        kind: finding.kind,
        name: finding.title,
        finding,
        to: { path: PATHS[finding.kind](finding.id) },
      })),
  ];
}
