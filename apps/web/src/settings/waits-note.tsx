import { Link } from 'react-router';
import { InertText } from '../components/agent-text.js';

/** What the API answers where a change loosens: it waits, or was applied by one person alone. */
export interface MaybeWaiting {
  readonly change_digest?: string;
  readonly id?: string;
  readonly guardrail_warning?: string | undefined;
  /** Of roles that no document names. */
  readonly role_warnings?: readonly string[] | undefined;
}

/** Says that a change waits for a second person, or that nobody was there to wait for. */
export function WaitsNote({ answer }: { readonly answer: MaybeWaiting | undefined }) {
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

function Outcome({ answer }: { readonly answer: MaybeWaiting | undefined }) {
  if (answer?.change_digest !== undefined && answer.id !== undefined)
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
