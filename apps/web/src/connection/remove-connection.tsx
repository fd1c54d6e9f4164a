import { useState } from 'react';
import type { ConnectionView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { ConfirmRemoval } from '../components/confirm-removal.js';
import { Dialog } from '../components/dialog.js';
import { useChange } from '../settings/use-change.js';
import type { ConnectionPath } from './connection-path.js';

/** The words of a removal. */
export interface RemovalWords {
  readonly title: string;
  readonly consequences: string;
}

interface RemoveConnectionProps {
  readonly path: ConnectionPath;
  readonly connection: Pick<ConnectionView, 'url'>;
  readonly words: RemovalWords;
}

/** Removes a connection, after it tells the consequences: nothing brings its token back. */
export function RemoveConnection({ path, connection: { url }, words }: RemoveConnectionProps) {
  const [asked, setAsked] = useState(false);
  const remove = useChange(() => api.delete(path), path);
  const close = () => {
    setAsked(false);
  };
  return (
    <>
      <Button
        look="danger-outline"
        onClick={() => {
          remove.reset();
          setAsked(true);
        }}
      >
        Remove…
      </Button>
      {asked && (
        <Dialog title={words.title} description={url} onClose={close}>
          <ConfirmRemoval
            error={remove.error}
            busy={remove.isPending}
            onCancel={close}
            onConfirm={() => {
              remove.mutate(undefined);
            }}
          >
            {words.consequences}
          </ConfirmRemoval>
        </Dialog>
      )}
    </>
  );
}
