import { isIPv6 } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { FailureError } from '#lib/kernel';
import { Lane } from './lane.js';
import { RecentCredentials } from './recent-credentials.js';

const WINDOW_MS = 60_000;
const MAX_FAILURES = 30;
const MAX_ADDRESSES = 10_000;
/** How long a refusal is held back at least, and how many at once: each is one timer. */
const HOLD_MS = 1_000;
const MAX_HELD = 1_000;
/** Look-ups at once for all suspect addresses together: a flood of them leaves the database to the others. */
const LANE_WIDTH = 8;
/** The same for halts and break-glass, which wait for no flood of anything else. */
const EMERGENCY_LANE_WIDTH = 4;

interface Failures {
  readonly since: number;
  count: number;
}

/**
 * The ways to present a credential. They are a request, a request in an emergency, and an exchange of a one-time token or a
 * signature.
 */
export type AttemptKind = 'credential' | 'emergency' | 'exchange';

/**
 * Slows down bad credentials, and them alone (T40). The credential is looked up first. An address with many failures within a
 * minute is suspect. Its next failures are answered a second later, and its look-ups share a narrow lane. A good credential is
 * never refused for its address. A proxy or an office is one address for many people. A credential that proved good here before
 * waits for no lane. It is no guess, since only its holder has it. Emergencies have a lane of their own, a narrower one. It is
 * for a credential that this process sees for the first time. A bad one costs the same there as elsewhere.
 *
 * Tokens carry 256 random bits, so this protects the database from the look-ups, not the tokens from being guessed. It is
 * counted in each process, and memory is bounded: the oldest address is forgotten first.
 */
@Injectable()
export class FailedAttempts {
  readonly #byAddress = new Map<string, Failures>();
  readonly #lanes: Readonly<Record<AttemptKind, Lane>> = {
    credential: new Lane(LANE_WIDTH),
    emergency: new Lane(EMERGENCY_LANE_WIDTH),
    exchange: new Lane(LANE_WIDTH),
  };
  /** Credentials that proved good. */
  readonly #good = new RecentCredentials<true>();
  #held = 0;

  /**
   * Makes the attempt. If its credential is bad, counts the failure, and passes it on when it is due.
   *
   * @param token the token presented; null if there is none, and for a credential that is good once.
   */
  async watch<T>(
    address: string,
    kind: AttemptKind,
    attempt: () => Promise<T>,
    token: string | null = null,
  ): Promise<T> {
    const source = sourceOf(address);
    const waits = this.#isSuspect(source) && (token === null || this.#good.of(token) === undefined);
    try {
      const done = await (waits ? this.#lanes[kind].run(attempt) : attempt());
      if (token !== null) this.#good.remember(token, true);
      return done;
    } catch (error) {
      if (!isBadCredential(error)) throw error;
      if (token !== null) this.#good.forget(token);
      this.#count(source);
      if (this.#isSuspect(source)) await this.#hold();
      throw error;
    }
  }

  #isSuspect(source: string): boolean {
    const failures = this.#byAddress.get(source);
    return failures !== undefined && failures.count > MAX_FAILURES && performance.now() - failures.since < WINDOW_MS;
  }

  #count(source: string): void {
    const now = performance.now();
    const failures = this.#byAddress.get(source);
    if (failures !== undefined && now - failures.since < WINDOW_MS) {
      failures.count += 1;
      return;
    }
    this.#byAddress.delete(source);
    this.#byAddress.set(source, { since: now, count: 1 });
    const oldest = this.#byAddress.keys().next();
    if (this.#byAddress.size > MAX_ADDRESSES && oldest.done !== true) this.#byAddress.delete(oldest.value);
  }

  async #hold(): Promise<void> {
    if (this.#held >= MAX_HELD) return;
    this.#held += 1;
    // Spread, so that those who were refused together do not come back together.
    await delay(HOLD_MS * (1 + Math.random()), undefined, { ref: false }).finally(() => (this.#held -= 1));
  }
}

/**
 * Not counted are a request without a credential and a former browser session. Nor is a credential of a tenant that signs in only
 * by its issuer.
 */
function isBadCredential(error: unknown): boolean {
  if (!(error instanceof FailureError) || error.failure.kind !== 'unauthenticated') return false;
  const { code } = error.failure;
  return (
    code !== 'credential.missing' &&
    code !== 'sign_in.issuer_only' &&
    code !== 'sign_in.not_fresh' &&
    !code.startsWith('browser_session.')
  );
}

/** One customer of a network has a /64 of IPv6 addresses (RFC 6177): they count as one. */
export function sourceOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: zeros }, () => '0'), ...after].slice(0, 4).join(':');
}
