import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Plane, PlaneError } from './plane.js';

/** The code of the refusal of an enrolment that is answered so, and whether it is tried again. */
async function refusalOf(status: number, type: string, body: string): Promise<unknown> {
  const server = createServer((_asked, answer) => answer.writeHead(status, { 'content-type': type }).end(body));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    const plane = new Plane(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
    const refusal: unknown = await plane.enrol('token', 'key', '1').catch((error: unknown) => error);
    return refusal instanceof PlaneError
      ? { code: refusal.code, again: refusal.again, action: refusal.action }
      : refusal;
  } finally {
    server.close();
  }
}

it.each([401, 403, 404, 410])(
  'takes a page with status %d for a proxy that passes, and tries again',
  async (status) => {
    const refusal = await refusalOf(status, 'text/html', '<h1>maintenance</h1>');
    expect(refusal).toEqual({ code: 'runner.unreachable', again: true });
  },
);

it.each([
  [403, 'runner.revoked', false],
  [409, 'runner.already_answered', false],
  [401, 'runner.proof_expired', true],
  [429, 'rate_limit.exceeded', true],
  [503, 'database.unavailable', true],
])("takes a problem with status %d and code %s for Countersign's; again: %s", async (status, code, again) => {
  const refusal = await refusalOf(
    status,
    'application/problem+json',
    JSON.stringify({ code, detail: 'so', action: 'Do.' }),
  );
  expect(refusal).toEqual({ code, again, action: 'Do.' });
});

it('reads no answer beyond 64 MiB, and tries again', async () => {
  expect(await refusalOf(200, 'application/json', ' '.repeat(64 * 1_048_576 + 1))).toEqual({
    code: 'runner.unreachable',
    again: true,
  });
});
