import type { z } from 'zod';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { signedInBrowserSessionSchema } from '#lib/api-schemas';
import { after } from './after.js';
import { api, rememberCsrfToken } from './client.js';
import { ApiError, unreachable } from './api-error.js';
import { forgetDrafts } from './forget-drafts.js';
import { keyOf } from './query.js';
import { queryClient, BROWSER_SESSION } from './query-client.js';
import { watched } from './watched.js';

/** The person signed in here, as `GET /v1/browser-sessions/current` says. */
export type BrowserSession = z.infer<typeof signedInBrowserSessionSchema>;

async function askWho(): Promise<BrowserSession | null> {
  try {
    const browserSession = await api.get(BROWSER_SESSION);
    return browserSession.signed_in ? browserSession : null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The browser session of the pages that are open. It stays after its end, so that typed text is still there after the next sign-in. */
let last: BrowserSession | null = null;
const ended = watched(false);

const LAST_TENANT = 'countersign.last-tenant';

/** The tenant that somebody was last signed in at in this browser; empty before. */
export const lastTenant = (): string => localStorage.getItem(LAST_TENANT) ?? '';

async function readBrowserSession(): Promise<BrowserSession | null> {
  const browserSession = await askWho();
  rememberCsrfToken(browserSession?.csrf_token ?? null);
  // Pages of one person are not shown to another.
  if (browserSession !== null && last !== null && !isSamePerson(browserSession, last)) location.reload();
  ended.set(browserSession === null && last !== null);
  if (browserSession !== null) localStorage.setItem(LAST_TENANT, browserSession.tenant.slug);
  last = browserSession ?? last;
  return last;
}

const isSamePerson = (one: BrowserSession, other: BrowserSession): boolean =>
  one.person.id === other.person.id && one.tenant.slug === other.tenant.slug;

/** Whether the browser session of the open pages has ended. */
export const useBrowserSessionEnded = (): boolean => ended.use();

const browserSessionQuery = { queryKey: keyOf(BROWSER_SESSION), queryFn: readBrowserSession, staleTime: 60_000 };

/** Reads the browser session again: a proved second factor gives it another token for changes. */
export const renewBrowserSession = (): Promise<BrowserSession | null> =>
  queryClient.query({ ...browserSessionQuery, staleTime: 0 });

/** Null if no person is signed in. The note of its error uses it, too, and must not start to read it again. */
export const useBrowserSession = (): UseQueryResult<BrowserSession | null> =>
  useQuery({ ...browserSessionQuery, retryOnMount: false });

/** The signed-in person; for pages inside the shell, which shows none before there is one. */
export function useSignedIn(): BrowserSession {
  const { data } = useBrowserSession();
  if (data === null || data === undefined) throw new Error('a page of the shell was shown with nobody signed in');
  return data;
}

/** The address at which to sign in and come back to this page. */
export const welcomePath = (returnTo: string): string => `/welcome?return_to=${encodeURIComponent(returnTo)}`;

const SIGNED_OUT = 'countersign.signed-out';

/** A person who leaves a shared browser waits at most this long, and is told then. */
const SIGNED_OUT_WITHIN_MS = 5_000;

/** Ends the browser session and leaves the page, also if it ended before. It rejects with an {@link ApiError}. */
export async function signOut(): Promise<void> {
  const answered = api.post('/v1/browser-sessions/current/sign-out').catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return { redirect_to: null };
    throw error;
  });
  const late = after(SIGNED_OUT_WITHIN_MS).then(() => {
    throw unreachable();
  });
  const { redirect_to: redirectTo } = await Promise.race([answered, late]);
  // Other tabs hear of it by this change.
  localStorage.setItem(SIGNED_OUT, new Date().toISOString());
  leave(redirectTo ?? '/welcome');
}

/** Leaves this page, too, once the person has signed out in another tab. @returns how to stop. */
export function followSignOut(): () => void {
  const hear = ({ key }: StorageEvent): void => {
    if (key === SIGNED_OUT) leave('/welcome');
  };
  addEventListener('storage', hear);
  return () => {
    removeEventListener('storage', hear);
  };
}

function leave(to: string): void {
  forgetDrafts();
  location.assign(to);
}

/**
 * The browser may keep a page that is left, for its back button. Its reader may sign out elsewhere meanwhile, and the next reader
 * may be another person. It shows nothing then, and is loaded anew. Called once, when the page starts.
 */
export function loadAnewIfKept(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true;
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
