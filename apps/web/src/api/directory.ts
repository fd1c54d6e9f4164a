import { useQuery } from '@tanstack/react-query';
import { itemsOf, type AnswerTo } from '#lib/client';
import { api } from './client.js';
import { keyOf } from './query.js';
import { readAgain } from './read-again.js';
import { queryClient } from './query-client.js';

type Agent = AnswerTo<'get', '/v1/agents'>['items'][number];
type Person = AnswerTo<'get', '/v1/people'>['items'][number];

/** A name with its notes: other people or agents have the same name, or it was given within a week. */
export const markedName = (name: string, ...notes: readonly (string | null)[]): string => {
  const known = notes.filter((note) => note !== null);
  return known.length === 0 ? name : `${name} (${known.join('; ')})`;
};

const nameShown = ({ display_name: name, name_note: note, email }: Person): string =>
  markedName(name, note, note === null ? null : email);

const EVERYBODY = { staleTime: 300_000 };

const agentsQuery = {
  ...EVERYBODY,
  queryKey: [...keyOf('/v1/agents'), 'names'],
  queryFn: async () => {
    const agents: Agent[] = [];
    for await (const agent of itemsOf((page) => api.get('/v1/agents', { query: page }))) agents.push(agent);
    return {
      names: new Map(agents.map(({ id, name, name_note: note }) => [id, markedName(name, note)])),
      owners: new Map(agents.map(({ id, owner_id: owner }) => [id, owner])),
    };
  },
};

const peopleQuery = {
  ...EVERYBODY,
  queryKey: [...keyOf('/v1/people'), 'names'],
  queryFn: async () => {
    const people: Person[] = [];
    for await (const person of itemsOf((page) => api.get('/v1/people', { query: page }))) people.push(person);
    return { names: new Map(people.map((person) => [person.id, nameShown(person)])), holders: holdersIn(people) };
  },
};

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
  /** "drift-bot", "Olga"; undefined if the list has no such kind and id. */
  readonly find: (who: Who) => string | undefined;
  readonly agents: ReadonlyMap<string, string>;
  readonly people: ReadonlyMap<string, string>;
  /** The owner of an agent. */
  readonly ownerOf: (agentId: string) => string | undefined;
  /** The names of those who hold a role. */
  readonly holdersOf: (role: string) => readonly string[];
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** The ids that the list lacked. Each has the list read again once: some ids have no name at all. */
const lacking = new Set<string>();
let readsAgain = false;

/** Reads the list again for a person who is missing in it. It is read once for all the ids that a page shows together. */
function readAgainFor(id: string): void {
  if (lacking.has(id)) return;
  lacking.add(id);
  if (readsAgain) return;
  readsAgain = true;
  queueMicrotask(() => {
    readsAgain = false;
    void readAgain(queryClient, '/v1/agents', '/v1/people');
  });
}

/** The names of the tenant's people and agents. */
export function useDirectory(): Directory {
  const agents = useQuery(agentsQuery).data;
  const people = useQuery(peopleQuery).data;
  const find = ({ kind, id }: Who): string | undefined => {
    if (kind !== 'agent' && kind !== 'person') return undefined;
    const list = kind === 'agent' ? agents : people;
    const name = list?.names.get(id);
    if (name === undefined && list !== undefined) readAgainFor(id);
    return name;
  };
  return {
    agents: agents?.names ?? NO_NAMES,
    people: people?.names ?? NO_NAMES,
    ownerOf: (agentId) => agents?.owners.get(agentId),
    holdersOf: (role) => people?.holders.get(role) ?? [],
    find,
    nameOf: (who) => {
      if (who.kind === 'agent') return `${find(who) ?? 'an agent'} (agent)`;
      return who.kind === 'system' ? 'Countersign' : (find(who) ?? 'a person');
    },
  };
}
