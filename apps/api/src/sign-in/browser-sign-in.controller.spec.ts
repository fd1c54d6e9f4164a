import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { err, FailureError, newId, type Failure } from '#lib/kernel';
import { BeginSignIn, CompleteSignIn, EndBrowserSession, ListSignInOptions, SignInAddresses } from '#lib/sign-in';
import { FailedAttemptsInterceptor } from '../http/failed-attempts.interceptor.js';
import { FailedAttempts, type AttemptKind } from '../http/failed-attempts.js';
import { BrowserSessions } from '../http/index.js';
import { ProblemFilter } from '../http/problem.filter.js';
import { SchemaValidationPipe } from '../http/schema-validation.pipe.js';
import { BrowserSignInController } from './browser-sign-in.controller.js';

const refusal = (code: string): Failure => ({ kind: 'unauthenticated', code, message: 'No.', action: 'Begin again.' });

describe('T40: a refused sign-in of a browser', () => {
  /** The refusals that reached the count of failed attempts. */
  const watched: string[] = [];
  const attempts = {
    watch: async <T>(_address: string, _kind: AttemptKind, attempt: () => Promise<T>): Promise<T> => {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof FailureError) watched.push(error.failure.code);
        throw error;
      }
    },
  };
  let app: NestFastifyApplication;
  beforeAll(async () => {
    const module = await Test.createTestingModule({
      controllers: [BrowserSignInController],
      providers: [
        { provide: ListSignInOptions, useValue: {} },
        { provide: BeginSignIn, useValue: { execute: () => err(refusal('sign_in.no_issuer')) } },
        { provide: CompleteSignIn, useValue: { execute: () => err(refusal('sign_in.unknown_return')) } },
        { provide: SignInAddresses, useValue: new SignInAddresses('https://countersign.example') },
        { provide: BrowserSessions, useValue: {} },
        { provide: EndBrowserSession, useValue: {} },
        { provide: FailedAttempts, useValue: attempts },
        { provide: APP_INTERCEPTOR, useClass: FailedAttemptsInterceptor },
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_PIPE, useClass: SchemaValidationPipe },
      ],
    }).compile();
    app = module.createNestApplication<NestFastifyApplication>(new FastifyAdapter());
    await app.init();
  });
  afterAll(() => app.close());
  beforeEach(() => watched.splice(0));

  it.each<[string, string, string, string]>([
    [
      'at its beginning',
      '/sign-in?tenant=acme&return_to=/inbox&issuer=demo',
      'sign_in.no_issuer',
      '/welcome?problem=sign_in.no_issuer&tenant=acme&return_to=%2Finbox',
    ],
    [
      'at its return',
      `/sign-in/callback/${newId()}/demo?state=x&tenant=acme&return_to=/inbox`,
      'sign_in.unknown_return',
      '/welcome?problem=sign_in.unknown_return',
    ],
  ])('%s is counted, and shown on a page', async (_when, url, code, location) => {
    const answer = await app.inject({ url, headers: { accept: 'text/html', 'sec-fetch-site': 'none' } });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, location]);
    expect(watched).toEqual([code]);
  });

  it('keeps nothing of an address that does not fit', async () => {
    const url = '/sign-in?tenant=%3Cb%3E&return_to=/inbox';
    const answer = await app.inject({ url, headers: { accept: 'text/html', 'sec-fetch-site': 'none' } });
    expect(answer.headers.location).toBe('/welcome?problem=request.query_invalid');
  });
});
