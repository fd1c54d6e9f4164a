import { createPrivateKey, type KeyObject, randomUUID, sign } from 'node:crypto';
import { GRANT_JWS_TYPE, type GrantClaims } from '#lib/formats';
import type { Tx, UnitOfWork } from '#lib/kernel';
import { GRANT_LIFETIME_SECONDS } from '../domain/grant.js';
import type { GrantRepository, SigningKey } from './grant.ports.js';
import type { GrantKeyring } from './grant-keyring.js';
import type { GrantAhead, GrantOrder } from './tool-dispatcher.port.js';

/** A grant's id and times, epoch milliseconds. */
type Issued = Pick<GrantAhead, 'id' | 'issuedAt' | 'expiresAt'>;

/** So long after its transaction began, a call leaves only if it is asked again whether it may. */
const FRESH_MS = 1_000;

/** Issues the grant of one dispatch: a row to redeem once, and the compact EdDSA JWS that names it. */
export class IssueGrant {
  #signing: { readonly key: SigningKey; readonly object: KeyObject; readonly header: string } | null = null;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly grants: GrantRepository,
    private readonly keyring: GrantKeyring,
    private readonly issuer: string,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /**
   * Writes the row of a call's grant in the transaction that commits the call. Its locks are those by which a halt
   * either sees the grant or is seen. So the call leaves without another round trip.
   *
   * @param since the time of the call, by the database's clock, and `until` the end of its lease: epoch milliseconds.
   */
  async ahead(
    tx: Tx,
    order: GrantOrder,
    { since, until }: { readonly since: number; readonly until: number },
  ): Promise<GrantAhead> {
    const expiresAt = Math.min(since + GRANT_LIFETIME_SECONDS * 1_000, until);
    const issued = { id: randomUUID(), issuedAt: since, expiresAt };
    await this.grants.insert(tx, issued, order);
    return { ...issued, freshUntil: this.monotonicMs() + Math.min(FRESH_MS, (until - since) / 2) };
  }

  /**
   * Signs the grant that was written with the call. A call that stood still, or lacks such a grant, gets a new one if
   * it may still leave. A crash of the database may lose the new row. A grant that is not there is refused when it is
   * redeemed, so nothing waits for the disk here.
   *
   * @returns null if the call may not leave any more: its time is over, or a halt came before it.
   */
  async execute(order: GrantOrder): Promise<string | null> {
    const key = await this.keyring.current();
    const { ahead } = order;
    const issued =
      ahead !== undefined && this.monotonicMs() < ahead.freshUntil
        ? ahead
        : await this.uow.run(order.tenantId, (tx) => this.#issue(tx, order), 'losable');
    return issued === null ? null : this.#sign(key, order, issued);
  }

  /**
   * The grant of a call that its executor fetches. It is issued at the first question, and is the same one afterwards.
   * A lost answer costs nothing, and two cannot be redeemed for one call.
   *
   * @param id the grant's jti.
   * @returns null as above, and if it was revoked.
   */
  async fetch(order: GrantOrder, id: string): Promise<{ readonly grant: string; readonly expiresAt: number } | null> {
    const key = await this.keyring.current();
    const issued = await this.uow.run(order.tenantId, async (tx): Promise<Issued | null> => {
      // This locks the call. Of two that fetch its grant, one issues it, and a report locks in the same order.
      const until = await leavesUntil(tx, order);
      if (until === null) return null;
      const before = await this.grants.lock(tx, id);
      if (before === null) return this.#insert(tx, order, { id, until, now: await tx.now() });
      return before.revokedAt === null ? before : null;
    });
    return issued === null ? null : { grant: this.#sign(key, order, issued), expiresAt: issued.expiresAt };
  }

  /** Whether a grant of this id was ever issued. */
  async wasIssued(tx: Tx, id: string): Promise<boolean> {
    return (await this.grants.lock(tx, id)) !== null;
  }

  async #issue(tx: Tx, order: GrantOrder): Promise<Issued | null> {
    // Sent together: the clock is read after the lock.
    const [until, now] = await Promise.all([leavesUntil(tx, order), tx.now()]);
    return until === null ? null : this.#insert(tx, order, { id: randomUUID(), until, now });
  }

  async #insert(
    tx: Tx,
    order: GrantOrder,
    { id, until, now }: { readonly id: string; readonly until: number; readonly now: number },
  ): Promise<Issued | null> {
    if (until <= now) return null;
    const issued = { id, issuedAt: now, expiresAt: Math.min(now + GRANT_LIFETIME_SECONDS * 1_000, until) };
    await this.grants.insert(tx, issued, order);
    return issued;
  }

  /**
   * The claims as a compact JWS (RFC 7515, section 7.1) with an Ed25519 signature (RFC 8037, section 3.1). Node signs at once. A library
   * that signs by WebCrypto does it in another thread, and takes twice the CPU.
   */
  #sign(key: SigningKey, order: GrantOrder, { id, issuedAt, expiresAt }: Issued): string {
    const claims: GrantClaims = {
      iss: this.issuer,
      aud: order.executor.audience,
      iat: Math.floor(issuedAt / 1_000),
      exp: Math.floor(expiresAt / 1_000),
      jti: id,
      tenant: order.tenantId,
      environment: order.environment,
      basis: order.basis,
      source: order.source,
      step: order.step,
      attempt: order.attempt,
      tool: order.tool.name,
      tool_version: order.tool.version,
      arguments_digest: order.argumentsDigest,
      plan_digest: order.planDigest,
      shell: grantedLine(order.shell),
      ...(order.onRunner === undefined ? {} : { mcp: order.onRunner }),
      ...(order.session === undefined ? {} : { session: order.session }),
    };
    const { object, header } = this.#imported(key);
    const signed = `${header}.${encoded(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), object).toString('base64url')}`;
  }

  /**
   * The key as Node signs with it, and the header that names it. They are made once, as long as the keyring gives the
   * same key.
   */
  #imported(key: SigningKey): { readonly object: KeyObject; readonly header: string } {
    if (this.#signing?.key !== key) {
      const object = createPrivateKey({ key: Buffer.from(key.privateKey), format: 'der', type: 'pkcs8' });
      this.#signing = { key, object, header: encoded({ alg: 'EdDSA', typ: GRANT_JWS_TYPE, kid: key.kid }) };
    }
    return this.#signing;
  }
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** An order may hold the whole verdict, and the claims are strict. */
const grantedLine = (line: GrantOrder['shell']): GrantClaims['shell'] =>
  line && { shell: line.shell, tier: line.tier, tree: line.tree };

const leavesUntil = (tx: Tx, { mayLeaveUntil }: GrantOrder): Promise<number | null> =>
  mayLeaveUntil === undefined ? Promise.resolve(Infinity) : mayLeaveUntil(tx);
