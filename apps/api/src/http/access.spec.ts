import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import type { FastifyRequest } from 'fastify';
import type { Principal, TenantId } from '#lib/kernel';
import { ACCESS, bindPrincipal, CurrentPrincipal, principalOf, Public, PublicExchange, PublicLook } from './access.js';

const principal: Principal = { kind: 'system', tenantId: 'tenant-1' as TenantId, name: 'worker' };

class Routes {
  @Public()
  open(): void {
    // only its declaration matters
  }

  @PublicLook()
  look(): void {
    // only its declaration matters
  }

  @PublicExchange()
  exchange(): void {
    // only its declaration matters
  }

  whoAmI(@CurrentPrincipal() _caller: Principal): void {
    // only its parameter matters
  }
}

const accessOf = (route: 'open' | 'look' | 'exchange'): unknown => Reflect.getMetadata(ACCESS, Routes.prototype[route]);

/** The value that Nest gives to the parameter of the route. */
function parameterFor(request: FastifyRequest): unknown {
  const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, Routes, 'whoAmI') as Record<
    string,
    { factory: (data: unknown, context: ExecutionContext) => unknown }
  >;
  const [parameter] = Object.values(parameters);
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  return parameter?.factory(undefined, context);
}

describe('the declaration of a public route', () => {
  it('says if the route looks something up, or takes a one-time token', () => {
    expect(accessOf('open')).toEqual({ kind: 'public', way: 'open' });
    expect(accessOf('look')).toEqual({ kind: 'public', way: 'look' });
    expect(accessOf('exchange')).toEqual({ kind: 'public', way: 'exchange' });
  });
});

describe('the caller of a request', () => {
  const request = {} as FastifyRequest;

  it('is unknown before the guard has bound it, and no route can read it then', () => {
    expect(principalOf(request)).toBeUndefined();
    expect(() => parameterFor(request)).toThrow('CurrentPrincipal stands on a route without a scope');
  });

  it('is the one that the guard bound', () => {
    bindPrincipal(request, principal);
    expect(parameterFor(request)).toBe(principal);
  });
});
