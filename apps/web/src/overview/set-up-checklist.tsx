import { CircleCheck, CircleDashed } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { SetUpView } from '#lib/api-schemas';
import { useSignedIn } from '../api/browser-session.js';
import { useSetUp } from '../api/set-up.js';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';

/** Whether it is still open how much room the checklist takes. */
export const useSetUpPending = (): boolean => useSetUp().isLoading;

/** The steps of a new tenant, for its admins; it can be put away once every needed step is done. */
export function SetUpChecklist() {
  const { person } = useSignedIn();
  const admin = person.roles.includes('PlatformAdmin');
  const key = `countersign.set-up-put-away.${person.id}`;
  const [putAway, setPutAway] = useState(() => localStorage.getItem(key) !== null);
  const found = useSetUp();
  if (!admin) return null;
  if (found.error !== null) return putAway ? null : <ErrorNote error={found.error} />;
  if (found.data === undefined) return null;
  const { steps, complete } = found.data;
  // The checklist comes back if something that is needed is missing again.
  if (complete && putAway) return null;
  const needed = steps.filter((step) => step.needed);
  return (
    <div className="mb-4">
      <Card
        title={`Set up: ${String(needed.filter(({ done }) => done).length)} of ${String(needed.length)} done`}
        flush
        actions={
          complete && (
            <Button
              size="sm"
              onClick={() => {
                localStorage.setItem(key, new Date().toISOString());
                setPutAway(true);
              }}
            >
              Put away
            </Button>
          )
        }
      >
        <ol>
          {steps.map((step) => (
            <Step key={step.step} step={step} />
          ))}
        </ol>
      </Card>
    </div>
  );
}

const Step = ({ step: { title, done, needed, detail, path } }: { readonly step: SetUpView['steps'][number] }) => (
  <li className="flex items-start gap-3 border-b border-line px-4 py-3 text-sm last:border-0">
    {done ? (
      <CircleCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-good" />
    ) : (
      <CircleDashed aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" />
    )}
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <Link to={path} className="font-medium text-accent underline">
          {title}
        </Link>
        {done ? <Badge tone="good">done</Badge> : needed ? <Badge tone="warn">to do</Badge> : <Badge>optional</Badge>}
      </p>
      <p className="text-muted">
        <InertText text={detail} />
      </p>
    </div>
  </li>
);
