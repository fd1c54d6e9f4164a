import { parseArgs } from 'node:util';
import { fleetServer } from './fleet-server.js';
import { Ledger } from './ledger.js';
import { verifierByEnvironment } from '#lib/sdk';

const help = `An example tool server for Countersign: a simulated fleet of web servers, with
its catalog.

  node dist/programs/fleet/main.js --countersign http://localhost:8420 --port 9100

The address for the executor is http://127.0.0.1:9100/tools.

  --countersign URL   the address of Countersign, to fetch its keys and redeem
                      grants (required)
  --port N            the port on 127.0.0.1 (default 9100; 0 takes a free one)
  --environment NAME  an environment it works in; may be repeated (default:
                      development, staging, production)
  --executor NAME     the executor's name in the tenant; grants are made out to
                      NAME.ENVIRONMENT (default fleet)
  --tenant ID         a tenant it works for; may be repeated (default: any, for
                      a Countersign of one's own)
  --ledger FILE       the file that records every change (default
                      .countersign/fleet-ledger.jsonl)
  --allow-faults      let POST /faults break servers on purpose
`;

/** Ends with the error, and the action to take. */
function fail(code: string, message: string, action: string): never {
  process.stderr.write(`error: ${message} (${code})\n  ${action}\n`);
  process.exit(2);
}

const { values } = readArguments();

if (values.help || values.countersign === undefined) {
  (values.help ? process.stdout : process.stderr).write(help);
  process.exit(values.help ? 0 : 2);
}
if (!URL.canParse(values.countersign))
  fail(
    'fleet.address_invalid',
    `${values.countersign} is not an address of Countersign.`,
    'Give one such as http://localhost:8420.',
  );
const port = Number(values.port);
if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
  fail('fleet.port_invalid', `${values.port} is not a port.`, 'Give a whole number from 0 to 65535.');

const { countersign } = values;
const ledger = openLedger(values.ledger);
const server = fleetServer({
  ledger,
  verifyGrant: verifierByEnvironment(values.environment ?? ['development', 'staging', 'production'], (environment) => ({
    issuer: countersign,
    audience: `${values.executor}.${environment}`,
    tenants: values.tenant ?? 'any',
    replay: 'redeem',
  })),
  allowFaults: values['allow-faults'],
});
server.once('error', (error: NodeJS.ErrnoException) => {
  fail(
    'fleet.cannot_listen',
    `Nothing can be served at 127.0.0.1:${values.port} (${error.code ?? error.message}).`,
    'Give another --port, or stop what listens there.',
  );
});
server.listen(port, '127.0.0.1', () => {
  const address = server.address();
  const bound = typeof address === 'object' && address !== null ? address.port : port;
  process.stdout.write(`fleet listening on http://127.0.0.1:${String(bound)}\n`);
});

const stop = (): void => {
  server.close(() => {
    ledger.close();
  });
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

function readArguments() {
  try {
    return parseArgs({
      options: {
        countersign: { type: 'string' },
        port: { type: 'string', default: '9100' },
        environment: { type: 'string', multiple: true },
        executor: { type: 'string', default: 'fleet' },
        tenant: { type: 'string', multiple: true },
        ledger: { type: 'string', default: '.countersign/fleet-ledger.jsonl' },
        'allow-faults': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return fail('fleet.usage', error instanceof Error ? error.message : 'The command line is wrong.', 'See --help.');
  }
}

function openLedger(file: string): Ledger {
  try {
    return Ledger.open(file);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'for no known reason';
    return fail(
      'fleet.ledger_unusable',
      `The ledger ${file} cannot be used: ${why}`,
      'Give another file with --ledger.',
    );
  }
}
