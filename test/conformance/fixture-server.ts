import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { answerMcp } from '../../apps/api/src/mcp/answer-mcp.js';
import { TaskingServer } from '../../apps/api/src/mcp/tasking-server.js';
import { serveAsking, serveTasked, STATES } from './fixture-asking.js';
import { serveContent } from './fixture-content.js';
import { FixtureTasks } from './fixture-tasks.js';

/** A server of the fixture profile. */
export interface FixtureServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the names that the conformance suite asks for, over the transport and the tasks of Countersign. */
export async function startFixtureServer(): Promise<FixtureServer> {
  const tasks = new FixtureTasks();
  const serverOf = (era: string): TaskingServer => {
    const server = new TaskingServer(
      { name: 'fixture', version: '1' },
      {
        capabilities: {
          ...{ tools: { listChanged: false }, resources: { listChanged: false }, prompts: { listChanged: false } },
        },
        requestState: { verify: STATES.verify },
      },
    );
    if (era === 'modern') server.serveTasks(tasks);
    serveContent(server);
    serveAsking(server);
    serveTasked(server, tasks);
    return server;
  };
  const http = createServer((request, response) => {
    const answered = async (): Promise<void> => {
      const body: unknown = request.method === 'POST' ? await json(request) : undefined;
      const { method = 'GET', headers } = request;
      const answer = await answerMcp({ method, headers, body }, 'http://127.0.0.1/mcp', serverOf);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      else Readable.fromWeb(answer.body as never).pipe(response);
    };
    answered().catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((http.address() as AddressInfo).port)}/mcp`,
    close: () =>
      new Promise((resolve) => {
        http.close(() => {
          resolve();
        });
        http.closeAllConnections();
      }),
  };
}
