import type { ProgramRow } from '../program-row.js';

/**
 * Clients of databases. A statement can write, delete, and execute programs (`COPY … TO PROGRAM`, `\!`, `.shell`), so that no
 * statement is a read by its words. `psql -l` connects to a server that variables and operands choose, so it asks as well.
 */
export const DATABASE_PROGRAMS: readonly ProgramRow[] = [
  {
    names: ['psql', 'pgcli'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'executes statements in a database',
    options: {
      networkTo: '-h --host -d --dbname -p --port',
      executes: '-f --file',
      writesTo: '-o --output -L --log-file',
    },
  },
  {
    names: ['pg_dump', 'pg_dumpall', 'mysqldump', 'mariadb-dump', 'mongodump', 'mongoexport', 'pg_basebackup'],
    style: 'gnu',
    class: 'NETWORK',
    does: 'copies the data of a database',
    options: { writesTo: '-f --file -r --result-file -o --out -D --pgdata' },
  },
  {
    names: [
      'pg_restore',
      'mongorestore',
      'mongoimport',
      'mysqlimport',
      'createdb',
      'createuser',
      'initdb',
      'pg_ctl',
      'pg_upgrade',
    ],
    class: 'WRITE',
    does: 'changes a database',
  },
  {
    names: ['dropdb', 'dropuser', 'pg_resetwal'],
    class: 'DESTRUCTIVE',
    does: 'deletes from a database',
  },
  {
    // It sends nothing but the question whether the server answers, to the server that is configured.
    names: ['pg_isready'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'asks whether the server answers',
    options: {
      plain: '-q --quiet -V --version -? --help',
      value: '-t --timeout -U --username',
      networkTo: '-h --host -d --dbname -p --port',
    },
    operands: 'none',
    network: true,
  },
  {
    names: ['pg_config'],
    style: 'gnu',
    class: 'READ_ONLY',
    does: 'prints how PostgreSQL was built',
    options: {
      plain: '--version --bindir --libdir --includedir --pkglibdir --sharedir --sysconfdir --configure --help',
    },
    operands: 'none',
  },
  {
    names: ['mysql', 'mariadb', 'mysqladmin', 'mycli'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'executes statements in a database',
    options: { informs: '-V', networkTo: '-h --host', executes: '-e --execute --init-command --pager' },
  },
  {
    names: ['sqlite3', 'duckdb', 'sqlcmd', 'sqlplus', 'clickhouse-client', 'clickhouse', 'cqlsh', 'influx', 'usql'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'executes statements in a database',
    options: { informs: '-version' },
  },
  {
    names: ['redis-cli', 'valkey-cli', 'mongosh', 'mongo', 'memcached-tool', 'nats', 'kafka-topics', 'rabbitmqctl'],
    style: 'gnu',
    class: 'UNKNOWN',
    does: 'executes commands in a store',
    options: { informs: '-V', networkTo: '-h --host -u --uri', executes: '--eval -f --file' },
  },
];
