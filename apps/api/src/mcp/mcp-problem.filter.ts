import { Catch, Injectable, type ArgumentsHost } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FailureError } from '#lib/kernel';
import { ProblemFilter } from '../http/problem.filter.js';
import { McpAddresses } from './mcp-addresses.js';

/** Refusals of the MCP endpoint: a caller who is not known is told where tokens come from (RFC 9728, 5.1). */
@Injectable()
@Catch()
export class McpProblemFilter extends ProblemFilter {
  constructor(private readonly addresses: McpAddresses) {
    super();
  }

  override catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    // Parameters of a path are text.
    const { slug = '' } = http.getRequest<FastifyRequest>().params as { readonly slug?: string };
    if (error instanceof FailureError && error.failure.kind === 'unauthenticated') {
      const bad = error.failure.code === 'credential.missing' ? '' : ', error="invalid_token"';
      const challenge = `Bearer resource_metadata="${this.addresses.metadata(slug)}"${bad}`;
      void http.getResponse<FastifyReply>().header('www-authenticate', challenge);
    }
    super.catch(error, host);
  }
}
