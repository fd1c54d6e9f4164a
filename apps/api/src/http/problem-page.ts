import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** The parameters of the request's query that the page is sent too. */
type Kept = z.ZodType<Readonly<Record<string, string | undefined>>>;

/**
 * Declares that a browser that a route refuses is sent to this page of the web UI, which says why. Others get the problem as it is.
 *
 * @param kept without it, and for a query that does not fit it, the page is sent the code alone.
 */
export const ProblemsOn = (page: string, kept?: Kept): MethodDecorator =>
  RouteConfig({ problemPage: page, keptOnProblemPage: kept });

/** Where to send the browser, with the code of the problem; null if the caller gets the problem as it is. */
export function problemPageOf({ routeOptions, headers, query }: FastifyRequest, code: string): string | null {
  const { problemPage: page, keptOnProblemPage: kept } = routeOptions.config as {
    readonly problemPage?: string;
    readonly keptOnProblemPage?: Kept;
  };
  if (page === undefined || headers.accept?.includes('text/html') !== true) return null;
  return pageAddress(page, { problem: code, ...kept?.safeParse(query).data });
}

export function pageAddress(page: string, shown: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(shown)) if (value !== undefined) query.set(name, value);
  return `${page}?${query.toString()}`;
}
