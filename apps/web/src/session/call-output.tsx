import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';

/** The output of a call, live while it is made; nothing if there is none. */
export function CallOutput({ id }: { readonly id: string }) {
  const output = useQuery(queryOf('/v1/tool-calls/{id}/output', { path: { id } }));
  const chunks = output.data?.chunks ?? [];
  if (chunks.length === 0) return null;
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-medium text-muted">Output</summary>
      <pre
        className="mt-2 max-h-96 overflow-y-auto rounded-lg bg-sunken p-3 font-mono text-[0.8125rem] break-words whitespace-pre-wrap"
        tabIndex={0}
      >
        {chunks.map(({ seq, stream, text }) => (
          <span key={seq} className={stream === 'stderr' ? 'text-bad' : undefined}>
            <InertText text={text} />
          </span>
        ))}
      </pre>
      {output.data?.cut === true && <p className="mt-1 text-muted">The rest of the output was not kept.</p>}
    </details>
  );
}
