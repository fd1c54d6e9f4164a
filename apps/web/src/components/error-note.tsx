import { TriangleAlert } from 'lucide-react';
import type { Problem } from '#lib/client';
import { ownMember } from '#lib/canonical';
import { ApiError } from '../api/api-error.js';
import { useShows } from '../api/not-read.js';
import { useBrowserSession } from '../api/browser-session.js';
import { Button } from './button.js';
import { Codes } from './codes.js';

/**
 * The way to a fresh sign-in and back to this page. It leads by the issuer, which asks even if it knows the person, or by
 * passkey.
 */
const signInAgainPath = (byPasskey: boolean): string =>
  `${byPasskey ? '/welcome?again=1' : '/sign-in?prompt=login'}&return_to=${encodeURIComponent(location.pathname + location.search)}`;

interface Words {
  readonly detail?: string;
  readonly action: string;
}

/** A document: its errors are listed with their lines, which the refusal itself also says of the first. */
const refused = (detail: string): Words => ({ detail, action: 'Correct the listed errors, and try again.' });
const AUTONOMY_REFUSED = refused('The document is refused; the one in force stays.');
const AUTOMATION_REFUSED = refused('The automation is refused.');
const HOOKS_REFUSED = refused('The hooks are refused.');

const SIGN_IN_AGAIN: Words = { action: 'Sign in again; what you typed on this page is kept.' };
const SIGNED_OUT: Words = { ...SIGN_IN_AGAIN, detail: 'You were signed out.' };

/** The words in a browser, for refusals that address a caller of the API. */
const IN_A_BROWSER: Readonly<Record<string, Words>> = {
  'credential.missing': SIGNED_OUT,
  'credential.revoked': SIGNED_OUT,
  'credential.expired': SIGNED_OUT,
  'credential.ended': SIGN_IN_AGAIN,
  'browser_session.idle': SIGN_IN_AGAIN,
  'autonomy.unreadable': AUTONOMY_REFUSED,
  'autonomy.invalid': AUTONOMY_REFUSED,
  'automation.unreadable': AUTOMATION_REFUSED,
  'automation.invalid': AUTOMATION_REFUSED,
  'lifecycle_hook.unreadable': HOOKS_REFUSED,
  'lifecycle_hook.invalid': HOOKS_REFUSED,
  'mfa.not_enrolled': { action: 'Set up a second factor under Settings, then try again.' },
  'resource.not_found': {
    action: 'It may be gone, or belong to another organisation. Go back to the list, and open it from there.',
  },
  'route.not_found': { action: 'Reload the page. If that does not help, tell the people who run Countersign here.' },
};

const FAILED: Words = {
  detail: 'This page failed.',
  action: 'Reload it. If that does not help, tell the people who run Countersign here.',
};

const wordsOf = (problem: Problem | null): Omit<Words, 'action'> & { readonly action: string | undefined } =>
  problem === null
    ? FAILED
    : { detail: problem.detail, action: problem.action, ...ownMember(IN_A_BROWSER, problem.code) };

/** The code, the rules of policy behind it, and the id of the request. */
const codesOf = ({ code, reasons = [], instance }: Problem): string[] =>
  [code, ...reasons.map(({ rule }) => rule), instance].filter((name) => name !== '');

/**
 * The mistakes of a refusal. The error with the code and the words of the refusal itself stands above. It is not
 * said again, but for its pointer if that lies deeper in the document.
 */
const mistakesIn = ({ code, detail, errors = [] }: Problem) =>
  errors
    .map((error) => ({
      pointer: error.pointer,
      line: error.line,
      message: error.code === code && error.message === detail ? null : error.message,
    }))
    .filter(({ pointer, message }) => message !== null || pointer.split('/').length > 2);

/** A refusal: its detail, the rules behind it, and the next action. */
export function ErrorNote({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { data: browserSession } = useBrowserSession();
  useShows(error);
  const problem = error instanceof ApiError ? error.problem : null;
  const { detail, action } = wordsOf(problem);
  const mistakes = problem === null ? [] : mistakesIn(problem);
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-bad/40 bg-bad-soft p-3 text-sm text-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{detail}</p>
        <p className="text-muted">{action}</p>
        {mistakes.length > 0 && (
          <ul className="mt-1 list-disc pl-4">
            {mistakes.map(({ pointer, line, message }) => (
              <li key={`${pointer} ${message ?? ''}`}>
                {line !== undefined && `Line ${String(line)}, `}
                <code className="font-mono text-xs">{pointer}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {problem?.reasons?.some(({ message }) => message !== problem.detail) === true && (
          <ul className="mt-1 list-disc pl-4">
            {problem.reasons
              .filter(({ message }) => message !== problem.detail)
              .map(({ code, message, rule }) => (
                <li key={rule + code}>{message}</li>
              ))}
          </ul>
        )}
        {problem?.code === 'sign_in.not_fresh' && (
          <a
            className="text-accent underline"
            referrerPolicy="same-origin"
            href={signInAgainPath(browserSession?.signed_in_by === 'passkey')}
          >
            Sign in again, and come back here
          </a>
        )}
        {problem !== null && <Codes names={codesOf(problem)} />}
      </div>
      {retry !== undefined && (
        <Button size="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
