import { useQuery } from '@tanstack/react-query';
import type { EmbedderAtWorkView } from '#lib/api-schemas';
import { upToMost } from '#lib/words';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';
import { TimeAgo, TimeLeft } from '../components/times.js';
import { ConnectionSection } from '../connection/connection-section.js';
import { ConnectionState } from '../connection/connection-state.js';
import { EmbedderForm } from '../embedder/embedder-form.js';
import { useChange } from './use-change.js';

/** Vectors are made without this page. */
const LOOKS_MS = 5_000;
/** While the embedder fails, workers ask it less and less often. */
const FAILING_LOOKS_MS = 30_000;

function nextLook({ waiting, error }: EmbedderAtWorkView): number | false {
  if (error !== null) return FAILING_LOOKS_MS;
  return waiting > 0 ? LOOKS_MS : false;
}

/** The server that gives texts vectors of their meaning. */
export default function EmbedderSection() {
  const found = useQuery({
    ...queryOf('/v1/embedder'),
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : nextLook(data)),
  });
  return (
    <>
      <p className="text-sm text-muted">
        An embedder gives a text a vector of its meaning. With one, precedents are found by meaning, too: “swap the TLS
        certificate” finds “renew the cert”. It gets the words of requests and of questions, with secrets masked.
      </p>
      <ConnectionSection
        path="/v1/embedder"
        kind="embedder"
        found={found}
        words={{
          title: 'Embedder',
          none: 'None yet: precedents are found by words and structure.',
          name: 'Name an embedder',
          change: 'Change the embedder',
        }}
        state={(embedder) => <EmbedderState embedder={embedder} />}
        form={(embedder, again) => <EmbedderForm embedder={embedder} again={again} />}
      />
    </>
  );
}

function EmbedderState({ embedder }: { readonly embedder: EmbedderAtWorkView }) {
  const { model, dimensions, answered_at: answered, waiting, next_try_at: next } = embedder;
  const test = useChange(() => api.post('/v1/embedder/test'), '/v1/embedder');
  return (
    <ConnectionState
      path="/v1/embedder"
      connection={embedder}
      answered={{ at: answered, word: 'gives vectors' }}
      facts={[
        ['Model', <InertText key="model" text={model} />],
        ['Dimensions', dimensions === null ? 'those of the model' : String(dimensions)],
        ['Last vector', answered === null ? 'none yet' : <TimeAgo key="answered" at={answered} />],
        [
          'Without a vector',
          waiting === 0 ? 'no precedent' : `${upToMost(waiting)} ${waiting === 1 ? 'precedent' : 'precedents'}`,
        ],
        ['Next try', next === null ? null : <TimeLeft key="next" until={next} over="now" deadline={false} />],
      ]}
      removal={{
        title: 'Remove this embedder?',
        consequences:
          'No text is sent to it any more. Its token and all vectors are removed, too: precedents are found by words and structure then.',
      }}
      testLabel="Test it"
      test={test}
      onTest={() => {
        test.mutate(undefined);
      }}
    >
      {test.data?.error === null && <p role="status">It gave a vector of {String(test.data.dimensions)} dimensions.</p>}
    </ConnectionState>
  );
}
