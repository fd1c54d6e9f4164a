import type { INestApplication, Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { RouteDeclarations } from '../../apps/api/src/http/route-declarations.js';

interface DescribedRoute {
  readonly name: string;
  readonly method: string;
  readonly path: RegExp;
  readonly parameters: number;
  readonly statuses: readonly string[];
}

/** The document itself, which does not describe its own route. */
const DESCRIPTION = '/v1/openapi.json';
/** The metadata of @nestjs/swagger with the answers of a route, by status. */
const RESPONSES = 'swagger/apiResponse';

/**
 * Refuses an answer whose status the API's description of its route lacks: tests see most answers. Errors are left out, since the
 * description gives each route the same ones.
 */
export function describedStatus(app: INestApplication): (method: string, url: string, status: number) => void {
  let routes: readonly DescribedRoute[] | undefined;
  return (method, url, status) => {
    if (status >= 400) return;
    routes ??= describedRoutes(app);
    const path = url.split('?')[0] ?? '';
    const route = routes.find((one) => one.method === method && one.path.test(path));
    if (route === undefined && path.startsWith('/v1/') && path !== DESCRIPTION)
      throw new Error(`no description has ${method} ${path}`);
    if (route !== undefined && !route.statuses.includes(String(status)))
      throw new Error(`${route.name} answered ${String(status)}, and its description has ${route.statuses.join(', ')}`);
  };
}

/** Those with the fewest parameters come first: `/v1/people/me` is nearer than `/v1/people/:id`. */
function describedRoutes(app: INestApplication): readonly DescribedRoute[] {
  const controllers = new Map(
    app
      .get(DiscoveryService)
      .getControllers()
      .map(({ metatype }) => [(metatype as Type<object>).name, metatype as Type<Record<string, object>>]),
  );
  return app
    .get(RouteDeclarations)
    .all()
    .flatMap(({ controller, handler, method, path }) => {
      const declared: unknown = controllers.get(controller)?.prototype[handler];
      const responses = Reflect.getMetadata(RESPONSES, declared as object) as object | undefined;
      if (responses === undefined) return [];
      const parameters = [...path.matchAll(/:\w+/g)].length;
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`);
      return [
        { name: `${controller}.${handler}`, method, path: pattern, parameters, statuses: Object.keys(responses) },
      ];
    })
    .toSorted((one, other) => one.parameters - other.parameters);
}
