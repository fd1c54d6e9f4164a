import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { queryOf } from '../api/query.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { ImpactReport } from './impact-report.js';
import { lookAgain } from './look-again.js';

interface DraftImpactProps {
  /** The document as it is typed now. */
  readonly draft: string;
  /** Whether it is valid. */
  readonly ready: boolean;
}

/** Asks for the impact of a draft of the autonomy document, before it is put in force. */
export function DraftImpact({ draft, ready }: DraftImpactProps) {
  const asked = useMutation({
    mutationFn: async (text: string) => ({
      text,
      report: await api.post('/v1/impact-reports', { body: { configuration: { autonomy: text }, since_days: 30 } }),
    }),
  });
  const report = asked.data?.report;
  const { data } = useQuery({
    ...queryOf('/v1/impact-reports/{id}', { path: { id: report?.id ?? '' } }),
    enabled: report !== undefined,
    refetchInterval: ({ state }) => lookAgain(state.data),
  });
  const typedOn = asked.data !== undefined && asked.data.text !== draft;
  const shown = data ?? report;
  const holds = shown !== undefined && !typedOn && !shown.outdated && shown.phase !== 'failed';
  return (
    <>
      <Card
        title="What would this have done in the last 30 days?"
        actions={
          <Button
            size="sm"
            busy={asked.isPending}
            disabled={!ready || holds}
            onClick={() => {
              asked.mutate(draft);
            }}
          >
            Work it out
          </Button>
        }
      >
        <p className="text-sm text-muted">
          {typedOn
            ? 'You have changed the draft since. The report below is about the draft before.'
            : 'Recorded decisions are taken again with your draft; of many, a sample. Nothing is put in force.'}
        </p>
        {asked.error !== null && <ErrorNote error={asked.error} />}
      </Card>
      {shown !== undefined && <ImpactReport report={shown} />}
    </>
  );
}
