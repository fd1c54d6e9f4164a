import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

/** The parameters of the request's query that go to the page, too. */
type Kept = z.ZodType<Readonly<Record<string, string | undefined>>>;

/**
 * A browser that the route refuses goes to this page of the web UI, which explains the problem. Other callers get the problem as JSON.
 *
 * @param kept if it is absent, or the query does not fit it, the page gets the code alone.
 */
export const ProblemsOn = (page: string, kept?: Kept): MethodDecorator =>
  RouteConfig({ problemPage: page, keptOnProblemPage: kept });

/** The page's address with the code of the problem; null if the caller gets the problem as JSON. */
export function problemPageOf({ routeOptions, headers, query }: FastifyRequest, code: string): string | null {
  // `ProblemPage` declares both members, and nothing else does.
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
