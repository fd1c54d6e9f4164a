import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

/** Declares that a browser that a route refuses is sent to this page of the web UI, which says why. Others get the problem as it is. */
export const ProblemsOn = (page: string): MethodDecorator => RouteConfig({ problemPage: page });

/** Where to send the browser, with the code of the problem alone; null if the caller gets the problem as it is. */
export function problemPageOf({ routeOptions, headers }: FastifyRequest, code: string): string | null {
  const { problemPage: page } = routeOptions.config as { readonly problemPage?: string };
  if (page === undefined || headers.accept?.includes('text/html') !== true) return null;
  return `${page}?${new URLSearchParams({ problem: code }).toString()}`;
}
