import type { TenantId } from '#lib/kernel';
import { relyingPartyOf } from '#lib/mfa';

/** The addresses of this installation that an issuer has to know. */
export class SignInAddresses {
  /** @param publicUrl where Countersign is reached, without a slash at the end. */
  constructor(private readonly publicUrl: string) {}

  /** Whether browsers keep a browser session's cookie for it: over TLS, or on this machine by name or address. */
  get keepsBrowserSessions(): boolean {
    const { protocol, hostname } = new URL(this.publicUrl);
    return protocol === 'https:' || /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  }

  /** The addresses of our pages: the public address, and that of the same machine that browsers give passkeys to. */
  get origins(): readonly string[] {
    const party = relyingPartyOf(this.publicUrl);
    return [new URL(this.publicUrl).origin, ...(party === null ? [] : [party.origin])];
  }

  /**
   * The address to which an issuer sends browsers back. Each has an address of its own. So no issuer passes the answer
   * of another one off as its own (RFC 9700 section 4.4.2).
   *
   * @param name of the issuer within its tenant.
   */
  redirectUri(tenantId: TenantId, name: string): string {
    return `${this.publicUrl}/sign-in/callback/${tenantId}/${name}`;
  }

  /** The link of an invitation: its secret stands in the fragment, which no browser sends. */
  invitationUrl(token: string): string {
    const { pathname } = new URL(this.publicUrl);
    // Of the addresses of one machine, the one that browsers give passkeys to.
    const origin = relyingPartyOf(this.publicUrl)?.origin ?? new URL(this.publicUrl).origin;
    return `${origin}${pathname.replace(/\/$/, '')}/invitation#${token}`;
  }

  /** The address to which an issuer sends browsers after they signed out there. */
  get signedOutUri(): string {
    return `${this.publicUrl}/welcome`;
  }

  /**
   * The audience that access tokens for a tenant's API have to name (RFC 8707). It is the tenant's own, so that two
   * tenants with the same issuer never take each other's tokens.
   */
  audienceOf(tenantId: TenantId): string {
    return `${this.publicUrl}/tenants/${tenantId}`;
  }

  /** The tenant that an audience names, whether or not there is one; null for any other audience. */
  tenantOf(audience: string): string | null {
    const before = `${this.publicUrl}/tenants/`;
    return audience.startsWith(before) ? audience.slice(before.length) : null;
  }

  /** The slug of the tenant whose MCP endpoint an audience is, whether or not there is one. Null for any other audience. */
  slugOf(audience: string): string | null {
    const before = `${this.publicUrl}/t/`;
    if (!audience.startsWith(before)) return null;
    return /^([a-z0-9-]{1,63})\/mcp$/.exec(audience.slice(before.length))?.[1] ?? null;
  }
}
