import { v7 } from 'uuid';
import { expectStatus, testApi, type HttpAs, type TestApi } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';

const LISTS = ['tasks', 'plans', 'approval-requests', 'runs', 'incidents'] as const;

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let mine: PopulatedTenant;
let theirs: PopulatedTenant;
let http: HttpAs;

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
  [mine, theirs] = [await populatedTenant(api, toolServer.port), await populatedTenant(api, toolServer.port)];
  http = mine.everything;
}, 120_000);
afterAll(async () => {
  await toolServer.close();
  await api.close();
});

const idsOf = async (path: string, as = http): Promise<string[]> =>
  (expectStatus(await as.get(path), 200).body.items as { id: string }[]).map(({ id }) => id);

const of = (tenant: PopulatedTenant, kind: string): string => {
  const id = tenant.ids[kind];
  if (id === undefined) throw new Error(`there is no id of a ${kind}`);
  return id;
};

const OWN = {
  tasks: 'task',
  plans: 'plan',
  'approval-requests': 'request',
  runs: 'run',
  incidents: 'incident',
} as const;

describe('the filters of every list of work', () => {
  it.each(LISTS)('find the %s by their subject', async (list) => {
    const all = await idsOf(`/v1/${list}`);
    const own = of(mine, OWN[list]);
    expect(all).toContain(own);
    const plan = expectStatus(await http.get(`/v1/plans/${of(mine, 'plan')}`), 200).body;
    const [target] = plan.expanded.distinct_targets as string[];
    const { name: tool } = plan.expanded.phases[0].batches[0].calls[0].invocation.tool as { name: string };
    const agent = of(mine, 'agent');
    for (const [filter, none] of [
      [`environment=production`, 'environment=nowhere'],
      [`agent_id=${agent}`, `agent_id=${v7()}`],
      [`tool=${tool}`, 'tool=of_nobody'],
      [`target=${target ?? ''}`, 'target=not-there'],
      ['from=2020-01-01T00:00:00Z', 'until=2020-01-01T00:00:00Z'],
      [`search=${tool.slice(0, 7).toUpperCase()}`, 'search=zeppelin'],
      [`search=${own.slice(0, 13)}`, `search=${v7()}`],
      [`search=${own.slice(-8)}`, 'search=%25'],
      [`search=${encodeURIComponent(`${target ?? ''} ${tool}`)}`, `search=${tool}%20zeppelin`],
    ] as const) {
      expect([filter, await idsOf(`/v1/${list}?${filter}`)]).toEqual([filter, expect.arrayContaining([own])]);
      expect([none, await idsOf(`/v1/${list}?${none}`)]).toEqual([none, []]);
    }
  });

  it.each(LISTS)('page through the %s, filtered', async (list) => {
    const filter = 'search=example&from=2020-01-01T00:00:00Z';
    const all = await idsOf(`/v1/${list}?environment=production`);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = expectStatus(await http.get(`/v1/${list}?environment=production&limit=1${cursor}`), 200).body;
      seen.push(...(page.items as { id: string }[]).map(({ id }) => id));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor as string}`;
    } while (cursor !== '');
    expect(seen).toEqual(all);
    expect(expectStatus(await http.get(`/v1/${list}?${filter}`), 200).body.next_cursor).toBeNull();
  });

  it.each(LISTS)('find the %s of a reviewer or requester', async (list) => {
    const request = expectStatus(await http.get(`/v1/approval-requests/${of(mine, 'request')}`), 200).body;
    const reviewer = request.reviews[0].person.id as string;
    const invoker = expectStatus(await http.get(`/v1/incidents/${of(mine, 'incident')}`), 200).body.invoked_by
      .id as string;
    const person = list === 'incidents' ? invoker : reviewer;
    expect(await idsOf(`/v1/${list}?person_id=${person}`)).toContain(of(mine, OWN[list]));
    expect(await idsOf(`/v1/${list}?person_id=${v7()}`)).toEqual([]);
  });

  it.each(LISTS)('refuse an unknown filter of the %s', async (list) => {
    for (const query of ['agent_id=sam', 'from=yesterday', `search=${'x'.repeat(201)}`, 'colour=red'])
      expect((await http.get(`/v1/${list}?${query}`)).body.code).toBe('request.query_invalid');
  });

  it.each(LISTS)('show nothing of another tenant among the %s (T19)', async (list) => {
    const [own, other] = [of(mine, OWN[list]), of(theirs, OWN[list])];
    for (const filter of [
      '',
      `search=${other}`,
      `search=${other.slice(-8)}`,
      `agent_id=${of(theirs, 'agent')}`,
      `person_id=${of(theirs, 'person')}`,
    ]) {
      const found = await idsOf(`/v1/${list}?${filter}`);
      expect(found).not.toContain(other);
      if (filter !== '') expect(found).not.toContain(own);
    }
  });
});

describe('the tabs of the list of requests', () => {
  it('keep apart the requests that wait, the open ones and those that one decided', async () => {
    const decided = of(mine, 'request');
    const [review] = expectStatus(await http.get(`/v1/approval-requests/${decided}`), 200).body.reviews;
    const lead = api.http((await api.person(mine.tenant, 'SRELead')).token);
    expect(await idsOf('/v1/approval-requests?tab=all', lead)).toContain(decided);
    expect(await idsOf('/v1/approval-requests?tab=decided_by_me', lead)).toEqual([]);
    expect(await idsOf('/v1/approval-requests?tab=open', lead)).not.toContain(decided);
    const [listed] = expectStatus(await lead.get('/v1/approval-requests?tab=all'), 200).body.items;
    expect(listed).toMatchObject({
      id: decided,
      environment: { name: 'production' },
      said_by_the_requester: { goal: expect.any(String) },
      reviews: [{ person: { id: review.person.id }, verdict: 'approve' }],
    });
  });

  it('have nothing for an agent, since agents decide nothing', async () => {
    const agent = await api.agent(mine.tenant, await api.person(mine.tenant));
    for (const tab of ['for_me', 'decided_by_me'])
      expect(await idsOf(`/v1/approval-requests?tab=${tab}`, api.http(agent.token))).toEqual([]);
  });
});

describe('the search that goes to anything', () => {
  const found = async (text: string, as = http): Promise<{ kind: string; id: string }[]> =>
    expectStatus(await as.get(`/v1/search?text=${encodeURIComponent(text)}`), 200).body.items as {
      kind: string;
      id: string;
    }[];

  it('finds work by the end of its id, in its environment', async () => {
    for (const kind of ['task', 'plan', 'request', 'run', 'incident'])
      expect(await found(of(mine, kind).slice(-8, -2))).toContainEqual(
        expect.objectContaining({ kind, id: of(mine, kind), environment: { name: 'production', production: true } }),
      );
  });

  it('finds people and agents by a part of their names, and tools', async () => {
    const person = expectStatus(await http.get(`/v1/people/${of(mine, 'person')}`), 200).body;
    const agent = expectStatus(await http.get(`/v1/agents/${of(mine, 'agent')}`), 200).body;
    expect(await found((person.email as string).slice(1))).toContainEqual(
      expect.objectContaining({ kind: 'person', id: person.id }),
    );
    expect(await found((agent.name as string).slice(1))).toContainEqual(
      expect.objectContaining({ kind: 'agent', id: agent.id }),
    );
    expect(await found('rollout')).toContainEqual(expect.objectContaining({ kind: 'tool', title: expect.any(String) }));
  });

  it('takes signs of patterns as letters', async () => {
    expect(await found('%%')).toEqual([]);
    expect(await found("_' or 1=1")).toEqual([]);
  });

  it('finds nothing of another tenant (T19)', async () => {
    for (const kind of ['task', 'plan', 'request', 'run', 'incident', 'person', 'agent'])
      expect((await found(of(theirs, kind))).map(({ id }) => id)).not.toContain(of(theirs, kind));
  });

  it('is for people, and refuses a search without text', async () => {
    const agent = await api.agent(mine.tenant, await api.person(mine.tenant));
    expect((await api.http(agent.token).get('/v1/search?text=rollout')).body.code).toBe('credential.person_required');
    expect((await http.get('/v1/search')).body.code).toBe('request.query_invalid');
  });
});
