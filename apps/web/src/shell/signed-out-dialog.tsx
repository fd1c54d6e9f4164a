import { useEffect } from 'react';
import { renewBrowserSession, welcomePath, type BrowserSession } from '../api/browser-session.js';
import { Dialog } from '../components/dialog.js';

/** Asks a signed-out person to sign in again, in a tab of its own: this page keeps the typed text. */
export function SignedOutDialog({ browserSession }: { readonly browserSession: BrowserSession }) {
  useEffect(() => {
    const look = (): void => void renewBrowserSession();
    addEventListener('focus', look);
    return () => {
      removeEventListener('focus', look);
    };
  }, []);
  return (
    <Dialog
      title="You were signed out"
      description="Your text on this page is kept. Sign in again in a new tab, then come back to this one."
      onClose={() => void renewBrowserSession()}
    >
      <p className="mb-4 text-sm text-muted">This page was opened by {browserSession.person.display_name}.</p>
      <a
        href={welcomePath('/')}
        target="_blank"
        rel="noopener"
        className="inline-flex h-10 items-center rounded-lg bg-accent px-4 text-sm font-medium text-accent-ink hover:opacity-90"
      >
        Sign in again
      </a>
    </Dialog>
  );
}
