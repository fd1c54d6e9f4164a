import { useQuery } from '@tanstack/react-query';
import { api } from './client.js';
import { queryClient } from './query-client.js';

interface Named {
  readonly id: string;
}
interface Everybody {
  readonly agents: ReadonlyMap<string, string>;
  readonly owners: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
  readonly holders: ReadonlyMap<string, readonly string[]>;
}

interface Person extends Named {
  readonly display_name: string;
  readonly email: string | null;
  readonly name_note: string | null;
  readonly disabled_at: string | null;
  readonly roles: readonly { readonly role: string }[];
}

/** A name with what is to be known of it: who else has it, and whether it was given within a week. */
export const markedName = (name: string, ...notes: readonly (string | null)[]): string => {
  const known = notes.filter((note) => note !== null);
  return known.length === 0 ? name : `${name} (${known.join('; ')})`;
};

const nameShown = ({ display_name: name, name_note: note, email }: Person): string =>
  markedName(name, note, note === null ? null : email);

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
    all<{ id: string; name: string; name_note: string | null; owner_id: string }>('/v1/agents'),
    all<Person>('/v1/people'),
  ]);
  return {
    agents: new Map(agents.map(({ id, name, name_note: note }) => [id, markedName(name, note)])),
    owners: new Map(agents.map(({ id, owner_id: owner }) => [id, owner])),
    people: new Map(people.map((person) => [person.id, nameShown(person)])),
    holders: holdersIn(people),
  };
}

function holdersIn(people: readonly Person[]): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>();
  for (const person of people.filter(({ disabled_at: disabled }) => disabled === null))
    for (const { role } of person.roles) holders.set(role, [...(holders.get(role) ?? []), nameShown(person)]);
  return holders;
}

interface Who {
  readonly kind: string;
  readonly id: string;
}

export interface Directory {
  /** "drift-bot (agent)", "Olga". */
  readonly nameOf: (who: Who) => string;
  /** "drift-bot", "Olga"; nothing where the list names nobody of that kind and id. */
  readonly find: (who: Who) => string | undefined;
  readonly agents: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
  /** Who answers for an agent. */
  readonly ownerOf: (agentId: string) => string | undefined;
  /** The names of those who hold a role. */
  readonly holdersOf: (role: string) => readonly string[];
}

const nobody: ReadonlyMap<string, string> = new Map();

/** The ids that the list lacked. Each has the list read again once: some ids have no name at all. */
const lacking = new Set<string>();
let readsAgain = false;

/** Reads the list again for somebody who came after it was read; once for all whom a page shows together. */
function readAgainFor(id: string): void {
  if (lacking.has(id)) return;
  lacking.add(id);
  if (readsAgain) return;
  readsAgain = true;
  queueMicrotask(() => {
    readsAgain = false;
    void queryClient.invalidateQueries({ queryKey: ['directory'] });
  });
}

/** The names of the tenant's people and agents. */
export function useDirectory(): Directory {
  const { data } = useQuery({ queryKey: ['directory'], queryFn: readEverybody, staleTime: 300_000 });
  const agents = data?.agents ?? nobody;
  const people = data?.people ?? nobody;
  const find = ({ kind, id }: Who): string | undefined => {
    if (kind !== 'agent' && kind !== 'person') return undefined;
    const name = (kind === 'agent' ? agents : people).get(id);
    if (name === undefined && data !== undefined) readAgainFor(id);
    return name;
  };
  return {
    agents,
    people,
    ownerOf: (agentId) => data?.owners.get(agentId),
    holdersOf: (role) => data?.holders.get(role) ?? [],
    find,
    nameOf: (who) => {
      if (who.kind === 'agent') return `${find(who) ?? 'an agent'} (agent)`;
      return who.kind === 'system' ? 'Countersign' : (find(who) ?? 'a person');
    },
  };
}
