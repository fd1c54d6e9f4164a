import { useState } from 'react';
import type { EmbedderView } from '#lib/api-schemas';
import { api } from '../api/client.js';
import { TextField } from '../components/text-field.js';
import { ConnectionForm } from '../connection/connection-form.js';

interface EmbedderFormProps {
  readonly embedder: EmbedderView | null;
  readonly again: () => void;
}

/** The address of an embedder, its model, and the authority that vouches for it. */
export function EmbedderForm({ embedder, again }: EmbedderFormProps) {
  const [model, setModel] = useState(embedder?.model ?? '');
  const [dimensions, setDimensions] = useState(embedder?.dimensions?.toString() ?? '');
  const own = { model: model.trim(), dimensions: dimensions === '' ? null : Number(dimensions) };
  return (
    <ConnectionForm
      path="/v1/embedder"
      connection={embedder}
      own={own}
      put={(server, ifMatch) => api.put('/v1/embedder', { body: { ...server, ...own }, ifMatch })}
      again={again}
      hint="The base of an API like that of OpenAI. It begins with https, and holds no credentials, query or fragment. Another address loses the token."
      placeholder="https://api.openai.com/v1"
    >
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
    </ConnectionForm>
  );
}
