import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';

type Json = Readonly<Record<string, unknown>>;

/** Sends a request; throws on each answer that is no success. A text is sent as YAML. */
export type Send = (method: string, path: string, body?: unknown, token?: string) => Promise<Json>;

export const sendTo =
  (origin: string): Send =>
  async (method, path, body, token) => {
    const yaml = typeof body === 'string';
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': yaml ? 'application/yaml' : 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: yaml ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Json);
  };

/** A document of the folder `catalog`. */
export const catalogDocument = (name: string): string => readFileSync(join(packageRoot(), 'catalog', name), 'utf8');

/** A tenant that a benchmark founded over HTTP. */
export interface BenchTenant {
  readonly slug: string;
  /** The id of its first admin. */
  readonly founder: string;
  /** The admin's token. */
  readonly admin: string;
}

/** The equipment of a tenant. */
export interface Equipment {
  readonly slug: string;
  readonly environment: string;
  /** The tool catalog and the autonomy document, as YAML or JSON. */
  readonly tools: string;
  readonly autonomy: string;
  /** The address of the executor `fleet`. */
  readonly toolUrl: string;
}

/** Founds a tenant with tools, an executor, two people who may approve, and an autonomy document. */
export async function foundTenant(
  send: Send,
  bootstrap: string,
  { slug, environment, tools, autonomy, toolUrl }: Equipment,
): Promise<BenchTenant> {
  const founded = await send('POST', '/v1/bootstrap', {
    bootstrap_token: bootstrap,
    tenant: { slug, name: 'Bench' },
    admin: { email: 'admin@example.com', display_name: 'Admin' },
  });
  const { enrolment_token: enrolment } = founded.enrolment as { readonly enrolment_token: string };
  const admin = await enrol(send, enrolment, ['read', 'submit', 'run', 'audit', 'admin']);
  await send('PUT', '/v1/tools', tools, admin);
  const executor = { kind: 'http', url: toolUrl, audience: `fleet.${environment}` };
  await send('PUT', `/v1/environments/${environment}/executors/fleet`, executor, admin);
  for (const name of ['lead', 'second']) {
    const person = await send('POST', '/v1/people', { email: `${name}@example.com`, display_name: name }, admin);
    await send('POST', `/v1/people/${String(person.id)}/roles`, { role: 'SRELead' }, admin);
  }
  await send('PUT', '/v1/autonomy', autonomy, admin);
  return { slug, founder: String(founded.person_id), admin };
}

/** Exchanges an enrolment token. @returns a token with these scopes. */
export async function enrol(send: Send, enrolment: string, scopes: readonly string[]): Promise<string> {
  return String((await send('POST', '/v1/enrolment', { enrolment_token: enrolment, name: 'bench', scopes })).token);
}

/** Registers an agent of the founder. @returns its token. */
export async function agentOf(send: Send, { admin, founder }: BenchTenant, name: string): Promise<string> {
  const agent = await send('POST', '/v1/agents', { name, owner_id: founder }, admin);
  const scopes = ['read', 'submit', 'run'];
  const minted = await send('POST', `/v1/agents/${String(agent.id)}/tokens`, { name: 'bench', scopes }, admin);
  return String(minted.token);
}
