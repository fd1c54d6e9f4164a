import type { paths } from './api.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: M extends keyof paths[P] ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = M extends keyof paths[P] ? paths[P][M] : never;

type DocumentOf<Response> = Response extends { content: infer Content }
  ? Content extends { 'application/json': infer Document } | { 'application/schema+json': infer Document }
    ? Document
    : string
  : undefined;

/** The document that a path answers with: one type for every status that is no refusal. */
export type AnswerTo<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses }
    ? { [Status in keyof Responses]: DocumentOf<Responses[Status]> }[keyof Responses]
    : never;

/** The document that a path takes. Arrays may be readonly, and an optional member may be undefined. */
export type BodyOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody: { content: { 'application/json': infer Document } } }
    ? Sendable<Document>
    : undefined;

type Sendable<T> = T extends readonly (infer Item)[]
  ? readonly Sendable<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: object extends Pick<T, K> ? Sendable<T[K]> | undefined : Sendable<T[K]> }
    : T;

/** A filter with the value empty, null or undefined is left out. */
type Filter<T> = { readonly [K in keyof T]?: T[K] | '' | null | undefined };

type Parameters<Op> = Op extends { parameters: { path: infer Path } } ? { readonly path: Path } : unknown;
type Query<Op> = Op extends { parameters: { query?: infer Filters } } ? { readonly query?: Filter<Filters> } : unknown;
type Body<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody: { content: infer Content } }
    ? | ('application/json' extends keyof Content ? { readonly body: BodyOf<M, P> } : never)
      | ('application/yaml' extends keyof Content ? { readonly yaml: string } : never)
    : unknown;

/** Everything that a call of a path says beside the path. */
export type CallOf<M extends Method, P extends PathOf<M>> = Parameters<Operation<M, P>> &
  Query<Operation<M, P>> &
  Body<M, P> & { readonly ifMatch?: string | undefined };

/** The call of a path, which may be left out if the path needs none. */
export type CallsOf<M extends Method, P extends PathOf<M>> =
  object extends CallOf<M, P> ? [call?: CallOf<M, P>] : [call: CallOf<M, P>];

/** A call as it is sent, its parameters in the path. */
export interface SentCall {
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: unknown;
  readonly yaml?: string;
  readonly ifMatch?: string | undefined;
}

/** The API, by method and path. */
export type Calls = {
  readonly [M in Method]: <P extends PathOf<M>>(path: P, ...call: CallsOf<M, P>) => Promise<AnswerTo<M, P>>;
};

/** The path with its parameters in place. */
export const filledPath = (path: string, parameters: Readonly<Record<string, string | number>> = {}): string =>
  path.replaceAll(/\{([^}]+)\}/g, (_whole, name: string) => {
    const value = parameters[name];
    if (value === undefined) throw new TypeError(`${path} needs its parameter ${name}`);
    return encodeURIComponent(value);
  });

/** The address of a call: parameters in the path, filters behind it. */
export function addressOf(path: string, query: SentCall['query'] = {}): string {
  const filters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') filters.set(name, String(value));
  return filters.size === 0 ? path : `${path}?${filters.toString()}`;
}

/**
 * The typed calls over a transport.
 *
 * @param send sends one call, and returns the parsed document of its answer, undefined if it has none.
 */
export function callsThrough(send: (method: string, path: string, call: SentCall) => Promise<unknown>): Calls {
  const by =
    (method: string) =>
    (path: string, { path: parameters, ...call }: SentCall & { path?: Readonly<Record<string, string>> } = {}) =>
      send(method, filledPath(path, parameters), call);
  // The one place that takes an answer for the shape that its description promises; T64 compares the two.
  return { get: by('GET'), post: by('POST'), put: by('PUT'), patch: by('PATCH'), delete: by('DELETE') } as Calls;
}

/** A page of a list. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

/** The filters that name a page of a list. */
export interface PageFilter {
  readonly limit: number;
  readonly cursor: string | null;
}

/** Every item of a list, in its order: reads a page if the items before it were taken. */
export async function* itemsOf<Item>(
  read: (page: PageFilter) => Promise<PageOf<Item>>,
  limit = 200,
): AsyncGenerator<Item, void> {
  let cursor: string | null = null;
  do {
    const page: PageOf<Item> = await read({ limit, cursor });
    yield* page.items;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
