import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queryOf } from '../api/query.js';
import { InertText } from './agent-text.js';

export interface OpenChangeRequestsProps {
  readonly kind: 'webhook' | 'siem_collector' | 'embedder' | 'automation_safe_tool';
  readonly className: string;
}

/** The open change requests of one kind; nothing if there is none. */
export function OpenChangeRequests({ kind, className }: OpenChangeRequestsProps) {
  const open = useQuery(queryOf('/v1/change-requests', { query: { state: 'open', kind } }));
  const changes = open.data?.items ?? [];
  if (changes.length === 0) return null;
  return (
    <ul aria-label="Change requests" className={`bg-warn-soft ${className}`}>
      {changes.map(({ id, what }) => (
        <li key={id} className="px-4 py-2.5 text-sm break-words">
          <InertText text={what} /> waits for a second person.{' '}
          <Link to={`/changes/${id}`} className="text-accent underline">
            See the change
          </Link>
        </li>
      ))}
    </ul>
  );
}
