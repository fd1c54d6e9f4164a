import type { UseQueryResult } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ConnectionView } from '#lib/api-schemas';
import { ApiError } from '../api/api-error.js';
import { Card } from '../components/card.js';
import { ErrorNote } from '../components/error-note.js';
import { SkeletonRows } from '../components/skeleton.js';
import { OpenChangeRequests, type OpenChangeRequestsProps } from '../components/open-change-requests.js';
import { BearerToken } from './bearer-token.js';
import type { ConnectionPath } from './connection-path.js';

interface ConnectionSectionProps<View extends ConnectionView> {
  readonly path: ConnectionPath;
  readonly kind: OpenChangeRequestsProps['kind'];
  readonly found: UseQueryResult<View>;
  /** Headings, and the sentence for a workspace without one. */
  readonly words: { readonly title: string; readonly none: string; readonly name: string; readonly change: string };
  readonly state: (connection: View) => ReactNode;
  /** @param connection the one that it changes; null to name the first. @param again opens the form with the settings as they are now. */
  readonly form: (connection: View | null, again: () => void) => ReactNode;
}

/** A server that the workspace names: how it does, its settings, and its token. */
export function ConnectionSection<View extends ConnectionView>(props: ConnectionSectionProps<View>) {
  const { path, kind, found, words, state, form } = props;
  const [opened, setOpened] = useState(0);
  const none = found.error instanceof ApiError && found.error.problem.code === 'resource.not_found';
  const connection = none ? null : (found.data ?? null);
  const again = (): void => {
    void found.refetch().then(() => {
      setOpened(opened + 1);
    });
  };
  return (
    <>
      <Card title={words.title}>
        <div className="flex flex-col gap-4 text-sm">
          {found.isPending && <SkeletonRows rows={2} />}
          {found.error !== null && !none && <ErrorNote error={found.error} retry={() => void found.refetch()} />}
          {none && <p className="text-muted">{words.none}</p>}
          {connection !== null && state(connection)}
          <OpenChangeRequests kind={kind} className="rounded-lg" />
        </div>
      </Card>
      {(none || connection !== null) && (
        <Card key={`${connection?.id ?? ''}/${String(opened)}`} title={none ? words.name : words.change}>
          {form(connection, again)}
        </Card>
      )}
      {connection !== null && (
        <BearerToken
          key={`${connection.id}/token/${String(opened)}`}
          connection={connection}
          path={path}
          again={again}
        />
      )}
    </>
  );
}
