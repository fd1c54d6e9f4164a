import { useState } from 'react';
import type { EmbedderView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { TextField } from '../components/text-field.js';
import { useChange } from '../settings/use-change.js';
import { WaitsNote } from '../settings/waits-note.js';
import { AuthorityField } from '../webhook/authority-field.js';

/** The address of an embedder, its model, and the authority that vouches for it. */
export function EmbedderForm({ embedder }: { readonly embedder: EmbedderView | null }) {
  const [url, setUrl] = useState(embedder?.url ?? '');
  const [model, setModel] = useState(embedder?.model ?? '');
  const [dimensions, setDimensions] = useState(embedder?.dimensions?.toString() ?? '');
  const [ca, setCa] = useState(embedder?.ca ?? null);
  const put = useChange(
    () =>
      api.put('/v1/embedder', {
        body: { url: url.trim(), ca, model: model.trim(), dimensions: dimensions === '' ? null : Number(dimensions) },
      }),
    '/v1/embedder',
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
        hint="The base of an API like that of OpenAI. It begins with https, and holds no credentials, query or fragment. Another address loses the token."
        type="url"
        required
        maxLength={2_000}
        placeholder="https://api.openai.com/v1"
        value={url}
        onChange={setUrl}
      />
      <TextField
        label="Model"
        hint="As the server names it. Another model makes all vectors anew."
        required
        maxLength={200}
        placeholder="text-embedding-3-small"
        value={model}
        onChange={setModel}
      />
      <TextField
        label="Dimensions"
        hint="The length of a vector, from 8 to 4096, if the model lets you choose. Leave it empty otherwise."
        inputMode="numeric"
        pattern="[0-9]{1,4}"
        value={dimensions}
        onChange={setDimensions}
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
