import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { passTimers } from '../../../../../test/support/passed-waits.js';
import { driverError } from './driver-errors.js';

const AUTHENTICATION_OK = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  jest.restoreAllMocks();
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
  sockets.clear();
});

/** The port of a server that answers each message of a connection so. */
async function server(answer: (socket: Socket, received: number) => void): Promise<number> {
  const listening = createServer((socket) => {
    sockets.add(socket);
    let received = 0;
    socket
      .on('error', () => undefined)
      .on('data', () => {
        received += 1;
        answer(socket, received);
      });
  });
  servers.push(listening.listen(0, '127.0.0.1'));
  await new Promise((resolve) => listening.once('listening', resolve));
  return (listening.address() as AddressInfo).port;
}

const letIn = (socket: Socket): boolean => socket.write(Buffer.concat([AUTHENTICATION_OK, READY_FOR_QUERY]));
const silent = (): void => undefined;
/** Lets the client in, and answers its first query so. */
const inThen =
  (answer: (socket: Socket) => void) =>
  (socket: Socket, received: number): void => {
    if (received === 1) letIn(socket);
    else answer(socket);
  };

const errorOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('an error of the driver without a code', () => {
  const at = (port: number, more: pg.PoolConfig = {}): pg.PoolConfig => ({
    ...{ host: '127.0.0.1', port, user: 'carl', password: 'secret', database: 'countersign' },
    ...more,
  });
  const connected = async (config: pg.PoolConfig): Promise<pg.Client> => {
    const client = new pg.Client(config).on('error', () => undefined);
    await client.connect();
    return client;
  };

  it('tells of a server without TLS', async () => {
    const port = await server((socket) => socket.write('N'));
    expect(driverError(await errorOf(connected(at(port, { ssl: true }))))).toBe('no_tls');
  });

  it('tells of a server that does not answer, from a client and from a pool', async () => {
    const port = await server(silent);
    const soon = at(port, { connectionTimeoutMillis: 20 });
    expect(driverError(await errorOf(connected(soon)))).toBe('no_answer_in_time');
    expect(driverError(await errorOf(new pg.Pool(soon).connect()))).toBe('no_answer_in_time');
  });

  it('tells of a pool without a free connection', async () => {
    const pool = new pg.Pool(at(await server(letIn), { max: 1, connectionTimeoutMillis: 20_000 }));
    const taken = await pool.connect();
    passTimers(20_000);
    expect(driverError(await errorOf(pool.connect()))).toBe('no_answer_in_time');
    taken.release(true);
  });

  it('tells of a statement without an answer', async () => {
    const client = await connected(at(await server(inThen(silent)), { query_timeout: 20 }));
    expect(driverError(await errorOf(client.query('SELECT 1')))).toBe('no_answer_in_time');
  });

  it('tells of a connection that ended, then and afterwards', async () => {
    const client = await connected(at(await server(inThen((socket) => socket.end()))));
    expect(driverError(await errorOf(client.query('SELECT 1')))).toBe('connection_ended');
    expect(driverError(await errorOf(client.query('SELECT 1')))).toBe('connection_ended');
  });

  it('tells of a client that was closed', async () => {
    const client = await connected(at(await server(inThen((socket) => socket.end()))));
    await client.end();
    expect(driverError(await errorOf(client.query('SELECT 1')))).toBe('connection_ended');
  });

  it.each([
    ['an error with a code', Object.assign(new Error('Connection terminated'), { code: '57P01' })],
    ['a programming error', new TypeError('Connection is not a function')],
    ['no error', 'Connection terminated'],
  ])('is none of %s', (_what, error) => {
    expect(driverError(error)).toBeNull();
  });
});
