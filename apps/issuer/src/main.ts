import { parseArgs } from 'node:util';
import { createIssuer } from './create-issuer.js';
import { issuerConfigFrom, requireDemonstration } from './issuer-config.js';

const help = `An OpenID Connect issuer for demonstrations: it asks who one is, and believes it.

  node dist/programs/issuer/main.js --demo --people <file> [--host localhost] [--port 8430]

<file> is JSON: { "client_url": "http://localhost:8420", "people": [{ "sub", "name", "email", "title", "groups" }] }
`;

const { values } = parseArgs({
  options: {
    demo: { type: 'boolean', default: false },
    people: { type: 'string' },
    host: { type: 'string', default: 'localhost' },
    port: { type: 'string', default: '8430' },
    help: { type: 'boolean', default: false },
  },
});

function start(): void {
  requireDemonstration(values, process.env);
  if (values.people === undefined) throw new Error('Say who there is: --people <file>.');
  const config = issuerConfigFrom(values.people, values.host, Number(values.port));
  const url = `http://${config.host}:${String(config.port)}`;
  const { server } = createIssuer(url, config);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
  server.listen(config.port, config.host, () => {
    process.stdout.write(`issuer ${url}\n`);
  });
}

if (values.help) process.stdout.write(help);
else {
  try {
    start();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
