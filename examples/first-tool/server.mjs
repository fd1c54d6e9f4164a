import { createServer } from 'node:http';
import { argumentsWithSecrets, GrantError, grantVerifier } from 'countersign/sdk';

const verify = grantVerifier({
  issuer: process.env.COUNTERSIGN_ISSUER, // the value of COUNTERSIGN_PUBLIC_URL, to the letter
  audience: 'fleet.production', // as `countersign executor put` printed it: the executor's name and its environment
  environments: ['production'], // a grant of any other environment is refused
  tenants: [process.env.COUNTERSIGN_TENANT], // as `countersign whoami` shows it
  replay: 'redeem', // or a durable store of your own
});

const tools = {
  simulate_restart: ({ targets }) => ({
    affected_assets: targets.length,
    estimated_duration_minutes: targets.length,
    predicted_risk: 'low',
    health_check_points: ['no server is unhealthy'],
    details: {},
  }),
  restart: ({ targets }) => ({ restarted: targets }),
  check_servers: ({ targets }) => ({ metrics: { unhealthy: 0, checked: targets.length } }),
};

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  try {
    const call = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const claims = await verify(request.headers['countersign-grant'], call); // before anything else
    const tool = tools[call.tool];
    if (tool === undefined)
      return answer(404, { code: 'fleet.no_such_tool', detail: `There is no ${call.tool} here.` });
    console.log(`${call.tool} in ${claims.environment}, as ${call.idempotency_key}`);
    answer(200, { ok: true, result: tool(argumentsWithSecrets(call)) });
  } catch (error) {
    if (error instanceof GrantError) return answer(403, { code: error.code, detail: error.message });
    if (error instanceof SyntaxError) return answer(400, { code: 'fleet.bad_json', detail: error.message });
    answer(500, { code: 'fleet.broken', detail: 'See the log.' }); // whether something was done is then not known
  }
});
server.listen(Number(process.env.PORT ?? 9100), '127.0.0.1', () => console.log(`port ${server.address().port}`));
