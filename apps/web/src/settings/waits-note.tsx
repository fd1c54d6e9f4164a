import { Link } from 'react-router';
import { isWaiting, type MayWait } from '#lib/client';
import { InertText } from '../components/agent-text.js';

/** The answer to a change that may loosen a guardrail. */
export type Changed = MayWait<{
  /** Tells that one person applied it alone. */
  readonly guardrail_warning?: string | undefined;
  /** About roles that no document names. */
  readonly role_warnings?: readonly string[] | undefined;
}>;

/** Says that a change waits for a second person, or that there was no second person. */
export function WaitsNote({ answer }: { readonly answer: Changed | undefined }) {
  return (
    <>
      {answer?.role_warnings?.map((warning) => (
        <p key={warning} role="status" className="rounded-lg bg-warn-soft p-3 text-sm">
          <InertText text={warning} />
        </p>
      ))}
      <Outcome answer={answer} />
    </>
  );
}

function Outcome({ answer }: { readonly answer: Changed | undefined }) {
  if (answer !== undefined && isWaiting(answer))
    return (
      <p role="status" className="rounded-lg bg-warn-soft p-3 text-sm">
        This loosens, so it waits for a second person.{' '}
        <Link className="text-accent underline" to={`/changes/${answer.id}`}>
          See the change
        </Link>
      </p>
    );
  return answer?.guardrail_warning === undefined ? null : (
    <p role="status" className="rounded-lg bg-warn-soft p-3 text-sm">
      {answer.guardrail_warning}
    </p>
  );
}
