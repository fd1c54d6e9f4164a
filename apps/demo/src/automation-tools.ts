import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { isWaiting, type BodyOf } from '#lib/sdk';
import type { Player } from './cast.js';
import { OffScriptError } from './stage.js';

type Tool = BodyOf<'put', '/v1/tools/{name}'>;

/** Puts the tools of ADR-003 into the tenant's catalog. Puts its curated list of those that automations may call in force. */
export async function prepareAutomations(
  catalogDirectory: string,
  { ada: { client } }: { readonly ada: Player },
): Promise<void> {
  const read = (file: string): unknown => parse(readFileSync(join(catalogDirectory, 'automation', file), 'utf8'));
  // The files are of this version, and the API checks them.
  const { tools } = read('tools.yaml') as { readonly tools: Readonly<Record<string, Tool>> };
  for (const [name, body] of Object.entries(tools)) await client.put('/v1/tools/{name}', { path: { name }, body });
  // The file beside it is a list of names.
  for (const name of read('safe-list.yaml') as readonly string[]) {
    const listed = await client.put('/v1/automation-safe-list/{name}', { path: { name }, body: { version: 1 } });
    if (isWaiting(listed)) throw new OffScriptError(`Ada is the only admin, and listing ${name} waits for another.`);
  }
}
