import type { z } from 'zod';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { signedInSessionSchema } from '#lib/api-schemas';
import { after } from './after.js';
import { api, rememberCsrfToken } from './client.js';
import { ApiError, unreachable } from './api-error.js';
import { forgetDrafts } from './forget-drafts.js';
import { keyOf } from './query.js';
import { queryClient, SESSION } from './query-client.js';
import { watched } from './watched.js';

/** The person signed in here, as `GET /v1/browser-sessions/current` says. */
export type Session = z.infer<typeof signedInSessionSchema>;

async function askWho(): Promise<Session | null> {
  try {
    const session = await api.get(SESSION);
    return session.signed_in ? session : null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

/** The session of the pages that are open. It stays after its end, so that typed text is still there after the next sign-in. */
let last: Session | null = null;
const ended = watched(false);

const LAST_TENANT = 'countersign.last-tenant';

/** The tenant that somebody was last signed in at in this browser; empty before. */
export const lastTenant = (): string => localStorage.getItem(LAST_TENANT) ?? '';

async function readSession(): Promise<Session | null> {
  const session = await askWho();
  rememberCsrfToken(session?.csrf_token ?? null);
  // Pages of one person are not shown to another.
  if (session !== null && last !== null && !isSamePerson(session, last)) location.reload();
  ended.set(session === null && last !== null);
  if (session !== null) localStorage.setItem(LAST_TENANT, session.tenant.slug);
  last = session ?? last;
  return last;
}

const isSamePerson = (one: Session, other: Session): boolean =>
  one.person.id === other.person.id && one.tenant.slug === other.tenant.slug;

/** Whether the session of the open pages has ended. */
export const useSessionEnded = (): boolean => ended.use();

const sessionQuery = { queryKey: keyOf(SESSION), queryFn: readSession, staleTime: 60_000 };

/** Reads the session again: a proved second factor gives it another token for changes. */
export const renewSession = (): Promise<Session | null> => queryClient.query({ ...sessionQuery, staleTime: 0 });

/** Null if no person is signed in. The note of its error uses it, too, and must not start to read it again. */
export const useSession = (): UseQueryResult<Session | null> => useQuery({ ...sessionQuery, retryOnMount: false });

/** The signed-in person; for pages inside the shell, which shows none before there is one. */
export function useSignedIn(): Session {
  const { data } = useSession();
  if (data === null || data === undefined) throw new Error('a page of the shell was shown with nobody signed in');
  return data;
}

/** The address at which to sign in and come back to this page. */
export const welcomePath = (returnTo: string): string => `/welcome?return_to=${encodeURIComponent(returnTo)}`;

const SIGNED_OUT = 'countersign.signed-out';

/** A person who leaves a shared browser waits at most this long, and is told then. */
const SIGNED_OUT_WITHIN_MS = 5_000;

/** Ends the session and leaves the page. A session that ended before is left, too. It rejects with an {@link ApiError}. */
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
 * may be another person: it shows nothing then, and is loaded anew. Called once, when the page starts.
 */
export function loadAnewIfKept(): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) document.documentElement.hidden = true;
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
