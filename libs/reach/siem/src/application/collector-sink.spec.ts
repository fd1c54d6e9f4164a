import type { ReceiverRequest } from '#lib/connection';
import { newId, type ConnectionId } from '#lib/kernel';
import { FakeConnections } from '../../../connection/src/application/fake-connections.js';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { CollectorSink } from './collector-sink.js';
import type { CollectorSettings } from '../domain/collector.js';

/** A tenant with a collector that gives one answer, and what it got. */
async function collecting(answer: { readonly status: number; readonly body: string } | Error, token: string | null) {
  const { uow, home } = fakeClockedWorld();
  const collectors = new FakeConnections<CollectorSettings>(uow);
  const id = newId<ConnectionId>();
  await uow.run(home.tenantId, async (tx) => {
    const settings = { url: 'https://siem.example.com/in', ca: 'an authority' };
    await collectors.save(tx, { id, settings, generation: 1, createdBy: home.owner.personId, createdAt: 0 });
    await collectors.saveToken(tx, id, token);
  });
  const requests: ReceiverRequest[] = [];
  const sink = new CollectorSink(uow, collectors, {
    send: (_tenant, request) => {
      requests.push(request);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
  });
  return {
    requests,
    write: (...lines: readonly string[]) => sink.write(home.tenantId, lines),
    remove: () => uow.run(home.tenantId, (tx) => collectors.remove(tx)),
    found: () => uow.run(home.tenantId, (tx) => collectors.find(tx)),
  };
}

describe('the lines for a collector', () => {
  it('go in one request, with its token and its authority', async () => {
    const collector = await collecting({ status: 200, body: '' }, 'hec-token');
    await collector.write('{"n":1}', '{"n":2}');
    expect(collector.requests).toEqual([
      {
        ...{ url: 'https://siem.example.com/in', ca: 'an authority', body: '{"n":1}\n{"n":2}\n' },
        headers: {
          'content-type': 'application/x-ndjson',
          'user-agent': 'Countersign-SIEM',
          authorization: 'Bearer hec-token',
        },
      },
    ]);
    expect(await collector.found()).toMatchObject({ error: null, answeredAt: expect.any(Number) as number });
  });

  it('go without a token if it has none', async () => {
    const collector = await collecting({ status: 204, body: '' }, null);
    await collector.write('{}');
    expect(collector.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it.each([
    [{ status: 503, body: 'busy' }, 'It answered 503. busy'],
    [{ status: 302, body: '' }, 'It answered 302.'],
    [new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') }), 'connect ECONNREFUSED'],
  ])('come again after %j, and its error is shown', async (answer, error) => {
    const collector = await collecting(answer, null);
    await expect(collector.write('{}')).rejects.toThrow(error);
    expect(await collector.found()).toMatchObject({ error, answeredAt: null });
  });

  it.each(['hec-token', 'hec-\0token'])(
    'T32: an answer that repeats the token as %j is shown without it',
    async (said) => {
      const collector = await collecting({ status: 403, body: `no access for ${said}` }, 'hec-token');
      await expect(collector.write('{}')).rejects.not.toThrow('token');
      expect((await collector.found())?.error).toBe('It answered 403. no access for [masked]');
    },
  );

  it('are sent nowhere once it was removed', async () => {
    const collector = await collecting({ status: 200, body: '' }, null);
    await collector.remove();
    await collector.write('{}');
    expect(collector.requests).toEqual([]);
  });
});
