import type { ReactNode } from 'react';
import type { ConnectionView } from '#lib/api-schemas';
import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Button } from '../components/button.js';
import { ErrorNote } from '../components/error-note.js';
import { Facts } from '../components/facts.js';
import { TimeAgo } from '../components/times.js';
import type { ConnectionPath } from './connection-path.js';
import { RemoveConnection, type RemovalWords } from './remove-connection.js';

interface ConnectionStateProps {
  readonly path: ConnectionPath;
  readonly connection: ConnectionView;
  /** When it last did what it is for, and the word for one that does. */
  readonly answered: { readonly at: string | null; readonly word: string };
  readonly failingSince?: string | null;
  readonly facts: readonly (readonly [string, ReactNode])[];
  readonly testLabel: string;
  readonly test: { readonly isPending: boolean; readonly error: Error | null };
  readonly onTest: () => void;
  readonly removal: RemovalWords;
  /** The outcome of the test. */
  readonly children: ReactNode;
}

/** How a connection does, with a test and its removal. */
export function ConnectionState({ path, connection, facts, test, ...props }: ConnectionStateProps) {
  const { url, has_token: hasToken, error, error_at: failed } = connection;
  return (
    <>
      <p className="flex flex-wrap items-center gap-3">
        <span className="font-mono font-medium break-all">
          <InertText text={url} />
        </span>
        <State error={error} answered={props.answered} since={props.failingSince ?? null} />
      </p>
      <Facts facts={[...facts, ['Token', hasToken ? 'set' : 'none']]} />
      {error !== null && failed !== null && (
        <p className="rounded-lg bg-warn-soft p-3 break-words">
          <TimeAgo at={failed} />: <InertText text={error} />
        </p>
      )}
      {test.error !== null && <ErrorNote error={test.error} />}
      {props.children}
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={test.isPending} onClick={props.onTest}>
          {props.testLabel}
        </Button>
        <RemoveConnection path={path} connection={connection} words={props.removal} />
      </div>
    </>
  );
}

interface StateProps {
  readonly error: string | null;
  readonly answered: ConnectionStateProps['answered'];
  readonly since: string | null;
}

function State({ error, answered: { at, word }, since }: StateProps) {
  if (error === null) return at === null ? <Badge tone="neutral">new</Badge> : <Badge tone="good">{word}</Badge>;
  return (
    <Badge tone="bad">
      failing{since === null ? '' : ' since '}
      {since !== null && <TimeAgo at={since} />}
    </Badge>
  );
}
