import { EventEmitter } from 'node:events';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { FairTurns } from '#lib/database';
import type { BudgetRefusal } from '#lib/identity';
import {
  err,
  FailureError,
  newId,
  ok,
  type AgentPrincipal,
  type Failure,
  type PersonPrincipal,
  type Principal,
  type Scope,
  type TenantId,
} from '#lib/kernel';
import type { RequireFreshSignIn } from '#lib/sign-in';
import { passedWaits } from '../../../../test/support/passed-waits.js';
import { sampleAgent, samplePerson } from '../../../../test/support/sample-callers.js';
import { AccessGuard } from './access.guard.js';
import { Emergency, principalOf, Public, PublicLook, RequirePerson, RequireRole, RequireScope } from './access.js';
import type { Callers } from './callers.js';
import { EmergencyAllowance } from './emergency-allowance.js';
import { FailedAttempts } from './failed-attempts.js';
import { leaveUnread } from './incoming-body.js';
import { RequestTurns, requestTurns, strangerTurns } from './request-turns.js';
import { SpentCredentials } from './spent-credentials.js';

/** Those of refusals of a credential that is spent. */
const waits = passedWaits();

const tenantId = newId<TenantId>();
const person: PersonPrincipal = {
  ...samplePerson(tenantId, ['SRELead']),
  scopes: ['read', 'review', 'admin'],
  signedInAt: 1,
};
// An agent's credential never holds `review`; the guard must refuse one that does by `RequirePerson`.
const agent: AgentPrincipal = { ...sampleAgent(person), scopes: ['read', 'submit', 'review'] };
const system: Principal = { kind: 'system', tenantId, name: 'worker' };

const declared = (
  ...declarations: readonly ((target: object, key: string, descriptor: PropertyDescriptor) => unknown)[]
) => {
  const route = (): string => 'answered';
  for (const declare of declarations) declare({}, 'route', { value: route });
  return route;
};

const ROUTES = {
  undeclared: declared(),
  open: declared(Public()),
  look: declared(PublicLook()),
  read: declared(RequireScope('read')),
  submit: declared(RequireScope('submit')),
  review: declared(RequireScope('review')),
  administer: declared(RequireScope('admin')),
  byPerson: declared(RequireScope('review'), RequirePerson()),
  byRole: declared(RequireScope('read'), RequireRole('SRELead', 'SecurityReviewer')),
  byAdmin: declared(RequireScope('read'), RequireRole('PlatformAdmin')),
  halt: declared(RequireScope('read'), Emergency()),
};

const stale: Failure = { kind: 'forbidden', code: 'sign_in.not_fresh', message: 'too old', action: 'sign in' };

type Headers = Readonly<Record<string, string>>;
const BEARER: Headers = { authorization: 'token' };
const COOKIE: Headers = { cookie: '__Host-countersign=cookie' };

function contextOf(route: keyof typeof ROUTES, method: string, headers: Headers) {
  const request = { method, ip: '192.0.2.1', headers };
  // The guard reads these members of Nest's context, and no other.
  const context = {
    getHandler: () => ROUTES[route],
    switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({ raw: new EventEmitter() }) }),
  } as unknown as ExecutionContext;
  return { request, context };
}

/** A guard with `principal` as the caller, and counts of its questions. */
function guarded(
  principal: Principal,
  set: { budget?: BudgetRefusal; fresh?: Failure; turns?: FairTurns; strangers?: FairTurns<string> } = {},
) {
  const asked = { identified: 0, drawn: 0, fresh: [] as Scope[] };
  const callers: Pick<Callers, 'bearerOf' | 'identify'> = {
    bearerOf: ({ headers }) => headers.authorization ?? null,
    identify: () => {
      asked.identified += 1;
      return Promise.resolve(principal);
    },
  };
  const fresh: Pick<RequireFreshSignIn, 'execute'> = {
    execute: (_by, scope) => {
      asked.fresh.push(scope ?? 'review');
      return Promise.resolve(set.fresh === undefined ? ok(undefined) : err(set.fresh));
    },
  };
  const attempts = new FailedAttempts();
  const watched = jest.spyOn(attempts, 'watch');
  const guard = new AccessGuard(
    new Reflector(),
    callers as Callers,
    {
      take: () => {
        asked.drawn += 1;
        return Promise.resolve(set.budget ?? null);
      },
    },
    new EmergencyAllowance(),
    attempts,
    new SpentCredentials(),
    new RequestTurns(set.turns ?? requestTurns(20), set.strangers ?? strangerTurns(20)),
    fresh as RequireFreshSignIn,
  );
  const refusalOf = async (route: keyof typeof ROUTES): Promise<Failure> => {
    const error: unknown = await guard
      .canActivate(contextOf(route, 'POST', BEARER).context)
      .catch((thrown: unknown) => thrown);
    if (error instanceof FailureError) return error.failure;
    throw new Error('the request was not refused');
  };
  const call = async (route: keyof typeof ROUTES, method = 'POST', headers: Headers = BEARER): Promise<unknown> => {
    const { request, context } = contextOf(route, method, headers);
    try {
      const allowed = await guard.canActivate(context);
      return allowed && (principalOf(request as never) ?? 'nobody');
    } catch (error) {
      if (error instanceof FailureError) return error.failure.code;
      throw error;
    }
  };
  return { guard, call, refusalOf, asked, watched };
}

describe('the guard of a route', () => {
  it('refuses a route that declares nothing', async () => {
    await expect(guarded(person).call('undeclared')).rejects.toThrow('without a declared scope');
  });

  it('lets anybody call a public route, and looks at no credential', async () => {
    const { call, asked } = guarded(person);
    expect(await call('open')).toBe('nobody');
    expect(asked).toEqual({ identified: 0, drawn: 0, fresh: [] });
  });

  it('lets a look-up for anybody wait for its turn among those of the network', async () => {
    const strangers = new FairTurns<string>({ atOnce: 1, waitingOfTenant: 0, waitMs: 10_000 });
    const { call, asked } = guarded(person, { strangers });
    expect(await call('look')).toBe('nobody');
    expect([await call('look'), await call('open')]).toEqual(['request.network_busy', 'nobody']);
    expect(asked.identified).toBe(0);
    // So does one with a browser session that was identified here before. A flood of its tenant holds up no page.
    await call('read', 'GET', COOKIE);
    expect(await call('look', 'GET', COOKIE)).toBe('request.network_busy');
  });

  it('reads the rest of a long body once the caller is known, and before the request has its turn', async () => {
    const turns = requestTurns(20);
    const order: string[] = [];
    jest.spyOn(turns, 'take').mockImplementation(() => {
      order.push('turn');
      return Promise.resolve(() => undefined);
    });
    const { guard, asked } = guarded(person, { turns });
    const ask = async (route: keyof typeof ROUTES): Promise<void> => {
      const { request, context } = contextOf(route, 'POST', BEARER);
      // The guard and the reading take the same object for the request.
      leaveUnread(request as never, () => {
        order.push(`body after ${String(asked.identified)}`);
        return Promise.resolve('');
      });
      await guard.canActivate(context);
    };
    await ask('read');
    expect(order.splice(0)).toEqual(['body after 1', 'turn']);
    await ask('read');
    expect(order.splice(0)).toEqual(['body after 1', 'turn']);
    await ask('halt');
    expect(order).toEqual(['body after 3']);
  });

  it.each<[string, Principal, keyof typeof ROUTES, unknown]>([
    ['a person with the scope', person, 'read', person],
    ['a person without it', person, 'submit', 'credential.scope_missing'],
    ['an agent with the scope', agent, 'submit', agent],
    ['an agent without it', agent, 'administer', 'credential.scope_missing'],
    ['the system, which has no scope', system, 'read', 'credential.scope_missing'],
    ['an agent where a person is required', agent, 'byPerson', 'credential.person_required'],
    ['a person where a person is required', person, 'byPerson', person],
    ['an agent where a role is required', agent, 'byRole', 'credential.person_required'],
    ['a person who holds one of the roles', person, 'byRole', person],
    ['a person who holds none of them', person, 'byAdmin', 'identity.role_required'],
  ])('answers %s', async (_who, principal, route, answer) => {
    expect(await guarded(principal).call(route)).toEqual(answer);
  });

  it.each<[keyof typeof ROUTES, string, Principal, readonly Scope[]]>([
    ['review', 'POST', person, ['review']],
    ['administer', 'DELETE', person, ['admin']],
    ['review', 'GET', person, []],
    ['review', 'HEAD', person, []],
    ['read', 'POST', person, []],
    ['review', 'POST', agent, []],
  ])('asks at %s by %s how fresh the sign-in is', async (route, method, principal, scopes) => {
    const { call, asked } = guarded(principal);
    expect(await call(route, method)).toEqual(principal);
    expect(asked.fresh).toEqual(scopes);
  });

  it('refuses a review after a sign-in that is too old', async () => {
    expect(await guarded(person, { fresh: stale }).call('review')).toBe('sign_in.not_fresh');
  });

  it.each([
    ['holder', 'request.rate_limited'],
    ['tenant', 'request.tenant_rate_limited'],
  ] as const)('refuses a request if the budget of the %s is spent', async (budget, code) => {
    const { call } = guarded(agent, { budget: { budget, waitSeconds: 3 } });
    expect(await call('read')).toBe(code);
  });

  it('refuses a spent credential without looking it up again', async () => {
    const { call, asked } = guarded(agent, { budget: { budget: 'holder', waitSeconds: 60 } });
    await call('read');
    expect(await call('read')).toBe('request.rate_limited');
    expect(asked.identified).toBe(1);
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(500);
  });

  it('tells a refusal by the budget that is spent, and the wait', async () => {
    const refusals = await Promise.all(
      (['holder', 'tenant'] as const).map((budget) =>
        guarded(agent, { budget: { budget, waitSeconds: 3 } }).refusalOf('read'),
      ),
    );
    expect(refusals.map(({ message, retryAfterSeconds }) => [message, retryAfterSeconds])).toEqual([
      [expect.stringContaining('All your credentials count together'), 3],
      [expect.stringContaining('All its people and agents count together'), 3],
    ]);
  });

  it('looks a browser up each time, since it remembers spent tokens alone', async () => {
    const { call, asked } = guarded(person, { budget: { budget: 'holder', waitSeconds: 60 } });
    expect(await call('read')).toBe('request.rate_limited');
    for (let each = 0; each < 2; each += 1) expect(await call('read', 'GET', COOKIE)).toBe('request.rate_limited');
    expect(asked.identified).toBe(3);
  });

  it.each<[string, keyof typeof ROUTES, Headers, string | null, string]>([
    ['a bearer token', 'read', { ...BEARER, ...COOKIE }, 'token', 'credential'],
    ['the token of a browser session', 'read', COOKIE, 'cookie', 'credential'],
    ['no token', 'read', {}, null, 'credential'],
    ['a bearer token in an emergency', 'halt', BEARER, 'token', 'emergency'],
  ])('watches the attempt with %s', async (_what, route, headers, token, kind) => {
    const { call, watched } = guarded(person);
    await call(route, 'GET', headers);
    expect(watched).toHaveBeenCalledWith('192.0.2.1', kind, expect.any(Function), token);
  });

  it('lets a person act by one of several roles, and names the roles to a person without them', async () => {
    const roles = ['DevOpsEngineer', 'SecurityReviewer'].map((role) => ({ role, assignedAt: 1 }));
    const both = { ...person, roles };
    expect(await guarded(both).call('byRole')).toEqual(both);
    expect(await guarded(both).refusalOf('byAdmin')).toMatchObject({
      code: 'identity.role_required',
      message: 'This takes the role PlatformAdmin.',
      details: { required_roles: ['PlatformAdmin'] },
    });
    expect(await guarded({ ...person, roles: [] }).refusalOf('byRole')).toMatchObject({
      message: 'This takes the role SRELead or SecurityReviewer.',
    });
  });

  it('lets an emergency pass a spent budget thirty times in a minute, and no other request', async () => {
    const { call, asked } = guarded(agent, { budget: { budget: 'tenant', waitSeconds: 60 } });
    await call('read');
    for (let each = 0; each < 30; each += 1) expect(await call('halt')).toEqual(agent);
    expect(await call('halt')).toBe('request.tenant_rate_limited');
    expect(asked.identified).toBe(32);
  });

  it('lets an emergency pass if no turn is free, and no other request, whose credential it looks up once', async () => {
    const turns = new FairTurns({ atOnce: 1, waitingOfTenant: 0, waitMs: 10_000 });
    const { call, asked } = guarded(agent, { turns });
    const leave = await turns.take(tenantId);
    expect([await call('read'), await call('read')]).toEqual(['request.tenant_busy', 'request.tenant_busy']);
    expect([await call('halt'), asked.identified]).toEqual([agent, 2]);
    leave?.();
    expect(await call('read')).toEqual(agent);
  });

  it('gives the system no allowance of an emergency', async () => {
    expect(await guarded(system, { budget: { budget: 'tenant', waitSeconds: 1 } }).call('halt')).toBe(
      'request.tenant_rate_limited',
    );
  });
});
