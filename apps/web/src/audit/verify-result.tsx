import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { InertText } from '../components/agent-text.js';
import { countOf } from '../components/count-of.js';
import { subjectWords } from './pack-subject.js';
import type { VerifyAnswer } from './verify-job.js';

const look = {
  verified: 'bg-good-soft text-good',
  incomplete: 'bg-warn-soft text-warn',
  refused: 'bg-bad-soft text-bad',
} as const;

function verdict({ outcome, entries, documents, subject, notThere }: VerifyAnswer): string {
  if (outcome === 'refused') return 'The pack does not verify.';
  const what = `${String(entries)} entries and ${countOf(documents, 'document')} about ${subject === null ? 'it' : subjectWords(subject)}.`;
  return outcome === 'verified'
    ? `Verified: ${what}`
    : `Verified as far as it is there: ${what} ${countOf(notThere.length, 'payload')} not there; some checks could not be made.`;
}

/** The verdict, then each check: passed, a warning, failed, or not made. */
export function VerifyResult({ answer }: { readonly answer: VerifyAnswer }) {
  const { outcome, passed, warnings, failure, notThere, notMade, approvals, notSigned } = answer;
  return (
    <>
      <p className={`mb-3 rounded-lg p-3 text-base font-semibold ${look[outcome]}`}>{verdict(answer)}</p>
      {notSigned !== null && notSigned > 0 && (
        <p className="mb-3 rounded-lg bg-warn-soft p-3 font-medium">
          {countOf(notSigned, 'approval')} below {notSigned === 1 ? 'was' : 'were'} not signed with a key that you kept:
          for {notSigned === 1 ? 'it' : 'them'}, you rely on the server.
        </p>
      )}
      <ul className="flex flex-col gap-1.5">
        {passed.map((line) => (
          <Line key={line} icon={<CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />}>
            <InertText text={line} />
          </Line>
        ))}
        {warnings.map((line) => (
          <Line key={line} icon={<TriangleAlert aria-label="Warning:" className="mt-0.5 size-4 shrink-0 text-bad" />}>
            <strong className="text-bad">
              <InertText text={line} />
            </strong>
          </Line>
        ))}
        {notThere.map(({ entryId, action, occurredAt }) => (
          <Line key={entryId} icon={<CircleHelp aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />}>
            The payload of an entry is not there: <InertText text={`${action}, ${occurredAt} (${entryId})`} />
          </Line>
        ))}
        {notMade.map(({ check, message }) => (
          <Line key={message} icon={<CircleHelp aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />}>
            Not checked: <InertText text={message} /> <code className="font-mono text-xs text-muted">{check}</code>
          </Line>
        ))}
        {approvals.map(({ line, kept }) => (
          <Line
            key={line}
            icon={
              kept ? (
                <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-good" />
              ) : (
                <CircleHelp aria-label="Relies on the server:" className="mt-0.5 size-4 shrink-0 text-warn" />
              )
            }
          >
            <InertText text={line} />
          </Line>
        ))}
        {failure !== null && (
          <Line icon={<CircleX aria-label="Failed:" className="mt-0.5 size-4 shrink-0 text-bad" />}>
            <InertText text={failure.message} />{' '}
            <code className="font-mono text-xs text-muted">
              {failure.code} {failure.pointer}
            </code>
          </Line>
        )}
      </ul>
    </>
  );
}

function Line({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="flex gap-2">
      {icon}
      <span>{children}</span>
    </li>
  );
}
