import { useState } from 'react';
import type { ConnectionView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { Dialog } from '../components/dialog.js';
import { ErrorNote } from '../components/error-note.js';
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
          <div className="flex flex-col gap-4 text-sm">
            <p>{words.consequences}</p>
            {remove.error !== null && <ErrorNote error={remove.error} />}
            <div className="flex justify-end gap-2">
              <Button onClick={close}>Cancel</Button>
              <Button
                look="danger"
                busy={remove.isPending}
                onClick={() => {
                  remove.mutate(undefined);
                }}
              >
                Remove it
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
