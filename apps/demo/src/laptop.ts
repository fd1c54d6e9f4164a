import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isWaiting, type BodyOf } from '#lib/sdk';
import type { Player } from './cast.js';
import { OffScriptError } from './stage.js';

/** Dev's laptop: an agent of Dev's works there, and a runner carries out its calls. */
export interface Laptop {
  readonly bot: Pick<Player, 'name' | 'token'>;
  /** Enrols the runner, once. */
  readonly runnerToken: string;
}

type Tool = BodyOf<'put', '/v1/tools/{name}'>;

/** Puts the tools of the example into the tenant's catalog, names their executor, and adds runner and agent. */
export async function prepareLaptop(
  example: string,
  { ada, dev }: { readonly ada: Player; readonly dev: Player },
): Promise<Laptop> {
  // The file is of this version, and the API checks it.
  const { tools } = parse(readFileSync(join(example, 'config/tools.yaml'), 'utf8')) as {
    readonly tools: Readonly<Record<string, Tool>>;
  };
  await ada.client.put('/v1/environments/{environment}/executors/{name}', {
    path: { environment: 'development', name: 'workspace' },
    body: { kind: 'runner', pool: 'laptops' },
  });
  for (const [name, body] of Object.entries(tools)) await ada.client.put('/v1/tools/{name}', { path: { name }, body });
  const runner = await ada.client.post('/v1/runners', {
    body: { name: 'laptop', pool: 'laptops', environments: ['development'] },
  });
  if (isWaiting(runner)) throw new OffScriptError('Ada is the only admin, and adding a runner waits for another.');
  const { id } = await ada.client.post('/v1/agents', { body: { name: 'shop-bot', owner_id: dev.id } });
  const { token } = await dev.client.post('/v1/agents/{id}/tokens', {
    path: { id },
    body: { name: 'laptop', scopes: ['read', 'submit', 'run'] },
  });
  return { bot: { name: 'shop-bot', token }, runnerToken: runner.enrolment_token };
}
