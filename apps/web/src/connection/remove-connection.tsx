import type { ConnectionView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { AskFirst } from '../components/ask-first.js';
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
  const remove = useChange(() => api.delete(path), path);
  return (
    <AskFirst label="Remove…" title={words.title} description={url} act="Remove it" change={remove}>
      <p>{words.consequences}</p>
    </AskFirst>
  );
}
