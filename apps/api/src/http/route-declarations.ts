import { Injectable, RequestMethod, type OnApplicationBootstrap, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { ACCESS, PERSON_ONLY, ROLES, type Access } from './access.js';

/** One route as its controller declares it. */
export interface RouteDeclaration {
  readonly controller: string;
  readonly handler: string;
  readonly method: string;
  readonly path: string;
  readonly access: Access;
  readonly personOnly: boolean;
  readonly roles: readonly string[];
}

/** RouteParamtypes.BODY of Nest, an internal enum. */
const BODY = '3';

/**
 * Default deny: refuses to start while any route declares no scope, or takes a body that no schema describes.
 */
@Injectable()
export class RouteDeclarations implements OnApplicationBootstrap {
  readonly #discovery: DiscoveryService;
  readonly #scanner: MetadataScanner;

  constructor(discovery: DiscoveryService, scanner: MetadataScanner) {
    this.#discovery = discovery;
    this.#scanner = scanner;
  }

  onApplicationBootstrap(): void {
    this.all();
  }

  /**
   * Every route of the application.
   *
   * @throws {Error} naming each undeclared one.
   */
  all(): RouteDeclaration[] {
    const routes: RouteDeclaration[] = [];
    const undeclared: string[] = [];
    for (const { metatype } of this.#discovery.getControllers()) {
      if (typeof metatype !== 'function') continue;
      // The prototype of a class is an object.
      for (const handler of this.#scanner.getAllMethodNames(metatype.prototype as object)) {
        // Nest lists the classes of controllers alone.
        const found = declarationsOf(metatype as Type<object>, handler);
        if (typeof found === 'string') undeclared.push(found);
        else routes.push(...found);
      }
    }
    if (undeclared.length > 0) throw new Error(`The application does not start: ${undeclared.join('; ')}.`);
    return routes;
  }

  /**
   * Refuses routes that were registered past the controllers, where no guard stands before them.
   *
   * @param served every route the HTTP server answers, as method and path template.
   */
  requireControllers(served: readonly { readonly method: string; readonly path: string }[]): void {
    const known = new Set(this.all().map(({ method, path }) => `${method} ${path}`));
    const strays = served.filter(({ method, path }) => method !== 'HEAD' && !known.has(`${method} ${path}`));
    if (strays.length === 0) return;
    throw new Error(
      `The application does not start: no controller declares ${strays.map(({ method, path }) => `${method} ${path}`).join(', ')}.`,
    );
  }
}

/** The declarations of a method, one a path, none for a method that is no route; or the mistake in its decorators. */
function declarationsOf(controller: Type<object>, handler: string): RouteDeclaration[] | string {
  // The prototype of a class is an object.
  const method = (controller.prototype as Record<string, unknown>)[handler];
  if (typeof method !== 'function') return [];
  // Nest's decorators of methods store it so.
  const verb = Reflect.getMetadata(METHOD_METADATA, method) as RequestMethod | undefined;
  if (verb === undefined) return [];
  const name = `${controller.name}.${handler}`;
  // Our decorators store it so.
  const access = Reflect.getMetadata(ACCESS, method) as Access | undefined;
  if (access === undefined) return `${name} declares no scope and is not @Public()`;
  const personOnly = Reflect.getMetadata(PERSON_ONLY, method) === true;
  // Our decorators store them so.
  const roles = (Reflect.getMetadata(ROLES, method) as readonly string[] | undefined) ?? [];
  if (access.kind === 'public' && (personOnly || roles.length > 0))
    return `${name} is @Public() and asks for a person or role`;
  // Nest's decorators of parameters store them so.
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {}) as Record<
    string,
    { schema?: unknown }
  >;
  const bare = Object.entries(parameters).some(
    ([key, parameter]) => key.startsWith(`${BODY}:`) && parameter.schema === undefined,
  );
  if (bare) return `${name} takes a body without a schema`;
  const [prefix = ''] = pathsOf(controller);
  return pathsOf(method).map((own) => ({
    controller: controller.name,
    handler,
    method: RequestMethod[verb],
    path: `/${[prefix, own].filter((part) => part !== '').join('/')}`,
    access,
    personOnly,
    roles,
  }));
}

const pathsOf = (target: object): string[] => {
  // Nest's decorators store them so.
  const paths = Reflect.getMetadata(PATH_METADATA, target) as string | string[] | undefined;
  return [paths ?? ''].flat().map((path) => path.replace(/^\/+|\/+$/g, ''));
};
