import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

const ORIGIN = 'https://plane.example';
const SOURCE = readFileSync(join(__dirname, '../../public/push-worker.js'), 'utf8');

/** The worker in a browser, with the answers of the API by path. */
function worker(answers: Readonly<Record<string, unknown>> = {}) {
  const listeners = new Map<string, (event: object) => void>();
  const shown: unknown[] = [];
  const sent: unknown[] = [];
  const self = {
    location: { origin: ORIGIN },
    registration: {
      showNotification: (title: string, { tag, data }: { readonly tag: string; readonly data: object }) =>
        shown.push({ title, tag, ...data }),
    },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  };
  const fetch = (path: string, { body, headers }: { readonly body?: string; readonly headers: object }) => {
    if (body !== undefined) sent.push([path, headers]);
    return Promise.resolve(Response.json(answers[path] ?? {}));
  };
  runInNewContext(SOURCE, { self, fetch, URL });
  const dispatch = async (type: string, event: object): Promise<void> => {
    let work: unknown;
    listeners.get(type)?.({ ...event, waitUntil: (until: unknown) => (work = until) });
    await work;
  };
  return { shown, sent, dispatch };
}

describe('a pushed message', () => {
  const asked = { title: 'drift-bot asks', url: `${ORIGIN}/requests/1`, tag: 'one' };
  const unread = { title: 'Something waits in Countersign', tag: 'unread', path: '/inbox' };

  it.each<[string, unknown, object]>([
    ['is shown', asked, { title: asked.title, tag: 'one', path: '/requests/1' }],
    [
      'leads to no other site',
      { ...asked, url: 'https://evil.example/1' },
      { title: asked.title, tag: 'one', path: '/inbox' },
    ],
    ['without a tag is not read', { ...asked, tag: undefined }, unread],
    ['with a number for a title is not read', { ...asked, title: 1 }, unread],
    ['that is null is not read', null, unread],
  ])('%s', async (_what, message, expected) => {
    const { shown, dispatch } = worker();
    await dispatch('push', { data: { json: () => message } });
    expect(shown).toEqual([expected]);
  });
});

describe('a replaced subscription', () => {
  const signedIn = { '/v1/browser-sessions/current': { signed_in: true, csrf_token: 'of-this-browser' } };
  const key = { '/v1/push-subscriptions/key': { public_key: 'of-this-tenant' } };
  const newSubscription = { toJSON: () => ({ endpoint: 'https://push.example/1', keys: {} }) };

  it('is told to the API', async () => {
    const { sent, dispatch } = worker({ ...signedIn, ...key });
    await dispatch('pushsubscriptionchange', { newSubscription });
    expect(sent).toEqual([
      ['/v1/push-subscriptions', expect.objectContaining({ 'x-countersign-csrf': 'of-this-browser' })],
    ]);
  });

  it.each([
    ['the person was signed out', { '/v1/browser-sessions/current': { signed_in: false }, ...key }, 'csrf_token'],
    ['there is no key', signedIn, 'public_key'],
  ])('is told to nobody if %s', async (_why, answers, member) => {
    const { sent, dispatch } = worker(answers);
    await expect(dispatch('pushsubscriptionchange', { newSubscription })).rejects.toThrow(`answered without ${member}`);
    expect(sent).toEqual([]);
  });
});
