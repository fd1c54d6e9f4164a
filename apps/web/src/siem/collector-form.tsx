import { useState } from 'react';
import type { SiemCollectorView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';
import { AuthorityField } from '../webhook/authority-field.js';

/** The address of a SIEM collector, and the authority that vouches for it. */
export function CollectorForm({ collector }: { readonly collector: SiemCollectorView | null }) {
  const [url, setUrl] = useState(collector?.url ?? '');
  const [ca, setCa] = useState(collector?.ca ?? null);
  const put = useChange(
    () => api.put('/v1/siem-collector', { body: { url: url.trim(), ca } }),
    '/v1/siem-collector',
    '/v1/change-requests',
  );
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        put.mutate(undefined);
      }}
    >
      <TextField
        label="Address"
        hint="It begins with https, and holds no credentials, query or fragment. Another address loses the token."
        type="url"
        required
        maxLength={2_000}
        placeholder="https://siem.example.com/ocsf"
        value={url}
        onChange={setUrl}
      />
      <AuthorityField value={ca} onChange={setCa} />
      {put.error !== null && <ErrorNote error={put.error} />}
      <WaitsNote answer={put.data} />
      <div>
        <Button type="submit" look="primary" busy={put.isPending}>
          Put in force
        </Button>
      </div>
    </form>
  );
}
