import type { PackSubject } from '#lib/verifier';

/** Where the pack of a plan or a change is verified; the address says of what. */
export const verifyPath = ({ type, id }: PackSubject): string =>
  `/audit/verify?${type === 'plan' ? 'plan' : 'change'}=${encodeURIComponent(id)}`;

/** What an address of {@link verifyPath} names; null where a kept file is to be verified. */
export function subjectIn(search: URLSearchParams): PackSubject | null {
  const plan = search.get('plan');
  if (plan !== null) return { type: 'plan', id: plan };
  const change = search.get('change');
  return change === null ? null : { type: 'change_request', id: change };
}

/** In words, for whoever reads it. */
export const subjectWords = ({ type, id }: PackSubject): string => `${type === 'plan' ? 'plan' : 'change'} ${id}`;
