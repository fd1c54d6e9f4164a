import 'reflect-metadata';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { z } from 'zod';
import { Public, RequirePerson, RequireRole, RequireScope } from './access.js';
import { RouteDeclarations } from './route-declarations.js';

@Controller('v1/declared')
class DeclaredController {
  @Get(':id')
  @RequireScope('admin')
  @RequirePerson()
  @RequireRole('PlatformAdmin')
  get(): void {
    // only its declaration matters
  }

  @Post()
  @Public()
  post(@Body({ schema: z.strictObject({}) }) _body: object): void {
    // only its declaration matters
  }

  notARoute(): void {
    // no decorator, no route
  }
}

@Controller('//v1/slashes//')
class SlashesController {
  @Get('//twice//')
  @Public()
  get(): void {
    // only its path matters
  }
}

@Controller('v1/forgotten')
class ForgottenController {
  @Get()
  get(): void {
    // declares nothing
  }
}

@Controller('v1/bare')
class BareController {
  @Post()
  @RequireScope('submit')
  post(@Body() _body: unknown): void {
    // takes anything
  }
}

@Controller('v1/contradictory')
class ContradictoryController {
  @Get()
  @Public()
  @RequireRole('PlatformAdmin')
  get(): void {
    // open to all, and to some
  }
}

async function declarations(...controllers: (new () => object)[]): Promise<RouteDeclarations> {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers: [RouteDeclarations],
  }).compile();
  return module.get(RouteDeclarations);
}

describe('the declarations of routes', () => {
  it('are read from the controllers', async () => {
    const routes = (await declarations(DeclaredController)).all();
    expect(routes).toEqual([
      expect.objectContaining({
        method: 'GET',
        path: '/v1/declared/:id',
        access: { kind: 'scope', scope: 'admin' },
        personOnly: true,
        roles: ['PlatformAdmin'],
      }),
      expect.objectContaining({
        method: 'POST',
        path: '/v1/declared',
        access: { kind: 'public', way: 'open' },
        personOnly: false,
        roles: [],
      }),
    ]);
  });

  it('have the path that is served, without the slashes around its parts', async () => {
    const [route] = (await declarations(SlashesController)).all();
    expect(route?.path).toBe('/v1/slashes/twice');
  });

  it.each([
    ['without a scope', ForgottenController, 'ForgottenController.get declares no scope and is not @Public()'],
    ['with a body that no schema describes', BareController, 'BareController.post takes a body without a schema'],
    [
      'that is public and asks for a role',
      ContradictoryController,
      'ContradictoryController.get is @Public() and asks for a person or role',
    ],
  ])('keep the application from starting with a route %s', async (_what, controller, why) => {
    const found = await declarations(DeclaredController, controller);
    expect(() => {
      found.onApplicationBootstrap();
    }).toThrow(`The application does not start: ${why}.`);
  });

  it('keep it from starting with a route that no controller declares', async () => {
    const found = await declarations(DeclaredController);
    const served = [
      { method: 'GET', path: '/v1/declared/:id' },
      { method: 'HEAD', path: '/v1/declared/:id' },
      { method: 'POST', path: '/v1/declared' },
    ];
    found.requireControllers(served);
    expect(() => {
      found.requireControllers([...served, { method: 'GET', path: '/debug' }]);
    }).toThrow('no controller declares GET /debug');
  });
});
