import {
  actorOf,
  err,
  ok,
  type AuditSink,
  type PersonPrincipal,
  type Result,
  type Scope,
  type UnitOfWork,
} from '#lib/kernel';
import { expiryAfter } from '../domain/lifetime.js';
import { DEFAULT_SCOPES, requireWithin, scopesOpenTo } from '../domain/scopes.js';
import type { MintCredential, MintedCredential } from './mint-credential.js';
import type { TokenAllowance } from './token-allowance.js';

/** A person mints a further token for themselves. It is never wider than the credential that mints it, nor than their roles. */
export class MintOwnToken {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly mint: MintCredential,
    private readonly allowance: TokenAllowance,
    private readonly audit: AuditSink,
  ) {}

  async execute(
    by: PersonPrincipal,
    wanted: {
      readonly name: string;
      readonly scopes?: readonly Scope[] | undefined;
      readonly expiresInDays?: number | undefined;
    },
  ): Promise<Result<MintedCredential>> {
    const open = scopesOpenTo(by.roles.map(({ role }) => role)).filter((scope) => by.scopes.includes(scope));
    const scopes = requireWithin(
      wanted.scopes ?? DEFAULT_SCOPES,
      open,
      'neither your roles nor the credential you use for this may be exceeded',
    );
    if (!scopes.ok) return scopes;
    return this.uow.run(by.tenantId, async (tx) => {
      const now = await tx.now();
      const expiry = expiryAfter(now, 'token', wanted.expiresInDays);
      if (!expiry.ok) return err(expiry.error);
      const holder = { kind: 'person_token', personId: by.personId } as const;
      const allowed = await this.allowance.require(tx, by, holder);
      if (!allowed.ok) return allowed;
      const minted = await this.mint.execute(tx, {
        holder,
        name: wanted.name,
        scopes: scopes.value,
        createdBy: by.personId,
        now,
        expiresAt: expiry.value,
      });
      await this.audit.record(tx, {
        action: 'credential.minted',
        actor: actorOf(by),
        level: 'full',
        subject: { type: 'credential', id: minted.credential.id },
        payload: { kind: 'person_token', name: wanted.name, scopes: scopes.value, expires_at: expiry.value },
      });
      return ok(minted);
    });
  }
}
