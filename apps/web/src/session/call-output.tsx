import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ANSWERS_STAY_MS } from '../api/query-client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { ErrorNote } from '../components/error-note.js';
import { outputTail } from './output-tail.js';

/** The output of a call, live while it is made; nothing if there is none. Of a long one the end is shown first. */
export function CallOutput({ id, near }: { readonly id: string; readonly near: boolean }) {
  const output = useQuery({
    ...queryOf('/v1/tool-calls/{id}/output', { path: { id } }),
    enabled: near,
    // An output that has ended stays as it is. A page of 100 calls would read all of them again with each event.
    staleTime: ({ state: { data } }) => (data?.open === false ? 'static' : ANSWERS_STAY_MS),
  });
  const [whole, setWhole] = useState(false);
  if (output.error !== null) return <ErrorNote error={output.error} retry={() => void output.refetch()} />;
  const chunks = output.data?.chunks ?? [];
  if (chunks.length === 0) return null;
  const tail = outputTail(chunks);
  return (
    <figure className="text-sm">
      <figcaption className="flex flex-wrap items-center justify-between gap-2 font-medium text-muted">
        Output
        {tail.hiddenLines > 0 && (
          <button
            type="button"
            className="font-medium text-accent underline"
            aria-expanded={whole}
            onClick={() => {
              setWhole(!whole);
            }}
          >
            {whole
              ? 'Show the end only'
              : `Show ${String(tail.hiddenLines)} more ${tail.hiddenLines === 1 ? 'line' : 'lines'}`}
          </button>
        )}
      </figcaption>
      <pre
        className="mt-2 max-h-96 overflow-y-auto rounded-lg bg-sunken p-3 font-mono text-[0.8125rem] break-words whitespace-pre-wrap"
        tabIndex={0}
        aria-label="Output"
      >
        {(whole ? chunks : tail.chunks).map(({ seq, stream, text }) => (
          <span key={seq} className={stream === 'stderr' ? 'text-bad' : undefined}>
            <InertText text={text} />
          </span>
        ))}
      </pre>
      {output.data?.cut === true && <p className="mt-1 text-muted">The rest of the output was not kept.</p>}
    </figure>
  );
}
