import { parseArgs } from 'node:util';
import { grantVerifier } from '#lib/sdk';
import { fleetServer } from './fleet-server.js';
import { Ledger } from './ledger.js';

const help = `An example tool server for Countersign: a simulated fleet of web servers with ADR-009's catalog.

  node dist/apps/fleet/src/main.js --countersign http://127.0.0.1:8420 --port 9100

  --countersign URL   where Countersign is, to fetch its keys and redeem grants (required)
  --port N            the port on 127.0.0.1 (default 9100; 0 takes a free one)
  --audience NAME     what the tenant's executor record calls this server (default fleet)
  --tenant ID         a tenant it works for; may be repeated (default: any, for a Countersign of one's own)
  --ledger FILE       where every change is written down (default .countersign/fleet-ledger.jsonl)
  --allow-faults      let POST /faults break servers on purpose
`;

const { values } = parseArgs({
  options: {
    countersign: { type: 'string' },
    port: { type: 'string', default: '9100' },
    audience: { type: 'string', default: 'fleet' },
    tenant: { type: 'string', multiple: true },
    ledger: { type: 'string', default: '.countersign/fleet-ledger.jsonl' },
    'allow-faults': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help || values.countersign === undefined) {
  (values.help ? process.stdout : process.stderr).write(help);
  process.exit(values.help ? 0 : 2);
}

const ledger = Ledger.open(values.ledger);
const server = fleetServer({
  ledger,
  verifyGrant: grantVerifier({
    issuer: values.countersign,
    audience: values.audience,
    tenants: values.tenant ?? 'any',
    replay: 'redeem',
  }),
  allowFaults: values['allow-faults'],
});
server.listen(Number(values.port), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : values.port;
  process.stdout.write(`fleet listening on http://127.0.0.1:${String(port)}\n`);
});

const stop = (): void => {
  server.close(() => {
    ledger.close();
  });
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
