import { useRouteError } from 'react-router';
import { ErrorNote } from '../components/error-note.js';

/** Stands in for a page that threw. */
export function PageFailed() {
  return (
    <div className="mx-auto max-w-2xl p-6">
      <ErrorNote
        error={useRouteError()}
        retry={() => {
          location.reload();
        }}
      />
    </div>
  );
}
