import type { SubmitterView } from '#lib/api-schemas';
import type { CountersignClient } from '#lib/sdk';
import { oneLine } from './output.js';

/**
 * The submitter, the person they act for, and the owner of the agent. Each stands by name, with the id, since a name alone does
 * not tell.
 */
export async function whoAsks(
  api: CountersignClient,
  { kind, id, on_behalf_of: principal }: SubmitterView,
): Promise<string> {
  const nameOf = async (person: string): Promise<string> => oneLine(await nameOfPerson(api, person));
  const behalf = principal === null ? '' : `, on behalf of ${await nameOf(principal)}`;
  if (kind === 'person') return `${await namedPerson(api, id)}${behalf}`;
  const agent = await api.get('/v1/agents/{id}', { path: { id } });
  return `${oneLine(agent.name)} (agent ${id})${behalf}; ${await nameOf(agent.owner_id)} answers for it`;
}

/** By name and id, safe to print. */
export const namedPerson = async (api: CountersignClient, id: string): Promise<string> =>
  `${oneLine(await nameOfPerson(api, id))} (person ${id})`;

/** As it came: to be made safe before it is printed. */
export const nameOfPerson = async (api: CountersignClient, id: string): Promise<string> =>
  (await api.get('/v1/people/{id}', { path: { id } })).display_name;

export const nameOfAgent = async (api: CountersignClient, id: string): Promise<string> =>
  (await api.get('/v1/agents/{id}', { path: { id } })).name;

/** The name behind each id, asked for once. */
export async function namesBehind(
  api: CountersignClient,
  ids: readonly (string | null)[],
  nameOf: typeof nameOfPerson,
): Promise<ReadonlyMap<string | null, string>> {
  const names = new Map<string | null, string>();
  for (const id of ids) if (id !== null && !names.has(id)) names.set(id, await nameOf(api, id));
  return names;
}
