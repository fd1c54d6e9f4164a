import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { issuerTestSchema, signInSettingsSchema } from '#lib/api-schemas';
import { counted } from '#lib/words';
import type { z } from 'zod';
import { api } from '../api/client.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { StepUpDialog } from '../step-up/step-up-dialog.js';
import { useChange } from './use-change.js';

/** An issuer in force, with the person who stands for it. */
export type StandingIssuer = Pick<
  z.infer<typeof signInSettingsSchema>['issuers'][number],
  'id' | 'name' | 'display_name' | 'issuer_url' | 'client_id' | 'standing'
>;

type IssuerTest = z.infer<typeof issuerTestSchema>;

interface IssuerStandingsProps {
  readonly issuers: readonly StandingIssuer[];
  /** The revision of the shown settings: it confirms no later change. */
  readonly revision: number;
}

/** The person who stands for each issuer. A person of another hand confirms here an issuer that one person set up alone. */
export function IssuerStandings({ issuers, revision }: IssuerStandingsProps) {
  if (issuers.length === 0) return null;
  return (
    <Card title="Who stands for each issuer">
      <ul className="flex flex-col gap-3">
        {issuers.map((issuer) => (
          <IssuerStanding key={issuer.id} issuer={issuer} revision={revision} />
        ))}
      </ul>
    </Card>
  );
}

/** Whether people could sign in there now. */
function Tested({ test: { keys, problem } }: { readonly test: IssuerTest }) {
  return (
    <span role="status" className={`block ${problem === null ? 'text-good' : 'text-bad'}`}>
      {problem === null ? (
        `It works: its description and ${counted(keys ?? 0, 'key')} can be read.`
      ) : (
        <InertText text={problem} />
      )}
    </span>
  );
}

function IssuerStanding({ issuer, revision }: { readonly issuer: StandingIssuer; readonly revision: number }) {
  const [confirms, setConfirms] = useState(false);
  const confirm = useChange(
    (stepUpId: string) =>
      api.post('/v1/issuers/{name}/confirm', {
        path: { name: issuer.name },
        body: {
          settings_revision: revision,
          step_up_id: stepUpId,
        },
      }),
    '/v1/issuers',
    '/v1/people',
  );
  const test = useMutation({
    mutationFn: () => api.post('/v1/issuers/{name}/test', { path: { name: issuer.name } }),
  });
  const { standing } = issuer;
  const alone = standing?.how === 'alone';
  return (
    <li className="flex flex-wrap items-center gap-2 text-sm">
      <span className="min-w-0 flex-1 basis-72">
        <span className="font-medium">
          <InertText text={issuer.display_name} />
        </span>{' '}
        {alone && <Badge tone="warn">not confirmed</Badge>}
        {standing !== null && (
          <span className="block text-muted">
            <InertText text={standing.words} />
          </span>
        )}
        {alone && standing.you.why_not !== null && (
          <span className="block text-muted">
            <InertText text={standing.you.why_not.message} /> {standing.you.why_not.action}
          </span>
        )}
        {test.data !== undefined && <Tested test={test.data} />}
        {test.error !== null && <ErrorNote error={test.error} />}
      </span>
      <Button
        size="sm"
        aria-label={`Test ${issuer.display_name}`}
        busy={test.isPending}
        onClick={() => {
          test.mutate();
        }}
      >
        Test
      </Button>
      {standing?.you.may_confirm === true && (
        <Button
          size="sm"
          onClick={() => {
            setConfirms(true);
          }}
        >
          Confirm issuer
        </Button>
      )}
      {confirms && (
        <StepUpDialog
          title={`Confirm ${issuer.display_name}`}
          description={
            <>
              You say that <InertText text={issuer.issuer_url} />, client <InertText text={issuer.client_id} />, is your
              organisation’s. From then on, people who sign in there each have a vote of their own.
            </>
          }
          operation={{ kind: 'issuer_confirm', issuer_id: issuer.id, settings_revision: revision }}
          act={confirm}
          onClose={() => {
            setConfirms(false);
          }}
        />
      )}
    </li>
  );
}
