import { EmbedderFailedError } from '#lib/embedding';
import { FakeConnections } from '../../../connection/src/application/fake-connections.js';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { createEmbedder } from '../create-embedder.js';
import type { EmbedderSettings } from '../domain/embedder.js';
import { AskTenantEmbedder } from './ask-tenant-embedder.js';
import type { EmbedderClient, EmbedderRequest } from './embedder.ports.js';
import { FakeEmbedderWork } from './fake-embedder-work.js';

const settings = { url: 'https://models.example.com/v1', ca: null, model: 'one', dimensions: null };

/** A tenant that may name an embedder. */
function asking() {
  const { uow, home } = fakeClockedWorld();
  const connections = new FakeConnections<EmbedderSettings>(uow);
  const work = new FakeEmbedderWork(uow, connections);
  const requests: EmbedderRequest[] = [];
  let failure: Error | null = null;
  const client: EmbedderClient = {
    ask: (_tenant, request) => {
      requests.push(request);
      return failure === null ? Promise.resolve([Float32Array.of(0.6, 0.8)]) : Promise.reject(failure);
    },
  };
  const { connection, testEmbedder } = createEmbedder({
    ...{ uow, rows: { connections, work }, client },
    ...{ audit: new FakeAuditSink(uow), twoPersonRule: new FakeTwoPersonRule(uow, false) },
    mayConnect: () => Promise.resolve('public'),
  });
  const tenantEmbedder = new AskTenantEmbedder(uow, connections, client);
  return {
    requests,
    change: (more: Partial<EmbedderSettings> = {}) =>
      connection.change.execute(home.admin, { ...settings, ...more }, () => undefined),
    token: (value: string) => connection.setToken.execute(home.admin, value, () => undefined),
    test: () => testEmbedder.execute(home.admin),
    ask: (...texts: readonly string[]) => tenantEmbedder.execute(home.tenantId, texts, 1_000),
    fail: (error: Error | null) => (failure = error),
    found: () => uow.run(home.tenantId, (tx) => connections.find(tx)),
  };
}

describe('the embedder of a tenant', () => {
  it('is absent before the tenant names one, and has no test', async () => {
    const embedder = asking();
    expect(await embedder.test()).toMatchObject({ ok: false, error: { code: 'resource.not_found' } });
    expect([await embedder.ask('one'), embedder.requests]).toEqual([null, []]);
  });

  it.each<[string, Partial<EmbedderSettings>, number]>([
    ['another model', { model: 'two' }, 2],
    ['another length', { dimensions: 64 }, 2],
    ['another address', { url: 'https://models.example.com/v2' }, 2],
    ['nothing else', {}, 1],
  ])('gives vectors of another generation with %s: %#', async (_what, more, generation) => {
    const embedder = asking();
    await embedder.change();
    await embedder.change(more);
    expect(await embedder.ask('one')).toMatchObject({ ok: true, value: { generation } });
  });

  it('is tested by a sentence, and shows its last error until it gives a vector again', async () => {
    const embedder = asking();
    await embedder.change();
    expect(await embedder.test()).toEqual({ ok: true, value: { dimensions: 2, error: null } });
    embedder.fail(new EmbedderFailedError('unavailable', 'It answered 401.'));
    expect(await embedder.test()).toEqual({ ok: true, value: { dimensions: null, error: 'It answered 401.' } });
    expect(await embedder.found()).toMatchObject({ error: 'It answered 401.' });
    embedder.fail(new EmbedderFailedError('rejected', 'It answered 400.'));
    await embedder.ask('too long');
    expect(await embedder.found()).toMatchObject({ error: 'It answered 401.' });
    embedder.fail(null);
    await embedder.ask('one');
    expect(await embedder.found()).toMatchObject({ error: null });
  });

  it('T32: gets texts with their secrets masked, and its own token', async () => {
    const embedder = asking();
    await embedder.change();
    await embedder.token('model-token');
    await embedder.ask('connect with password=hunter2hunter2 to the database');
    expect(embedder.requests).toMatchObject([{ ...settings, token: 'model-token' }]);
    expect(embedder.requests[0]?.texts[0]).toMatch(/^connect with .* to the database$/);
    expect(embedder.requests[0]?.texts[0]).not.toContain('hunter2');
  });
});
