import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { firstValueFrom, of } from 'rxjs';
import { RUNNER_PROOF_HEADER } from '#lib/formats';
import { err, FailureError, ok, type Failure } from '#lib/kernel';
import type { VerifyProof } from '#lib/runner-pool';
import { FailedAttempts } from '../http/failed-attempts.js';
import { leaveUnread } from '../http/incoming-body.js';
import { JsonBodyInterceptor } from '../http/json-body.interceptor.js';
import { ProvenRunners } from './proven-runners.js';
import { RunnerGuard } from './runner.guard.js';

const refused: Failure = { kind: 'unauthenticated', code: 'runner.proof_refused', message: 'no', action: 'enrol' };

/** A request passes the guard, and then its body is read. The proof `good` is good. */
async function send(proof: string, body: 'long' | 'short') {
  // These members of a request are read, and no other.
  const request = {
    method: 'POST',
    url: '/v1/runner/hello?a=1',
    ip: '192.0.2.1',
    headers: { [RUNNER_PROOF_HEADER]: proof, 'content-type': 'application/json' },
    body: Buffer.from('{"a":1}'),
  } as unknown as FastifyRequest;
  const read = jest.fn(() => Promise.resolve(Buffer.from('{"a":2}')));
  if (body === 'long') leaveUnread(request, read);
  const recognise = jest.fn<ReturnType<VerifyProof['recognise']>, Parameters<VerifyProof['recognise']>>((given) =>
    Promise.resolve(given === 'good' ? ok(null) : err(refused)),
  );
  const attempts = new FailedAttempts();
  const watched = jest.spyOn(attempts, 'watch');
  // The guard asks the verifier for this alone.
  const guard = new RunnerGuard(new ProvenRunners({ recognise } as unknown as VerifyProof), attempts);
  // The guard and the interceptor ask the context for the request alone.
  const context = { switchToHttp: () => ({ getRequest: () => request }) } as unknown as ExecutionContext;
  const codeOf = (error: unknown): string => {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  };
  const allowed = await guard.canActivate(context).catch(codeOf);
  const reading = new JsonBodyInterceptor().intercept(context, { handle: () => of(request.body) });
  const seen = await reading.then((body) => firstValueFrom(body)).catch(codeOf);
  return { allowed, seen, read, recognise, watched };
}

describe('the guard of a runner', () => {
  it('lets a long body be read if a runner signed a proof for the route', async () => {
    const { allowed, seen, recognise, watched } = await send('good', 'long');
    expect([allowed, seen]).toEqual([true, { a: 2 }]);
    expect(recognise).toHaveBeenCalledWith('good', { method: 'POST', path: '/v1/runner/hello?a=1' });
    expect(watched).toHaveBeenCalledWith('192.0.2.1', 'exchange', expect.any(Function));
  });

  it('refuses a long body without such a proof, and leaves it unread', async () => {
    const { allowed, seen, read } = await send('forged', 'long');
    expect([allowed, seen]).toEqual(['runner.proof_refused', 'request.too_large']);
    expect(read).not.toHaveBeenCalled();
  });

  it('leaves the proof beside a short body to the route, which verifies it against the body', async () => {
    const { allowed, seen, recognise, watched } = await send('forged', 'short');
    expect([allowed, seen]).toEqual([true, { a: 1 }]);
    expect([recognise, watched].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });
});
