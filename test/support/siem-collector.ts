import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from './test-authority.js';

/** A collector over HTTPS. Its certificate is that of `TEST_AUTHORITY`. */
export interface TestCollector {
  readonly url: string;
  /** The token that it asks for. */
  readonly token: string;
  /** The lines that it took, in order of arrival. */
  readonly taken: readonly string[];
  /** How many requests it got, also those that it did not take. */
  readonly requests: () => number;
  /** The status of further answers to requests with its token, and their headers. */
  answers: { status: number; headers: Readonly<Record<string, string>> };
  close(): Promise<void>;
}

export async function testCollector(): Promise<TestCollector> {
  const taken: string[] = [];
  let requests = 0;
  const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (request, response) => {
    void text(request).then((body) => {
      requests += 1;
      const known = request.headers.authorization === `Bearer ${collector.token}`;
      const { status, headers } = known ? collector.answers : { status: 401, headers: {} };
      if (status < 300) taken.push(...body.trimEnd().split('\n'));
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const collector: TestCollector = {
    url: `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/ocsf`,
    token: 'collector-token-of-a-test',
    taken,
    requests: () => requests,
    answers: { status: 200, headers: {} },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return collector;
}
