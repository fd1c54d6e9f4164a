import { ErrorNote } from '../components/error-note.js';
import { deviceProblem } from './passkey-of-browser.js';

/** The problem: of the device, or of the server. */
export function EntryProblem({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  const words = deviceProblem(error);
  if (words === null) return <ErrorNote error={error} />;
  return (
    <p role="alert" className="rounded-lg bg-warn-soft p-3 text-sm">
      {words}
    </p>
  );
}
