import type { EmbedderAtWorkView } from '#lib/api-schemas';
import { counted } from '#lib/words';
import { api } from '../api/client.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { useChange } from '../settings/use-change.js';

/** How the embedder does, with a test and its removal. */
export function EmbedderState({ embedder }: { readonly embedder: EmbedderAtWorkView }) {
  const { url, model, dimensions, has_token: hasToken, answered_at: answered, error, error_at: failed } = embedder;
  const { waiting, next_try_at: next } = embedder;
  const test = useChange(() => api.post('/v1/embedder/test'), '/v1/embedder');
  const remove = useChange(() => api.delete('/v1/embedder'), '/v1/embedder');
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <span className="font-mono font-medium break-all">
          <InertText text={url} />
        </span>
        {error !== null && <Badge tone="bad">failing</Badge>}
        {error === null && answered === null && <Badge tone="neutral">new</Badge>}
        {error === null && answered !== null && <Badge tone="good">gives vectors</Badge>}
      </p>
      <Facts
        facts={[
          ['Model', <InertText key="model" text={model} />],
          ['Dimensions', dimensions === null ? 'those of the model' : String(dimensions)],
          ['Last vector', answered === null ? 'none yet' : <TimeAgo key="answered" at={answered} />],
          ['Without a vector', waiting === 0 ? 'no precedent' : counted(waiting, 'precedent')],
          ...(next === null
            ? []
            : [['Next try', <TimeLeft key="next" until={next} over="now" deadline={false} />] as const]),
          ['Token', hasToken ? 'set' : 'none'],
        ]}
      />
      {error !== null && failed !== null && (
        <p className="rounded-lg bg-warn-soft p-3 break-words">
          <TimeAgo at={failed} />: <InertText text={error} />
        </p>
      )}
      {(test.error ?? remove.error) !== null && <ErrorNote error={test.error ?? remove.error} />}
      {test.data?.error === null && <p role="status">It gave a vector of {String(test.data.dimensions)} dimensions.</p>}
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={test.isPending}
          onClick={() => {
            test.mutate(undefined);
          }}
        >
          Test it
        </Button>
        <Button
          look="danger-outline"
          busy={remove.isPending}
          onClick={() => {
            remove.mutate(undefined);
          }}
        >
          Remove it
        </Button>
      </div>
    </>
  );
}
