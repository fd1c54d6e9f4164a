import { useMutation } from '@tanstack/react-query';
import { LoaderCircle, LogOut } from 'lucide-react';
import { signOut } from '../api/browser-session.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
import { untellThisBrowser } from '../settings/push-of-browser.js';
import { IconButton } from './icon-button.js';

/** Signs the reader out. It shows that this is under way until the page is left, and says so if it fails. */
export function SignOutButton() {
  const leaving = useMutation({
    mutationFn: async () => {
      await untellThisBrowser();
      await signOut();
    },
  });
  const busy = leaving.isPending || leaving.isSuccess;
  return (
    <>
      <IconButton
        label={busy ? 'Signing out…' : 'Sign out'}
        busy={busy}
        onClick={() => {
          leaving.mutate();
        }}
      >
        {busy ? (
          <LoaderCircle aria-hidden className="size-4.5 animate-spin motion-reduce:animate-none" />
        ) : (
          <LogOut aria-hidden className="size-4.5" />
        )}
      </IconButton>
      {leaving.isError && (
        <Dialog title="The sign-out did not finish" onClose={leaving.reset}>
          <ErrorNote
            error={leaving.error}
            retry={() => {
              leaving.mutate();
            }}
          />
        </Dialog>
      )}
    </>
  );
}
