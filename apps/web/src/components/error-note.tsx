import { TriangleAlert } from 'lucide-react';
import { ApiError } from '../api/api-error.js';
import { useSession } from '../api/session.js';
import { Button } from './button.js';

/** Through the issuer, which asks who it is even if it knows, or with the passkey again; and back to this page. */
const signInAgainPath = (byPasskey: boolean): string =>
  `${byPasskey ? '/welcome?again=1' : '/sign-in?prompt=login'}&return_to=${encodeURIComponent(location.pathname + location.search)}`;

/** A refusal: what, why by which rule, and what to do now. */
export function ErrorNote({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { data: session } = useSession();
  const problem = error instanceof ApiError ? error.problem : null;
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-bad/40 bg-bad-soft p-3 text-sm text-ink">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{problem?.detail ?? 'This page failed.'}</p>
        <p className="text-muted">{problem?.action ?? 'Reload it; if it stays, tell whoever runs Countersign here.'}</p>
        {problem?.errors !== undefined && problem.errors.length > 0 && (
          <ul className="mt-1 list-disc pl-4">
            {problem.errors.map(({ pointer, message }) => (
              <li key={pointer + message}>
                <code className="font-mono text-xs">{pointer}</code> {message}
              </li>
            ))}
          </ul>
        )}
        {problem?.reasons !== undefined && problem.reasons.length > 0 && (
          <ul className="mt-1 list-disc pl-4">
            {problem.reasons.map(({ code, message, rule }) => (
              <li key={rule + code}>
                {message !== problem.detail && message} <code className="font-mono text-xs text-muted">{rule}</code>
              </li>
            ))}
          </ul>
        )}
        {problem?.code === 'session.sign_in_again' && (
          <a className="text-accent underline" href={signInAgainPath(session?.signed_in_by === 'passkey')}>
            Sign in again, and come back here
          </a>
        )}
        {problem !== null && <p className="mt-1 font-mono text-xs text-muted">{problem.code}</p>}
      </div>
      {retry !== undefined && (
        <Button size="sm" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
