import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CountersignClient } from '#lib/sdk';

type Scopes = Parameters<CountersignClient['enrol']>[0]['scopes'];

/** Somebody of the demo's tenant, and a client that acts as them. */
export interface Player {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly client: CountersignClient;
}

/** Everybody who plays a part. */
export interface Cast {
  readonly ada: Player;
  readonly olga: Player;
  readonly dev: Player;
  readonly sam: Player;
  readonly lea: Player;
  readonly rita: Player;
  readonly agent: Player;
}

export interface TenantSetting {
  readonly baseUrl: string;
  readonly bootstrapToken: string;
  /** Holds the catalog and the autonomy document. */
  readonly catalogDirectory: string;
  readonly fleetUrl: string;
}

const REVIEWER: Scopes = ['read', 'submit', 'run', 'review', 'halt'];

/** Founds the demo's tenant through the public API, as any operator would: people, an agent, tools, autonomy. */
export async function castOf({ baseUrl, bootstrapToken, catalogDirectory, fleetUrl }: TenantSetting): Promise<Cast> {
  const anonymous = new CountersignClient({ baseUrl });
  const enrol = async (id: string, name: string, enrolment: string, scopes: Scopes): Promise<Player> => {
    const { token } = await anonymous.enrol({ enrolment_token: enrolment, name: 'demo', scopes });
    return { id, name, token, client: new CountersignClient({ baseUrl, token }) };
  };

  const founded = await anonymous.bootstrap({
    bootstrap_token: bootstrapToken,
    tenant: { slug: 'acme', name: 'Acme' },
    admin: { email: 'ada@acme.example', display_name: 'Ada' },
  });
  const ada = await enrol(founded.person_id, 'Ada', founded.enrolment.enrolment_token, [
    'read',
    'run',
    'halt',
    'audit',
    'admin',
  ]);

  const hire = async (name: string, role: string, scopes: Scopes): Promise<Player> => {
    const person = await ada.client.people.add({ email: `${name.toLowerCase()}@acme.example`, display_name: name });
    await ada.client.people.grantRole(person.id, role);
    const invitation = await ada.client.people.invite(person.id);
    return enrol(person.id, name, invitation.enrolment_token, scopes);
  };
  const olga = await hire('Olga', 'SRELead', REVIEWER);
  const dev = await hire('Dev', 'DevOpsEngineer', REVIEWER);
  const sam = await hire('Sam', 'SRELead', REVIEWER);
  const lea = await hire('Lea', 'SRELead', REVIEWER);
  const rita = await hire('Rita', 'SecurityReviewer', ['read', 'audit']);

  for (const environment of ['production', 'staging', 'development']) {
    await ada.client.executors.put(environment, 'fleet', { kind: 'http', url: `${fleetUrl}/tools`, audience: 'fleet' });
  }
  await ada.client.tools.apply(readFileSync(join(catalogDirectory, 'adr-009.yaml'), 'utf8'), false);
  await ada.client.autonomy.put(readFileSync(join(catalogDirectory, 'autonomy.yaml'), 'utf8'));

  const registered = await ada.client.agents.register({ name: 'drift-bot', owner_id: olga.id });
  const { token } = await olga.client.agents.mintToken(registered.id, {
    name: 'demo',
    scopes: ['read', 'submit', 'run'],
  });
  const agent = { id: registered.id, name: 'drift-bot', token, client: new CountersignClient({ baseUrl, token }) };
  return { ada, olga, dev, sam, lea, rita, agent };
}
