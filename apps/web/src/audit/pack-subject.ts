import type { PackSubject } from '#lib/verifier';

/** The address of the page that verifies a pack; it names the subject. */
export const verifyPath = ({ type, id }: PackSubject): string =>
  `/audit/verify?${WORDS[type]}=${encodeURIComponent(id)}`;

const WORDS = { plan: 'plan', change_request: 'change', session: 'session', automation_run: 'run' } as const;

/** The subject that an address of {@link verifyPath} names; null if a kept file is to be verified. */
export function subjectIn(search: URLSearchParams): PackSubject | null {
  const plan = search.get('plan');
  if (plan !== null) return { type: 'plan', id: plan };
  const session = search.get('session');
  if (session !== null) return { type: 'session', id: session };
  const run = search.get('run');
  if (run !== null) return { type: 'automation_run', id: run };
  const change = search.get('change');
  return change === null ? null : { type: 'change_request', id: change };
}

/** The subject in words, for people. */
export const subjectWords = ({ type, id }: PackSubject): string => `${WORDS[type]} ${id}`;
