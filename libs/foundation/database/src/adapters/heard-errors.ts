import type { ClientBase } from 'pg';

/**
 * Options of a pool of pg that keep a broken connection from ending the process. The pool takes its own listener off a connection
 * before the waiting caller adds theirs. If the server ends the connection in between, its error would have no listener.
 * The connection's next statement fails all the same.
 */
export const HEARD_ERRORS = {
  onConnect: (client: ClientBase): void => {
    client.on('error', () => undefined);
  },
};
