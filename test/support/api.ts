import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DestinationStream } from 'pino';
import { guardLogs } from '#lib/audit';
import { openDatabase, type Database } from '#lib/database';
import { compose, type Installation } from '#lib/installation';
import { newId, type AgentId, type PersonId, type Scope, type TenantId } from '#lib/kernel';
import { Metrics } from '#lib/operation';
import { sealedEnrolment } from '../../libs/people/identity/src/adapters/sealed-ways-in.js';
import { defaultApiConfig, type ApiConfig } from '../../apps/api/src/api-config.js';
import { createApi } from '../../apps/api/src/create-api.js';
import { OPTIONS_OF_API, testDatabase, type TestDatabase } from './database.js';
import { describedStatus } from './described-status.js';

/** An answer of the API. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The document, parsed; undefined if there is none. */
  // A test states the shape it expects at each call.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  /** As it came over the wire. */
  readonly text: string;
}

type Headers = Readonly<Record<string, string>>;

/** Calls as one credential. Paths begin with `/`. A string body is sent as YAML, anything else as JSON. */
export interface HttpAs {
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  delete(path: string, headers?: Headers): Promise<Answer>;
  send(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>;
}

export interface TestPerson {
  readonly id: PersonId;
  readonly email: string;
  /** A token with every scope that the person's roles open. */
  readonly token: string;
}

export interface TestAgent {
  readonly id: AgentId;
  /** A token with read, submit, run and halt. */
  readonly token: string;
}

export interface TestTenant {
  readonly id: TenantId;
  readonly slug: string;
  /** The first PlatformAdmin. */
  readonly admin: TestPerson;
}

export interface TestApi {
  readonly app: NestFastifyApplication;
  /** The parts of the installation. */
  readonly installation: Installation;
  readonly db: TestDatabase;
  readonly database: Database;
  /** As it runs: for another API beside it. */
  readonly config: ApiConfig;
  /** The folder of private keys; a worker beside this API shares it. */
  readonly keyDirectory: string;
  /** The metrics of the API. */
  readonly metrics: Metrics;
  /** Calls with a token, or without one. */
  http(token?: string): HttpAs;
  tenant(slug?: string): Promise<TestTenant>;
  /** A person of the tenant with these roles, let in by the operator. They have a vote of their own, in no admin's hand. */
  person(tenant: TestTenant, ...roles: readonly string[]): Promise<TestPerson>;
  agent(tenant: TestTenant, owner: TestPerson): Promise<TestAgent>;
  /** A further token of a person, with these scopes only. */
  token(person: TestPerson, ...scopes: readonly Scope[]): Promise<string>;
  /** A delegation: the agent acts on behalf of the person. */
  delegation(agent: TestAgent, person: TestPerson, ...scopes: readonly Scope[]): Promise<string>;
  close(): Promise<void>;
}

/** A test's own arrangement. */
export interface TestApiOptions {
  readonly config?: Partial<ApiConfig>;
  readonly logTo?: DestinationStream;
  /** Another database than a fresh one of the API's own; its maker closes it. */
  readonly db?: TestDatabase;
  /** A replica to read from. */
  readonly readUrl?: string;
  /** The checkpoints that the log is compared with; without them nothing is compared. */
  readonly outside?: Parameters<typeof guardLogs>[1];
}

/** The whole API on a fresh database, in this process and without a network. Call `close()` when done. */
export async function testApi(options: TestApiOptions = {}): Promise<TestApi> {
  const db = options.db ?? (await testDatabase());
  const keyDirectory = await mkdtemp(join(tmpdir(), 'countersign-keys-'));
  const isKept = options.db === undefined && options.readUrl === undefined;
  const opened = await (isKept ? db.service() : openAgain(db, options.readUrl));
  const database = guardLogs(opened, options.outside ?? [], ignore);
  const config: ApiConfig = {
    ...defaultApiConfig,
    logLevel: 'silent',
    requestsPerMinute: 1_000_000,
    requestBurst: 100_000,
    tenantRequestsPerMinute: 10_000_000,
    tenantRequestBurst: 1_000_000,
    tokensPerHolder: 10_000,
    keyDirectory,
    keyringFile: null,
    demoWaitScale: 1,
    leaseMarginMs: 15_000,
    runnerWait: { offerMs: 15_000, pausesMs: 30_000 },
    slackUrl: 'http://127.0.0.1:9',
    mail: null,
    publicUrl: 'http://127.0.0.1:8420',
    allowedPrivateHosts: [],
    ...options.config,
  };
  const closeDatabase = async (): Promise<void> => {
    if (!isKept) await database.close();
    if (options.db === undefined) await db.close();
    await rm(keyDirectory, { recursive: true, force: true });
  };
  const metrics = new Metrics({ collectProcess: false });
  const start = async () => {
    const installation = await compose(config, database);
    const parts = { installation, database, metrics, ...(options.logTo === undefined ? {} : { logTo: options.logTo }) };
    return { app: await createApi(config, parts), installation };
  };
  const { app, installation } = await start().catch(async (error: unknown) => {
    await closeDatabase();
    throw error;
  });
  const described = describedStatus(app);
  const http = (token?: string): HttpAs => httpAs(app, described, token);
  let counter = 0;
  const unique = (word: string): string => `${word}-${String((counter += 1))}`;

  const enrol = async (enrolmentToken: string, scopes: readonly Scope[]): Promise<string> => {
    const answer = await http().post('/v1/enrolment', { enrolment_token: enrolmentToken, name: 'test', scopes });
    return expectStatus(answer, 201).body.token as string;
  };

  /**
   * With a second admin the role waits. It is then made as if they had confirmed it, since their second factor is
   * not at hand here.
   */
  const assign = async (tenantId: TenantId, admin: HttpAs, personId: PersonId, role: string): Promise<void> => {
    const answer = await admin.post(`/v1/people/${personId}/roles`, { role });
    if (answer.status !== 202) {
      expectStatus(answer, 201);
      return;
    }
    const { id, requested_by: author } = answer.body as { id: string; requested_by: { id: PersonId } };
    expectStatus(await admin.post(`/v1/change-requests/${id}/withdraw`), 200);
    await assignByHand({ installation }, tenantId, { personId, role, assignedBy: author.id });
  };

  const person = async (tenant: TestTenant, ...roles: readonly string[]): Promise<TestPerson> => {
    const admin = http(tenant.admin.token);
    const email = `${unique('person')}@example.com`;
    const added = expectStatus(await admin.post('/v1/people', { email, display_name: email }), 201).body as {
      id: PersonId;
    };
    for (const role of roles) await assign(tenant.id, admin, added.id, role);
    return {
      id: added.id,
      email,
      token: await enrol(await operatorToken({ installation }, tenant.id, added.id), scopesFor(roles)),
    };
  };

  return {
    app,
    installation,
    db,
    database,
    config,
    keyDirectory,
    metrics,
    http,
    person,
    tenant: async (slug = unique('tenant')) => {
      const { token } = await installation.identity.issueBootstrapToken.execute();
      const email = `admin@${slug}.example.com`;
      const founded = expectStatus(
        await http().post('/v1/bootstrap', {
          bootstrap_token: token,
          tenant: { slug, name: slug },
          admin: { email, display_name: 'First Admin' },
        }),
        201,
      ).body as { tenant_id: TenantId; person_id: PersonId; enrolment: { enrolment_token: string } };
      const adminToken = await enrol(founded.enrolment.enrolment_token, scopesFor(['PlatformAdmin']));
      return { id: founded.tenant_id, slug, admin: { id: founded.person_id, email, token: adminToken } };
    },
    agent: async (tenant, owner) => {
      const admin = http(tenant.admin.token);
      const agent = expectStatus(await admin.post('/v1/agents', { name: unique('agent'), owner_id: owner.id }), 201)
        .body as { id: AgentId };
      const minted = await admin.post(`/v1/agents/${agent.id}/tokens`, {
        name: 'test',
        scopes: ['read', 'submit', 'run', 'halt'],
      });
      return { id: agent.id, token: expectStatus(minted, 201).body.token as string };
    },
    token: async (holder, ...scopes) =>
      expectStatus(await http(holder.token).post('/v1/tokens', { name: 'narrow', scopes }), 201).body.token as string,
    delegation: async (agent, holder, ...scopes) =>
      expectStatus(await http(holder.token).post(`/v1/agents/${agent.id}/delegations`, { name: 'for me', scopes }), 201)
        .body.token as string,
    close: async () => {
      await app.close();
      await closeDatabase();
    },
  };
}

/** For an api beside another one or after it, or with a replica: no other test's service reads from that. */
const openAgain = ({ url, directUrl }: TestDatabase, readUrl: string | undefined): Promise<Database> =>
  openDatabase(
    {
      ...{ kind: 'external', url },
      ...(readUrl === undefined ? {} : { readUrl }),
      ...(directUrl === undefined ? {} : { directUrl }),
    },
    { ...OPTIONS_OF_API, applicationName: 'countersign-test-api' },
  );

/** A role that a person holds from now on, past the guardrail, as if it had been confirmed. */
export async function assignByHand(
  { installation }: Pick<TestApi, 'installation'>,
  tenantId: TenantId,
  assignment: { readonly personId: PersonId; readonly role: string; readonly assignedBy: PersonId },
): Promise<void> {
  const { database, directory } = installation;
  const { people } = directory;
  await database.uow.run(tenantId, async (tx) =>
    people.assignRole(tx, { ...assignment, id: newId(), at: await tx.now() }),
  );
}

/** As if a person had come in by a token that another made, and saw. */
export async function cameInByHand(
  { installation, db }: Pick<TestApi, 'installation' | 'db'>,
  tenantId: TenantId,
  personId: PersonId,
  createdBy: PersonId,
): Promise<void> {
  const { rows } = await db.owner.query<{ id: string }>('select id from enrolment where person_id = $1', [personId]);
  for (const { id } of rows) {
    const sealed = sealedEnrolment(tenantId, { id, personId, channel: 'shown', createdBy });
    await db.owner.query(`update enrolment set created_by = $2, channel = 'shown', seal = $3 where id = $1`, [
      id,
      createdBy,
      await installation.keys.seals.seal(sealed),
    ]);
  }
}

/** A one-time token for a person as the operator's command makes it. It is printed on the server, and shown to no admin. */
export async function operatorToken(
  { installation }: Pick<TestApi, 'installation'>,
  tenantId: TenantId,
  personId: PersonId,
): Promise<string> {
  const { database, identity } = installation;
  const { enrolmentTokens: tokens } = identity;
  const { token, digest } = await tokens.spell(tenantId);
  await database.uow.run(tenantId, (tx) =>
    tokens.write(tx, digest, personId, { channel: 'operator', createdBy: null }),
  );
  return token;
}

const ignore = (): void => undefined;

function scopesFor(roles: readonly string[]): Scope[] {
  const scopes: Scope[] = ['read', 'submit', 'run', 'halt'];
  if (roles.length > 0) scopes.push('review');
  if (roles.includes('PlatformAdmin') || roles.includes('SecurityReviewer')) scopes.push('audit');
  if (roles.includes('PlatformAdmin')) scopes.push('admin');
  return scopes;
}

/** The answer, or an error that shows the other answer. */
export function expectStatus(answer: Answer, status: number): Answer {
  if (answer.status !== status)
    throw new Error(`expected ${String(status)} and got ${String(answer.status)}: ${answer.text}`);
  return answer;
}

/** The reason that tests give for change requests; tests without a reason send another header. */
const WHY = 'Because%20a%20test%20asks%20for%20it.';

function httpAs(
  app: NestFastifyApplication,
  described: ReturnType<typeof describedStatus>,
  token: string | undefined,
): HttpAs {
  const send = async (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> => {
    const contentType = typeof body === 'string' ? 'application/yaml' : 'application/json';
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(body === undefined ? {} : { 'content-type': contentType }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}`, 'countersign-reason': WHY }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    described(method, path, response.statusCode);
    const text = response.payload;
    const isJson = /[/+]json/.test(String(response.headers['content-type'] ?? ''));
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string | undefined>,
      body: isJson && text !== '' ? (JSON.parse(text) as unknown) : undefined,
      text,
    };
  };
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}
