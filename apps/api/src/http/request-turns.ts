import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairTurns, type EndTurn } from '#lib/database';
import { FailureError, type Failure, type TenantId } from '#lib/kernel';
import { sourceOf } from './failed-attempts.js';
import { REQUEST_TURNS, STRANGER_TURNS } from './http.tokens.js';
import { readLongBody } from './incoming-body.js';
import { RecentCredentials } from './recent-credentials.js';
import { untilGone } from './until-gone.js';

/** How many requests of one tenant, or of the strangers of one network, wait for their turn, and how long. */
const WAITING_OF_TENANT = 200;
const TURN_WITHIN_MS = 10_000;

/** The turns of a process that works on so many requests at once. */
export const requestTurns = (atOnce: number): FairTurns =>
  new FairTurns({ atOnce, waitingOfTenant: WAITING_OF_TENANT, waitMs: TURN_WITHIN_MS });

/** The part of those turns, and the fewest, for look-ups for strangers, which cost a few milliseconds each. */
const STRANGERS = 1 / 4;
const MIN_STRANGERS = 4;

/** The turns for look-ups for strangers, by network, in a process that works on so many requests at once. */
export const strangerTurns = (atOnce: number): FairTurns<string> =>
  new FairTurns({
    atOnce: Math.max(MIN_STRANGERS, Math.floor(atOnce * STRANGERS)),
    waitingOfTenant: WAITING_OF_TENANT,
    waitMs: TURN_WITHIN_MS,
  });

const turns = new WeakMap<FastifyRequest, EndTurn>();

/** Lets the next request of the tenant have its turn. For an answer that lasts, such as a stream of events. */
export const endTurn = (request: FastifyRequest): void => turns.get(request)?.();

/**
 * The turns of requests, fair by tenant. A process works on few requests of a tenant at once while it has requests of others. So
 * a flood of one tenant delays that tenant alone (T22). A look-up for a stranger has a turn that is fair by network. A turn ends
 * with the answer, or if the client goes.
 */
@Injectable()
export class RequestTurns {
  readonly #turns: FairTurns;
  readonly #strangers: FairTurns<string>;
  /** Tenants of credentials, so that a request of a known one has its turn before its credential costs a query. */
  readonly #tenants = new RecentCredentials<TenantId>();

  constructor(@Inject(REQUEST_TURNS) turns: FairTurns, @Inject(STRANGER_TURNS) strangers: FairTurns<string>) {
    this.#turns = turns;
    this.#strangers = strangers;
  }

  /**
   * Waits for the turn of a request, if its credential was identified here before.
   *
   * @returns whether it was.
   * @throws {FailureError} `request.tenant_busy`.
   */
  async enterKnown(request: FastifyRequest, reply: FastifyReply, token: string | null): Promise<boolean> {
    const tenantId = token === null ? undefined : this.#tenants.of(token);
    if (tenantId !== undefined) await this.#enter(request, reply, tenantId);
    return tenantId !== undefined;
  }

  /** The same for a credential that was identified just now. */
  async enter(request: FastifyRequest, reply: FastifyReply, token: string | null, tenantId: TenantId): Promise<void> {
    if (token !== null) this.#tenants.remember(token, tenantId);
    await this.#enter(request, reply, tenantId);
  }

  /**
   * Waits for the turn of a look-up for anybody, among those of the network. A known browser session has it there, too: a page opens
   * for a halt while agents flood the tenant.
   *
   * @throws {FailureError} `request.network_busy`.
   */
  async enterPublic(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    hold(request, reply, await this.#strangers.take(sourceOf(request.ip), untilGone(reply.raw)), networkBusy);
  }

  async #enter(request: FastifyRequest, reply: FastifyReply, tenantId: TenantId): Promise<void> {
    // A long body arrives at the pace of the client, so it is read before the request takes a turn.
    await readLongBody(request);
    hold(request, reply, await this.#turns.take(tenantId, untilGone(reply.raw)), tenantBusy);
  }
}

function hold(request: FastifyRequest, { raw: response }: FastifyReply, end: EndTurn | null, refusal: Failure): void {
  if (end === null) throw new FailureError(refusal);
  turns.set(request, end);
  response.once('finish', end).once('close', end);
}

const tenantBusy: Failure = {
  kind: 'rate_limited',
  code: 'request.tenant_busy',
  message: 'Too many requests of your organisation wait for their turn.',
  action:
    'Wait as long as Retry-After says, and send fewer requests at the same time. Halts and break-glass still work.',
  retryAfterSeconds: 1,
};

const networkBusy: Failure = {
  kind: 'rate_limited',
  code: 'request.network_busy',
  message: 'Too many requests from your network wait for their turn.',
  action: 'Wait as long as Retry-After says, and try again.',
  retryAfterSeconds: 1,
};
