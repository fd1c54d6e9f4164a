import type { FastifyRequest } from 'fastify';
import type { Problem } from '#lib/api-schemas';

/** A request of a route of the API. */
export interface ApiCall {
  /** Values of the parameters in braces. */
  readonly path?: Readonly<Record<string, string>>;
  /** Members that are undefined are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** The Idempotency-Key. */
  readonly key?: string;
}

/** Asks routes of the API for one caller. */
export interface ApiCalls {
  /**
   * @param route as OpenAPI writes it: `GET /v1/tasks/{id}`.
   * @returns the document of the answer.
   * @throws {ApiRefusal} for every other answer than a success.
   */
  send(route: string, call?: ApiCall): Promise<unknown>;
}

/** A refusal of the API, as a problem document says it. */
export class ApiRefusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The routes that a tool declares, and no others. */
export const within = (name: string, routes: readonly string[], api: ApiCalls): ApiCalls => ({
  send: async (route, call) => {
    if (!routes.includes(route)) throw new Error(`the tool ${name} does not declare the route ${route}`);
    return api.send(route, call);
  },
});

/** The same routes; each that creates something is asked under this key. */
export const underKey = (key: string, api: ApiCalls): ApiCalls => ({
  send: (route, call) => api.send(route, route.startsWith('POST ') ? { ...call, key } : call),
});

/**
 * The routes of this API for the caller of a request, within this process. Each passes the guard, the limits and the schemas
 * as it does over the network, with the Authorization header of the caller and nothing else of theirs.
 */
export const apiCallsOf = ({ server, headers, ip, id }: FastifyRequest): ApiCalls => ({
  send: async (route, { path = {}, query = {}, body, key } = {}) => {
    const [method = '', template = ''] = route.split(' ');
    const url = template.replace(/\{([^}]+)\}/g, (_whole, name: string) => encodeURIComponent(path[name] ?? ''));
    const given = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const answer = await server.inject({
      method: method as 'GET' | 'POST',
      url: given.length === 0 ? url : `${url}?${new URLSearchParams(given).toString()}`,
      remoteAddress: ip,
      headers: {
        authorization: headers.authorization ?? '',
        'x-request-id': id,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    const document: unknown = answer.payload === '' ? null : JSON.parse(answer.payload);
    if (answer.statusCode >= 300) throw new ApiRefusal(document as Problem);
    return document;
  },
});
