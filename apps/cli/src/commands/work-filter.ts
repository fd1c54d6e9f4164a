import { InvalidArgumentError, type Command } from 'commander';
import type { WorkFilterQuery } from '#lib/api-schemas';
import { isUuid } from '#lib/kernel';
import { itemsOf, type CountersignClient } from '#lib/sdk';
import { CommandError, EXIT } from '../exit-codes.js';

/** The filters of every list of work, as they are typed. */
export interface WorkOptions {
  readonly search?: string;
  readonly environment?: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly target?: string;
  readonly person?: string;
  readonly from?: string;
  readonly until?: string;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z)?$/;

/** Adds the filters that tasks, plans, requests, runs and incidents have alike. */
export const filtered = (command: Command): Command =>
  command
    .option('--search <text>', 'by words of the goal or the headline, tools, targets, or a part of an id')
    .option('--environment <name>', 'only in this environment')
    .option('--agent <agent>', 'only of this agent: its name or id')
    .option('--tool <name>', 'only if the plan calls this tool')
    .option('--target <name>', 'only if the plan changes this target')
    .option('--person <person>', 'only if this person asked or reviewed: their address, name or id')
    .option('--from <time>', 'from then on: 2026-11-20, or 2026-11-20T08:00:00Z', momentOf)
    .option('--until <time>', 'and before then', momentOf);

/**
 * Reads an option's time, in UTC. A day begins at midnight.
 *
 * @throws {InvalidArgumentError} for anything else, such as the 30th of February.
 */
export function momentOf(text: string): string {
  const [, day, time = 'T00:00:00Z'] = MOMENT.exec(text) ?? [];
  const at = new Date(`${day ?? ''}${time}`);
  if (day === undefined || Number.isNaN(at.getTime()) || !at.toISOString().startsWith(day)) {
    throw new InvalidArgumentError('It must be a day or a time in UTC, as 2026-11-20 or 2026-11-20T08:00:00Z.');
  }
  return at.toISOString();
}

/** The filters as the API takes them; agents and people by id. @throws {CommandError} if a name is unknown. */
export async function queryOf(
  api: CountersignClient,
  { agent, person, search, environment, tool, target, from, until }: WorkOptions,
): Promise<WorkFilterQuery> {
  return {
    ...(agent === undefined ? {} : { agent_id: await idOfAgent(api, agent) }),
    ...(person === undefined ? {} : { person_id: await idOfPerson(api, person) }),
    ...(search === undefined ? {} : { search }),
    ...(environment === undefined ? {} : { environment }),
    ...(tool === undefined ? {} : { tool }),
    ...(target === undefined ? {} : { target }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
  };
}

export const idOfAgent = (api: CountersignClient, called: string): Promise<string> =>
  idOf(
    called,
    'agent',
    itemsOf((page) => api.get('/v1/agents', { query: page })),
    ({ name }) => [name],
  );

/** A display name is a person's own choice, so it is never taken for an address. */
export const idOfPerson = (api: CountersignClient, called: string): Promise<string> =>
  idOf(
    called,
    'person',
    itemsOf((page) => api.get('/v1/people', { query: page })),
    ({ display_name: name, email }) => [called.includes('@') ? (email ?? '') : name],
  );

/** Of a person who gets or loses a power: by no name, since a person chooses it. */
export const idOfAddressed = (api: CountersignClient, called: string): Promise<string> =>
  idOf(
    called,
    'person',
    itemsOf((page) => api.get('/v1/people', { query: page })),
    ({ email }) => [email ?? ''],
    'e-mail address',
  );

/** Of a runner that is not revoked: a revoked one gives its name free. */
export const idOfRunner = (api: CountersignClient, called: string): Promise<string> =>
  idOf(called, 'runner', runnersOf(api), ({ name, state }) => (state === 'revoked' ? [] : [name]));

async function* runnersOf(api: CountersignClient) {
  yield* (await api.get('/v1/runners')).items;
}

const LISTS = { agent: 'agents', person: 'people', runner: 'runner list' } as const;

async function idOf<Item extends { readonly id: string }>(
  called: string,
  kind: keyof typeof LISTS,
  items: AsyncIterable<Item>,
  namesOf: (item: Item) => readonly string[],
  name = 'whole name',
): Promise<string> {
  if (isUuid(called)) return called;
  const wanted = called.toLowerCase();
  const found: string[] = [];
  for await (const item of items) if (namesOf(item).some((name) => name.toLowerCase() === wanted)) found.push(item.id);
  const [id] = found;
  if (found.length === 1 && id !== undefined) return id;
  throw found.length === 0
    ? new CommandError(
        EXIT.usage,
        `No ${kind} is called "${called}".`,
        `Give the ${name} as \`countersign ${LISTS[kind]}\` shows it, or the id.`,
        [],
        'command.usage',
      )
    : new CommandError(
        EXIT.usage,
        `More than one ${kind} is called "${called}".`,
        'Give the id of one.',
        found,
        'command.usage',
      );
}
