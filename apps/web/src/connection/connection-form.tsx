import { useEffect, useState, type ReactNode } from 'react';
import type { ConnectionView } from '#lib/api-schemas';
import { isWaiting, type MayWait } from '#lib/client';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';
import { AuthorityField } from '../webhook/authority-field.js';
import type { ConnectionPath } from './connection-path.js';
import { isInForce } from './is-in-force.js';
import { isReplaced, ReplacedNote } from './replaced-note.js';

/** The settings that every connection has. */
interface ServerSettings {
  readonly url: string;
  readonly ca: string | null;
}

interface ConnectionFormProps<View extends ConnectionView> {
  readonly path: ConnectionPath;
  /** The connection as it is; null to name the first. */
  readonly connection: View | null;
  /** @param ifMatch the ETag of the one that the form was opened with. */
  readonly put: (server: ServerSettings, ifMatch: string | undefined) => Promise<MayWait<View>>;
  readonly again: () => void;
  readonly hint: string;
  readonly placeholder: string;
  /** The settings of its kind, as its fields have them now. */
  readonly own?: Partial<View>;
  /** The fields of its kind. */
  readonly children?: ReactNode;
}

/** The address of a connection, the authority that vouches for it, and settings of its kind. A change made meanwhile is never replaced. */
export function ConnectionForm<View extends ConnectionView>({ connection, path, ...props }: ConnectionFormProps<View>) {
  const [url, setUrl] = useState(connection?.url ?? '');
  const [ca, setCa] = useState(connection?.ca ?? null);
  const [base, setBase] = useState(connection?.etag);
  const put = useChange(() => props.put({ url: url.trim(), ca }, base), path, '/v1/change-requests');
  const replaced = isReplaced(put.error);
  // A second person may have confirmed the change of this form: then nothing was replaced, and nothing waits.
  const { isPending, reset } = put;
  const etag = connection?.etag;
  const ours = connection !== null && isInForce({ url: url.trim(), ca, ...props.own }, connection);
  const waited = put.data !== undefined && isWaiting(put.data);
  useEffect(() => {
    if (!ours || isPending || etag === base) return;
    setBase(etag);
    if (waited || replaced) reset();
  }, [ours, isPending, etag, base, waited, replaced, reset]);
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate(undefined, {
          onSuccess: (answer) => {
            if (!isWaiting(answer)) setBase(answer.etag);
          },
        });
      }}
    >
      {(replaced || etag !== base) && !ours && !isPending && (
        <ReplacedNote again={props.again}>
          Somebody changed these settings after you opened the form. Yours are not in force.
        </ReplacedNote>
      )}
      <TextField
        label="Address"
        hint={props.hint}
        type="url"
        required
        maxLength={2_000}
        placeholder={props.placeholder}
        value={url}
        onChange={setUrl}
      />
      {props.children}
      <AuthorityField value={ca} onChange={setCa} />
      {put.error !== null && !replaced && <ErrorNote error={put.error} />}
      <WaitsNote answer={put.data} />
      <div>
        <Button type="submit" look="primary" busy={isPending}>
          Put in force
        </Button>
      </div>
    </form>
  );
}
