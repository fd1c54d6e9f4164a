import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Longer than the hook takes by itself, in seconds. */
const LONGEST = 150;

/** Asks Countersign before each tool call of opencode, reports how it ended, and ends the session of a deleted one. */
export const Countersign = async ({ directory }) => ({
  'tool.execute.before': async (input, output) => {
    const answer = await hook({ hook: 'tool.execute.before', directory, input, output });
    // `ask` leaves the call to opencode's own permissions. Anything else is a denial, and throwing is how opencode hears it.
    if (answer?.status !== 'allow' && answer?.status !== 'ask')
      throw new Error(answer?.message ?? 'Countersign did not answer, so this call is denied.');
  },
  'tool.execute.after': async (input, output) => {
    await hook({ hook: 'tool.execute.after', directory, input, output }).catch(({ message }) => console.error(message));
  },
  event: async ({ event }) => {
    if (event.type !== 'session.deleted') return;
    await hook({ hook: 'event', event }).catch(({ message }) => console.error(message));
  },
});

/** Runs `countersign hook opencode`. Rejects if it does not end well, and within its time. */
async function hook(document) {
  const child = spawn('countersign', ['hook', 'opencode', '--wait', '130'], {
    signal: AbortSignal.timeout(LONGEST * 1_000),
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(document));
  const ended = new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code !== 0) throw new Error(err.trim() || 'countersign hook ended without an answer.');
  return out === '' ? null : JSON.parse(out);
}
