/** The addresses that MCP clients are told. */
export class McpAddresses {
  /** @param publicUrl where Countersign is reached, without a slash at the end. */
  constructor(private readonly publicUrl: string) {}

  /** The endpoint of a tenant, which is the resource that OAuth tokens are for. */
  endpoint(slug: string): string {
    return `${this.publicUrl}/t/${encodeURIComponent(slug)}/mcp`;
  }

  /** The metadata of that resource (RFC 9728, 3.1). */
  metadata(slug: string): string {
    const { origin, pathname } = new URL(this.endpoint(slug));
    return `${origin}/.well-known/oauth-protected-resource${pathname}`;
  }

  /** The page on which people answer an approval request. */
  requestPage(id: string): string {
    return `${this.publicUrl}/requests/${id}`;
  }
}
