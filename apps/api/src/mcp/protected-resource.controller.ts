import { Controller, Get, Param } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { FindTenant, ReadSignInSettings } from '#lib/sign-in';
import { PublicLook } from '../http/index.js';
import { McpAddresses } from './mcp-addresses.js';

/** The metadata of a protected resource (RFC 9728, 2). */
interface ProtectedResource {
  readonly resource: string;
  readonly resource_name: string;
  readonly bearer_methods_supported: readonly string[];
  readonly authorization_servers?: readonly string[];
}

/** Tells OAuth clients which issuers give tokens for the MCP endpoint of a tenant. Without one, API tokens open it. */
@ApiExcludeController()
@Controller('.well-known/oauth-protected-resource/t/:slug/mcp')
export class ProtectedResourceController {
  constructor(
    private readonly tenants: FindTenant,
    private readonly settings: ReadSignInSettings,
    private readonly addresses: McpAddresses,
  ) {}

  /** For a tenant that is not there as for one without issuers. */
  @Get()
  @PublicLook()
  async get(@Param('slug') slug: string): Promise<ProtectedResource> {
    const tenantId = await this.tenants.execute(slug);
    const issuers = tenantId === null ? [] : (await this.settings.execute(tenantId)).issuers;
    // The access tokens of the others open no route.
    const servers = issuers.filter(({ bearerScopes }) => bearerScopes.length > 0).map(({ url }) => url);
    return {
      resource: this.addresses.endpoint(slug),
      resource_name: 'Countersign',
      bearer_methods_supported: ['header'],
      ...(servers.length === 0 ? {} : { authorization_servers: servers }),
    };
  }
}
