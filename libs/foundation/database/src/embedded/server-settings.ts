/**
 * The settings that every embedded server starts with; a start may add its own. A standby needs at least the numbers of its
 * primary, and a tenant's move reads rows from the log. With these settings both begin without a restart of the server.
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // No socket file: its path may be too long, and its folder readable by others.
  unix_socket_directories: '',
  max_connections: '200',
  wal_level: 'logical',
  max_wal_senders: '10',
  max_replication_slots: '10',
  hot_standby: 'on',
  // A standby that is gone keeps no more of the log than this; then it must be made again.
  max_slot_wal_keep_size: '4GB',
};
