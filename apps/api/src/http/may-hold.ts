import { RouteConfig } from '@nestjs/platform-fastify';
import type { RouteOptions } from 'fastify';

/** Declares that a route may hold its answer for so many seconds. These seconds come on top of the time that a handler has. */
export const MayHold = (seconds: number): MethodDecorator & ClassDecorator => RouteConfig({ holdsSeconds: seconds });

/** The time limit of a route's handler; undefined for that of every route. */
export function timeLimitOf({ config }: RouteOptions, handlerTimeoutMs: number): number | undefined {
  const { holdsSeconds: holds }: { readonly holdsSeconds?: number } = config ?? {};
  return holds === undefined ? undefined : handlerTimeoutMs + holds * 1_000;
}
