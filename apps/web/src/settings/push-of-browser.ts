import { after } from '../api/after.js';
import { api } from '../api/client.js';

const KEPT = 'push-subscription';

/** Whether this browser can be told, and if not, why. */
export type PushAbility = 'able' | 'denied' | 'insecure' | 'unsupported';

/** Reads it from the browser, as it is now. */
export function pushAbility(): PushAbility {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : 'able';
}

/** Which of the subscriptions is this browser's, if it is one. */
export const idOfThisBrowser = (): string | null => localStorage.getItem(KEPT);

/** A browser that cannot subscribe: the reason in words, and the action to take. */
export class NotSubscribed extends Error {
  constructor(
    readonly what: string,
    readonly action: string,
  ) {
    super(what);
  }
}

/** Asks the person, registers the worker, and has this browser told from now on. Called from a click: browsers insist. */
export async function subscribeThisBrowser(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') {
    throw new NotSubscribed(
      'The browser was not allowed to show notifications.',
      'Allow notifications for this site in the browser’s settings (beside the address), then try again.',
    );
  }
  await navigator.serviceWorker.register('/push-worker.js', { scope: '/' });
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that another tenant’s key made cannot be used with ours.
  await (await pushManager.getSubscription())?.unsubscribe();
  const { public_key: applicationServerKey } = await api.get('/v1/push-subscriptions/key');
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }).catch(() => {
    throw new NotSubscribed(
      'The browser could not subscribe at its push service.',
      'It may be blocked in this network, or switched off: some browsers ask for it in their privacy settings.',
    );
  });
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = made.toJSON();
  const kept = await api.post('/v1/push-subscriptions', {
    body: { endpoint, keys: { p256dh, auth } },
  });
  localStorage.setItem(KEPT, kept.id);
}

/** Ends a subscription, in this browser too if it is its own. */
export async function endSubscription(id: string): Promise<void> {
  await api.delete('/v1/push-subscriptions/{id}', { path: { id } });
  if (id === idOfThisBrowser()) await unsubscribe();
}

async function unsubscribe(): Promise<void> {
  localStorage.removeItem(KEPT);
  const registration = await navigator.serviceWorker.getRegistration('/');
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
}

/** A sign-out waits at most this long for the end of the subscription. */
const UNTOLD_WITHIN_MS = 3_000;

/**
 * Before the person signs out: its next user is not told what waits for them. A subscription that cannot be ended in time stops
 * no sign-out. Either of the two ends is enough, so neither waits for the other.
 */
export async function untellThisBrowser(): Promise<void> {
  const own = idOfThisBrowser();
  if (own === null) return;
  const ended = Promise.allSettled([api.delete('/v1/push-subscriptions/{id}', { path: { id: own } }), unsubscribe()]);
  await Promise.race([ended, after(UNTOLD_WITHIN_MS)]);
}
