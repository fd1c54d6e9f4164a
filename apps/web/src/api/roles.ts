import type { LIFTING_ROLES } from '#lib/formats';
import { useDirectory } from './directory.js';
import { useSignedIn } from './browser-session.js';

const LIFTING: typeof LIFTING_ROLES = ['PlatformAdmin', 'SRELead'];

/** The reason why the reader lacks these roles, and the people to ask. Null if the reader has one of them. */
function useBarredWithout(roles: readonly string[], what: string): string | null {
  const { person } = useSignedIn();
  const { holdersOf } = useDirectory();
  if (roles.some((role) => person.roles.includes(role))) return null;
  const holders = [...new Set(roles.flatMap((role) => holdersOf(role)))];
  const ask = holders.length === 0 ? '' : ` Ask ${holders.slice(0, 3).join(' or ')}.`;
  return `Only a ${roles.join(' or ')} ${what}.${ask}`;
}

export const useBarredFromLifting = (): string | null => useBarredWithout(LIFTING, 'lifts a halt');

export const useBarredFromAdministering = (what: string): string | null => useBarredWithout(['PlatformAdmin'], what);
