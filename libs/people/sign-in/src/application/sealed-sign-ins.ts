import { z } from 'zod';
import type { TenantId } from '#lib/kernel';
import type { KeyWrapping, WrappedBytes } from '#lib/tenancy';

/** Size of the nonce of AES-256-GCM, in bytes. */
const NONCE_BYTES = 12;
const STATE = /^([0-9a-f-]{36})\.([a-z0-9]{1,40})\.([A-Za-z0-9_-]+)$/;

const underWaySchema = z.strictObject({
  id: z.uuid(),
  issuerId: z.uuid(),
  browserDigest: z.base64(),
  nonce: z.string(),
  codeVerifier: z.string(),
  maxAgeSeconds: z.int().nullable(),
  returnTo: z.string(),
  expiresAt: z.int(),
});

/** A browser that was sent to an issuer. Times are epoch milliseconds. */
export type SignInUnderWay = Readonly<z.infer<typeof underWaySchema>>;

/**
 * Sign-ins under way, each sealed into the state parameter that its browser comes back with. The seal is AES-256-GCM
 * under the keyring, the tenant authenticated. Beginning one therefore stores nothing, and only this installation makes
 * or reads one.
 */
export class SealedSignIns {
  readonly #keys: KeyWrapping;

  constructor(keys: KeyWrapping) {
    this.#keys = keys;
  }

  async seal(tenantId: TenantId, underWay: SignInUnderWay): Promise<string> {
    const { keyId, nonce, ciphertext } = await this.#keys.wrap(
      purpose(tenantId),
      Buffer.from(JSON.stringify(underWay), 'utf8'),
    );
    return `${tenantId}.${keyId}.${Buffer.concat([nonce, ciphertext]).toString('base64url')}`;
  }

  /** @returns null for a state that this installation did not seal, or whose key the keyring no longer has. */
  async open(state: string): Promise<{ readonly tenantId: TenantId; readonly underWay: SignInUnderWay } | null> {
    const [, tenant, keyId, sealed] = STATE.exec(state) ?? [];
    if (tenant === undefined || keyId === undefined || sealed === undefined) return null;
    // The seal below is of this tenant alone.
    const tenantId = tenant as TenantId;
    const bytes = Buffer.from(sealed, 'base64url');
    const plain = await this.#unwrap(tenantId, {
      keyId,
      nonce: bytes.subarray(0, NONCE_BYTES),
      ciphertext: bytes.subarray(NONCE_BYTES),
    });
    return plain === null
      ? null
      : { tenantId, underWay: underWaySchema.parse(JSON.parse(Buffer.from(plain).toString('utf8'))) };
  }

  async #unwrap(tenantId: TenantId, sealed: WrappedBytes): Promise<Uint8Array | null> {
    try {
      return await this.#keys.unwrap(purpose(tenantId), sealed);
    } catch {
      // Too short, changed, of another tenant or of another keyring: it was not begun here.
      return null;
    }
  }
}

/** The purpose that a state is encrypted for; authenticated with it. */
const purpose = (tenantId: TenantId): string => `sign-in:state:${tenantId}`;
