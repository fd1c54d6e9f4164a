import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { LiveEvent } from '#lib/contracts';
import { watched } from './watched.js';

/** The first part of the keys of all queries that may answer otherwise after a change of this kind. */
const AFFECTED: Readonly<Record<string, readonly string[]>> = {
  approval_request: ['approval-requests', 'plans', 'inbox', 'overview'],
  plan: ['plans', 'simulations', 'approval-requests', 'tasks'],
  run: ['runs', 'plans', 'tasks', 'overview', 'inbox'],
  task: ['tasks'],
  halt: ['halts', 'runs'],
  change_request: ['changes', 'inbox', 'autonomy', 'tools'],
  incident: ['incidents', 'overview', 'inbox'],
  comment: ['comments', 'unread-comments'],
  person: ['directory', 'people', 'session'],
  agent: ['directory', 'agents'],
};

const affectedBy = (type: string): readonly string[] => AFFECTED[type] ?? [];

/** Several changes at once cost one reading. */
const GATHER_MS = 150;
/** A stream that was refused is asked for again after so long. */
const REFUSED_MS = 30_000;

type Connection = 'connecting' | 'live' | 'lost';
const connection = watched<Connection>('connecting');

/** Whether this page is told of changes just now. */
export const useConnection = (): Connection => connection.use();

function follow(queries: QueryClient): () => void {
  const stale = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let missed = false;
  const gather = (names: readonly string[]): void => {
    for (const name of names) stale.add(name);
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const name of stale) void queries.invalidateQueries({ queryKey: [name] });
      stale.clear();
    }, GATHER_MS);
  };
  // Reconnects by itself after a lost connection, but not after a refusal, for example of one stream too many.
  let source: EventSource;
  let again: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    source = new EventSource('/v1/events');
    source.addEventListener('open', () => {
      connection.set('live');
      if (missed) void queries.invalidateQueries();
      missed = false;
    });
    source.addEventListener('error', () => {
      missed = true;
      connection.set('lost');
      if (source.readyState !== EventSource.CLOSED) return;
      // Refused: perhaps nobody is signed in any more.
      void queries.invalidateQueries({ queryKey: ['session'] });
      again = setTimeout(open, REFUSED_MS);
    });
    source.addEventListener('missed', () => {
      void queries.invalidateQueries();
    });
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      gather(affectedBy((JSON.parse(data) as LiveEvent).type));
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    clearTimeout(again);
    source.close();
  };
}

/** Reads again what changed, as long as the shell is shown. */
export function useLiveEvents(): void {
  const queries = useQueryClient();
  useEffect(() => follow(queries), [queries]);
}
