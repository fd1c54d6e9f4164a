import type { Client } from 'pg';

import type { DatabaseHosts } from './database-hosts.js';
import { noteUnconfirmed } from './unconfirmed-commits.js';

/** Options of a pool of pg for a database of one host or several. */
export const hostedPool = (hosts: DatabaseHosts): object => ({
  ...(hosts.several ? { Client: hosts.clientClass() } : {}),
  // The pool waits for this before it lends the connection.
  onConnect: (client: Client): Promise<void> => {
    // The pool takes its own listener off a connection before the waiting caller adds theirs. If the server ends the
    // connection in between, its error would have no listener and end the process. The next statement fails all the same.
    client.on('error', () => undefined);
    noteUnconfirmed(client);
    return hosts.verify(client);
  },
});
