import type { ClientBase } from 'pg';

/**
 * Options of a pool of pg that keep a broken connection from ending the process. The pool takes its own listener off a connection
 * before whoever waited for it adds theirs; a server that ends the connection in that moment would be heard by nobody. Its next
 * statement fails all the same.
 */
export const HEARD_ERRORS = {
  onConnect: (client: ClientBase): void => {
    client.on('error', () => undefined);
  },
};
