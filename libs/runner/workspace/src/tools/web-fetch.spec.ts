import { fakeWorkspace } from '../fake-workspace.js';
import type { FetchPort } from '../index.js';

const fetching = (guardedFetch: FetchPort, limits = {}) => fakeWorkspace({ guardedFetch }, limits);

describe('web-fetch', () => {
  it('goes the guarded way alone, and answers status, type and text', async () => {
    const asked: string[] = [];
    const { result, remove } = fetching((url) => {
      asked.push(url);
      return Promise.resolve(new Response('hello', { status: 404, headers: { 'content-type': 'text/plain' } }));
    });
    expect(await result('web-fetch', { url: 'https://example.org/a' })).toEqual({
      status: 404,
      content_type: 'text/plain',
      text: 'hello',
      truncated: false,
    });
    expect(asked).toEqual(['https://example.org/a']);
    remove();
  });

  it('says where a redirect leads, and follows none', async () => {
    const { result, remove } = fetching(() =>
      Promise.resolve(new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } })),
    );
    expect(await result('web-fetch', { url: 'https://example.org/' })).toMatchObject({
      status: 302,
      location: 'http://10.0.0.1/',
    });
    remove();
  });

  it('cuts a long text', async () => {
    const { result, remove } = fetching(() => Promise.resolve(new Response('x'.repeat(100))), { outputBytes: 10 });
    expect(await result('web-fetch', { url: 'https://example.org/' })).toMatchObject({
      text: 'x'.repeat(10),
      truncated: true,
    });
    remove();
  });

  it.each([
    ['file:///etc/passwd', 'workspace.invalid_url'],
    ['https://user:word@example.org/', 'workspace.invalid_url'],
    ['example.org', 'workspace.invalid_url'],
    ['https://binary.example.org/', 'workspace.binary_answer'],
    ['https://private.example.org/', 'workspace.fetch_failed'],
  ])('refuses %s: %s', async (url, wanted) => {
    const { code, remove } = fetching((asked) =>
      asked.includes('private')
        ? Promise.reject(new Error('private.example.org is no public host'))
        : Promise.resolve(new Response(new Uint8Array([0, 1]))),
    );
    expect(await code('web-fetch', { url })).toBe(wanted);
    remove();
  });
});
