import { Link } from 'react-router';
import { isWaiting, type Change, type MayWait } from '#lib/client';
import { stateInWords } from '#lib/words';
import { useChange } from '../change/use-change.js';
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
  if (answer !== undefined && isWaiting(answer)) return <Asked change={answer} />;
  return answer?.guardrail_warning === undefined ? null : (
    <p role="status" className="rounded-lg bg-warn-soft p-3 text-sm">
      {answer.guardrail_warning}
    </p>
  );
}

/** The page stays open while somebody decides, so the note follows the change. */
function Asked({ change }: { readonly change: Change }) {
  const { id, state } = useChange(change);
  return (
    <p role="status" className="rounded-lg bg-warn-soft p-3 text-sm">
      {state === 'open'
        ? 'This loosens, so it waits for a second person.'
        : `This loosens, so it waited for a second person. It is ${stateInWords(state)}.`}{' '}
      <Link className="text-accent underline" to={`/changes/${id}`}>
        See the change
      </Link>
    </p>
  );
}
