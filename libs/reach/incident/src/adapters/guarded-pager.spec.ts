import type { GuardedFetch } from '#lib/dispatch';
import { newId, type TenantId } from '#lib/kernel';
import { GuardedPager } from './guarded-pager.js';

describe('the pager', () => {
  it('posts the event as JSON through the guarded fetch of its tenant', async () => {
    const asked: Parameters<GuardedFetch>[] = [];
    const pager = new GuardedPager((...request) => {
      asked.push(request);
      return Promise.resolve(new Response('taken', { status: 202 }));
    });
    const tenantId = newId<TenantId>();
    expect(await pager.send(tenantId, 'https://events.example', { event_action: 'trigger' })).toEqual({
      status: 202,
      retryAfterSeconds: null,
      body: 'taken',
    });
    const [[tenant, url, request] = []] = asked;
    expect([tenant, url]).toEqual([tenantId, 'https://events.example']);
    expect(request).toMatchObject({ method: 'POST', body: '{"event_action":"trigger"}' });
  });

  it.each([
    ['30', 30],
    ['-1', null],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
  ])('reads retry-after %s as %j', async (header, seconds) => {
    const pager = new GuardedPager(() =>
      Promise.resolve(new Response('', { status: 429, headers: { 'retry-after': header } })),
    );
    expect(await pager.send(newId<TenantId>(), 'https://events.example', {})).toMatchObject({
      retryAfterSeconds: seconds,
    });
  });

  it('passes a failed connection on', async () => {
    const pager = new GuardedPager(() => Promise.reject(new Error('refused')));
    await expect(pager.send(newId<TenantId>(), 'https://events.example', {})).rejects.toThrow('refused');
  });
});
