/**
 * Connections: the servers that a tenant names for one purpose each, such as its SIEM collector and its embedder.
 *
 * Owns the rules for the address, the authority and the token of such a server, and the change of them. Invariants: it is reached over
 * HTTPS, and its address is checked when it is named and at connect (T31); another address or authority takes two people; the token
 * lies encrypted (T32), and no other address gets it; a change replaces no later one.
 *
 * Never decides anything, and knows nothing of what is sent: the library of each kind does.
 */
export { connectionColumns, connectionKey } from './adapters/connection-columns.js';
export { ChangeConnection } from './application/change-connection.js';
export type {
  ConnectionStore,
  ConnectionWork,
  MayConnect,
  Receiver,
  ReceiverAnswer,
  ReceiverRequest,
} from './application/connection.ports.js';
export { ReadConnection } from './application/read-connection.js';
export { refusedServer } from './application/refused-server.js';
export { RemoveConnection } from './application/remove-connection.js';
export { SetConnectionToken } from './application/set-connection-token.js';
export { TestConnection } from './application/test-connection.js';
export { createConnection, createConnectionStore, createReceiver, type ConnectionDeps } from './create-connection.js';
export { addressOf } from './domain/check-address.js';
export {
  connectionRevision,
  loosenedConnection,
  revisionOf,
  type Connection,
  type ConnectionKind,
  type Generation,
  type KindSettings,
} from './domain/connection.js';
