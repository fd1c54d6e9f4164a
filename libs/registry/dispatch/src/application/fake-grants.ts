import type { Result } from '#lib/kernel';
import { type SampleTenant, sampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { createGrants } from '../create-dispatch.js';
import { FakeGrantKeyStore } from './fake-grant-key.store.js';
import { FakeGrantRepository } from './fake-grant.repository.js';
import { sampleOrder } from './fake-grant.js';
import type { DispatchOrder } from './tool-dispatcher.port.js';

/** The use cases of grants over fakes, with one clock. */
export class FakeGrants {
  readonly uow = new FakeUnitOfWork();
  readonly tenant: SampleTenant = sampleTenant();
  readonly repository = new FakeGrantRepository(this.uow);
  readonly keys = new FakeGrantKeyStore(this.uow);
  /** The time that passes for this process alone, in milliseconds. */
  passedMs = 0;
  readonly #parts = createGrants({
    uow: this.uow,
    rows: { grants: this.repository, grantKeys: this.keys },
    issuer: 'https://countersign.example',
    monotonicMs: () => this.uow.now + this.passedMs,
  });
  readonly keyring = this.#parts.keys;
  readonly issue = this.#parts.issue;
  readonly redeem = this.#parts.redeem;
  readonly revoke = this.#parts.revoker;

  /** A grant of the tenant's. */
  async granted(changes: Partial<DispatchOrder> = {}): Promise<string> {
    const grant = await this.issue.execute(sampleOrder(this.tenant, changes));
    if (grant === null) throw new Error('no grant was issued');
    return grant;
  }

  /** The result of a redemption: `ok`, or the code of the refusal. */
  async redeemed(
    grant: string,
    server: { readonly audience?: string; readonly environment?: string } = {},
  ): Promise<string> {
    const result: Result<unknown> = await this.redeem.execute(grant, {
      audience: 'fleet',
      environment: 'production',
      ...server,
    });
    return result.ok ? 'ok' : result.error.code;
  }
}

/** The claims of a grant, unchecked. */
export const claimsOf = (grant: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(grant.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
