import { useQuery } from '@tanstack/react-query';
import { api } from './client.js';

interface Named {
  readonly id: string;
}
interface Everybody {
  readonly agents: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
}

async function all<Item extends Named>(path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: Item[]; next_cursor: string | null } = await api.get(path, { limit: 200, cursor });
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}

async function readEverybody(): Promise<Everybody> {
  const [agents, people] = await Promise.all([
    all<{ id: string; name: string }>('/v1/agents'),
    all<{ id: string; display_name: string }>('/v1/people'),
  ]);
  return {
    agents: new Map(agents.map(({ id, name }) => [id, name])),
    people: new Map(people.map(({ id, display_name: name }) => [id, name])),
  };
}

export interface Directory {
  /** "drift-bot (agent)", "Olga". */
  readonly nameOf: (who: { readonly kind: string; readonly id: string }) => string;
  readonly agents: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
}

const nobody: ReadonlyMap<string, string> = new Map();

/** The names of the tenant's people and agents. */
export function useDirectory(): Directory {
  const { data } = useQuery({ queryKey: ['directory'], queryFn: readEverybody, staleTime: 300_000 });
  const agents = data?.agents ?? nobody;
  const people = data?.people ?? nobody;
  return {
    agents,
    people,
    nameOf: ({ kind, id }) =>
      kind === 'agent'
        ? `${agents.get(id) ?? 'an agent'} (agent)`
        : (people.get(id) ?? (kind === 'system' ? 'Countersign' : 'a person')),
  };
}
