/**
 * Shows what waits, and opens it: nothing is decided from a notification. It keeps no page and stands in front of no request. So
 * the web UI is always the one that the api serves.
 */
const INBOX = '/inbox';

/** The page of ours that an address names; the inbox for any other address. */
function pathOf(address) {
  if (typeof address !== 'string' || !URL.canParse(address, self.location.origin)) return INBOX;
  const { origin, pathname, search } = new URL(address, self.location.origin);
  return origin === self.location.origin ? pathname + search : INBOX;
}

const isText = (value) => typeof value === 'string' && value !== '';

/** The message of a push. Browsers insist on a notification for each, so one that is no message of ours leads to the inbox. */
function messageOf(data) {
  try {
    const { title, url, tag } = data.json();
    if (isText(title) && isText(tag)) return { title, path: pathOf(url), tag };
  } catch {
    // Said below.
  }
  return { title: 'Something waits in Countersign', path: INBOX, tag: 'unread' };
}

async function open(path) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const shown = windows.find(({ url }) => url === self.location.origin + path);
  await (shown === undefined ? self.clients.openWindow(path) : shown.focus());
}

async function ask(path, init = {}) {
  const answer = await fetch(path, { ...init, headers: { accept: 'application/json', ...init.headers } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** A text of an answer. People who were signed out get none, and subscribe again in the settings. */
async function askFor(member, path) {
  const { [member]: text } = await ask(path);
  if (!isText(text)) throw new Error(`${path} answered without ${member}`);
  return text;
}

/** Browsers replace subscriptions by themselves. The new one is told to the api, which drops the old when it is gone. */
async function subscribeAgain(replaced) {
  const token = await askFor('csrf_token', '/v1/browser-sessions/current');
  const applicationServerKey = await askFor('public_key', '/v1/push-subscriptions/key');
  const { pushManager } = self.registration;
  const made = replaced ?? (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }));
  const { endpoint, keys } = made.toJSON();
  await ask('/v1/push-subscriptions', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-countersign-csrf': token },
    body: JSON.stringify({ endpoint, keys }),
  });
}

self.addEventListener('install', () => self.skipWaiting());

self.addEventListener('push', (event) => {
  const { title, path, tag } = messageOf(event.data);
  const body = 'Open it in Countersign to see the whole of it.';
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: { path } }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(pathOf(event.notification.data?.path)));
});

self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event.newSubscription ?? null));
});
