import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FairPlaces, type Leave } from '#lib/database';
import { FailureError, type Failure, type TenantId } from '#lib/kernel';
import { REQUEST_PLACES } from './http.tokens.js';
import { readLongBody } from './incoming-body.js';
import { RecentCredentials } from './recent-credentials.js';
import { untilGone } from './until-gone.js';

/** How many requests of one tenant wait for their turn, and how long. */
const WAITING_OF_TENANT = 200;
const TURN_WITHIN_MS = 10_000;

/** The places of a process that works on so many requests at once. */
export const requestPlaces = (atOnce: number): FairPlaces =>
  new FairPlaces({ places: atOnce, waitingOfTenant: WAITING_OF_TENANT, waitMs: TURN_WITHIN_MS });

const turns = new WeakMap<FastifyRequest, Leave>();

/** Lets the next request of the tenant have its turn. For an answer that lasts, such as a stream of events. */
export const endTurn = (request: FastifyRequest): void => turns.get(request)?.();

/**
 * The turns of requests, fair by tenant: a process works on few requests of a tenant at once while it has requests of
 * others, so a flood of one tenant delays that tenant alone (T22). A turn ends with the answer, or if the client goes.
 */
@Injectable()
export class RequestPlaces {
  readonly #places: FairPlaces;
  /** Tenants of credentials, so that a request of a known one has its turn before its credential costs a query. */
  readonly #tenants = new RecentCredentials<TenantId>();

  constructor(@Inject(REQUEST_PLACES) places: FairPlaces) {
    this.#places = places;
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

  async #enter(request: FastifyRequest, { raw: response }: FastifyReply, tenantId: TenantId): Promise<void> {
    // A long body arrives at the pace of the client, so it is read before the request takes a place.
    await readLongBody(request);
    const leave = await this.#places.take(tenantId, untilGone(response));
    if (leave === null) throw new FailureError(busy);
    turns.set(request, leave);
    response.once('finish', leave).once('close', leave);
  }
}

const busy: Failure = {
  kind: 'rate_limited',
  code: 'request.tenant_busy',
  message: 'Too many requests of your organisation wait for their turn.',
  action:
    'Wait as long as Retry-After says, and send fewer requests at the same time. Halts and break-glass still work.',
  retryAfterSeconds: 1,
};
