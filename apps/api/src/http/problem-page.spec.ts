import { Controller, Get } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { z } from 'zod';
import { fail } from '#lib/kernel';
import { ProblemFilter } from './problem.filter.js';
import { ProblemsOn } from './problem-page.js';

@Controller()
class Refusing {
  @Get('shown')
  @ProblemsOn('/settings/slack')
  shown(): void {
    fail({
      kind: 'conflict',
      code: 'slack.declined',
      message: 'Something that another server said.',
      action: 'Begin again.',
    });
  }

  @Get('kept')
  @ProblemsOn('/welcome', z.object({ tenant: z.string().max(3).optional(), note: z.string().optional() }))
  kept(): void {
    this.shown();
  }

  @Get('plain')
  plain(): void {
    this.shown();
  }
}

describe('a refusal', () => {
  let app: NestFastifyApplication;
  beforeAll(async () => {
    const module = await Test.createTestingModule({ controllers: [Refusing] }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    app.useGlobalFilters(new ProblemFilter());
    await app.init();
  });
  afterAll(() => app.close());

  it.each<[string, string, string, string | undefined]>([
    [
      'sends a browser to the page of the route, with its code alone',
      '/shown',
      'text/html,*/*',
      '/settings/slack?problem=slack.declined',
    ],
    [
      'keeps the parameters that the route names, and no others',
      '/kept?note=%26x%3D1&secret=1&problem=other',
      'text/html',
      '/welcome?problem=slack.declined&note=%26x%3D1',
    ],
    [
      'keeps nothing of a query that does not fit',
      '/kept?note=a&tenant=long',
      'text/html',
      '/welcome?problem=slack.declined',
    ],
    ['is a problem for a program', '/shown', '*/*', undefined],
    ['is a problem on a route without a page', '/plain', 'text/html', undefined],
  ])('%s', async (_what, url, accept, location) => {
    const answer = await app.inject({ url, headers: { accept } });
    expect(answer.headers.location).toBe(location);
    expect(answer.statusCode).toBe(location === undefined ? 409 : 303);
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});
