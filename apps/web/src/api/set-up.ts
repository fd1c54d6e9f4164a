import { useQuery } from '@tanstack/react-query';
import { queryOf } from './query.js';
import { useSignedIn } from './browser-session.js';

/** The steps that the tenant still needs; only admins read them. */
export const useSetUp = () =>
  useQuery({ ...queryOf('/v1/set-up'), enabled: useSignedIn().person.roles.includes('PlatformAdmin') });

/** The label of the button that puts a document in force. A change that loosens waits for a second admin, if there is one. */
export function usePutWords(loosens: boolean): string {
  const secondAdmin = useSetUp().data?.steps.find(({ step }) => step === 'second_admin')?.done ?? true;
  return loosens && secondAdmin ? 'Ask for confirmation' : 'Put in force';
}
