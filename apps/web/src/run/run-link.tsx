import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryOf } from '../api/query.js';
import { InertText } from '../components/agent-text.js';

/** A link to a run, named by its effect. */
export function RunLink({ id }: { readonly id: string }) {
  const run = useQuery(queryOf('/v1/runs/{id}', { path: { id } }));
  return (
    <Link to={`/runs/${id}`} title={id} className="font-medium underline">
      {run.data?.headline == null ? (
        'a run'
      ) : (
        <>
          the run of <InertText text={run.data.headline} />
        </>
      )}
    </Link>
  );
}
