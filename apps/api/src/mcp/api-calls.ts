import type { FastifyRequest } from 'fastify';
import { problemSchema, type Problem } from '#lib/api-schemas';
import { addressOf, filledPath, type AnswerTo, type CallOf, type PathOf, type SentCall } from '#lib/client';

/** Each route that a tool can ask, by its name in OpenAPI, with its call and its answer. */
type Routes = {
  readonly [P in PathOf<'get'> as `GET ${P}`]: { readonly call: CallOf<'get', P>; readonly answer: AnswerTo<'get', P> };
} & {
  readonly [P in PathOf<'post'> as `POST ${P}`]: {
    readonly call: CallOf<'post', P>;
    readonly answer: AnswerTo<'post', P>;
  };
};

/** A route as OpenAPI writes it: `GET /v1/tasks/{id}`. */
export type Route = keyof Routes;

/** The answer of a route. */
export type AnswerOf<R extends Route> = Routes[R]['answer'];

interface Keyed {
  /** The Idempotency-Key. */
  readonly key?: string;
}

/** A call of a route, whichever it is. */
export interface ApiCall extends SentCall, Keyed {
  /** Values of the parameters in braces. */
  readonly path?: Readonly<Record<string, string>>;
}

/** Asks routes of the API for one caller. */
export interface ApiCalls {
  /**
   * @returns the document of the answer.
   * @throws {ApiRefusal} for every other answer than a success.
   */
  send<R extends Route>(route: R, call: Routes[R]['call'] & Keyed): Promise<AnswerOf<R>>;
}

/** A refusal of the API, as a problem document says it. */
export class ApiRefusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.detail);
  }
}

/** The typed routes over a function that asks them. */
export const routesThrough = (ask: (route: Route, call: ApiCall) => Promise<unknown>): ApiCalls => ({
  // An answer of this process has the shape that its route declares; T64 compares the two.
  send: ask as ApiCalls['send'],
});

/** The routes that a tool declares, and no others. */
export const within = (name: string, routes: readonly Route[], api: ApiCalls): ApiCalls => ({
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
 * The routes of this API for the caller of a request, within this process. Each passes the guard, the limits and the schemas as
 * it does over the network. It carries the Authorization header of the caller and nothing else of theirs.
 */
export const apiCallsOf = ({ server, headers, ip, id }: FastifyRequest): ApiCalls =>
  routesThrough(async (route, { path, query, body, key }) => {
    const [method, template = ''] = route.split(' ');
    const answer = await server.inject({
      method: method === 'GET' ? 'GET' : 'POST',
      url: addressOf(filledPath(template, path), query),
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
    if (answer.statusCode >= 300) throw new ApiRefusal(problemSchema.parse(document));
    return document;
  });
