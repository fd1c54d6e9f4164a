import { readFileSync } from 'node:fs';
import { CountersignClient, CountersignError, makeToolCall } from 'countersign/sdk';

const baseUrl = process.env.COUNTERSIGN_URL ?? 'http://localhost:8420';
const token = readFileSync(process.env.COUNTERSIGN_TOKEN_FILE, 'utf8').trim();
const countersign = new CountersignClient({ baseUrl, token });

const session = await countersign.post('/v1/sessions', {
  // Reads execute by themselves. All other calls ask a person, for two minutes at most.
  body: { environment: 'development' },
});
console.log(`People answer at ${baseUrl}/sessions/${session.id}`);

/** Asks for one call, and waits until it is denied or has ended: for people, and for the runner. */
async function call(tool, args, reason) {
  console.log(`\n${tool} ${JSON.stringify(args)}`);
  const answer = await makeToolCall(countersign, { tool, arguments: args, reason }, { session: session.id });
  const problem = answer.denial ?? answer.execution?.error;
  console.log(`  ${answer.outcome}${problem ? `: ${problem.message} (${problem.code})` : ''}`);
  return answer;
}

const read = async () => (await call('file-read', { path: 'price.mjs' }, 'To see how prices are rounded.')).execution;

try {
  const before = await read();
  const edit = await call(
    'file-edit',
    { path: 'price.mjs', old_text: 'Math.round', new_text: 'Math.floor' },
    'Rounding down is simpler.',
  );

  // The runner has executed `npm run test` after the write. A snapshot is named as long as there is something to roll back.
  const { checks = [], snapshot = null } = edit.execution?.result ?? {};
  for (const { script, passed, output } of checks)
    console.log(`  npm run ${script} ${passed ? 'passes' : 'fails'}: ${output.trim()}`);
  if (snapshot !== null) {
    await call('rollback-checkpoint', { snapshot }, 'My change breaks the tests.');
    const after = await read();
    console.log(`  price.mjs is ${after?.result.content === before?.result.content ? 'as before' : 'changed'}`);
  }

  const removal = await call('terminal-run', { command: 'rm -rf node_modules' }, 'To start again from nothing.');
  console.log(`  Tier ${removal.shell?.tier}`);
  for (const { message } of [...removal.reasons, ...(removal.shell?.parts ?? []).flatMap(({ reasons }) => reasons)])
    console.log(`  ${message}`);

  const apply = await call('terminal-run', { command: 'kubectl apply -f deployment.yaml' }, 'To release the shop.');
  if (apply.outcome === 'denied') console.log('  so nothing is released');
  const { exit_status: status, stdout, stderr } = apply.execution?.result ?? {};
  if (status !== undefined) console.log(`  kubectl ended with ${status}: ${stdout}${stderr}`.trimEnd());
} catch (error) {
  if (!(error instanceof CountersignError)) throw error;
  console.error(`${error.message} (${error.code})`);
  process.exitCode = 1;
} finally {
  // A session that nobody ends is ended for idling, after an hour.
  const ending = { path: { id: session.id }, body: { reason: 'closed' } };
  const ended = await countersign.post('/v1/sessions/{id}/end', ending).catch(({ message }) => ({ state: message }));
  console.log(`\nThe session: ${ended.state}`);
}
