import type { QueryKey } from '@tanstack/react-query';
import { addressOf, filledPath, type AnswerTo, type CallsOf, type PathOf, type SentCall } from '#lib/client';
import { api } from './client.js';

type Call = SentCall & { readonly path?: Readonly<Record<string, string | number>> };

/** The key of a query: the path as the API names it, and the address that its parameters come to. */
export const keyOf = (path: PathOf<'get'>, { path: parameters, query }: Call = {}): QueryKey => [
  path,
  addressOf(filledPath(path, parameters), query),
];

/** The query that reads a path of the API. */
export function queryOf<P extends PathOf<'get'>>(path: P, ...call: CallsOf<'get', P>) {
  return {
    queryKey: keyOf(path, ...call),
    queryFn: (): Promise<AnswerTo<'get', P>> => api.get(path, ...call),
  };
}

/** The address of a document that the browser downloads by itself. */
export const hrefOf = (path: PathOf<'get'>, query: SentCall['query']): string => addressOf(path, query);
