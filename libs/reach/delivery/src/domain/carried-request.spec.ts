import type { ApprovalRequest, ToldRequest } from '#lib/approval';
import { FakeApprovalWorld } from '../../../../stages/approval/src/application/fake-approval-world.js';
import { callRules } from '../../../../stages/approval/src/application/fake-call.js';
import { readCarried, spellCarried } from './carried-request.js';
import { callMessage, message } from './fake-request-message.js';
import { requestMessage } from './request-message.js';

const FORMAT_1 = `
  always.program
  always.subcommand
  asked[].count
  asked[].filled
  asked[].roles[]
  call.arguments.command
  call.category
  call.executor
  call.impact
  call.level
  call.tool.digest
  call.tool.name
  call.tool.version
  changedSince.lines[]
  changedSince.people[]
  closedReason
  confirmWord
  deadline
  description.environment
  description.headline
  description.phases[].batches[].number
  description.phases[].batches[].targets[]
  description.phases[].canary
  description.phases[].name
  description.phases[].number
  description.phases[].rollback_if
  description.phases[].steps[].call.arguments[].name
  description.phases[].steps[].call.arguments[].value
  description.phases[].steps[].call.paths
  description.phases[].steps[].call.shell
  description.phases[].steps[].call.targets_as[]
  description.phases[].steps[].call.tool.effect
  description.phases[].steps[].call.tool.executor
  description.phases[].steps[].call.tool.idempotent
  description.phases[].steps[].call.tool.name
  description.phases[].steps[].call.tool.risk
  description.phases[].steps[].call.tool.version
  description.phases[].steps[].calls[].batch
  description.phases[].steps[].calls[].seq
  description.phases[].steps[].calls[].targets[]
  description.phases[].steps[].calls[].undo_targets
  description.phases[].steps[].on_failure
  description.phases[].steps[].spread
  description.phases[].steps[].step_id
  description.phases[].steps[].undo
  description.phases[].wait_seconds
  description.revision
  description.risk
  description.targets[]
  digest
  environment.name
  environment.production
  id
  mfa
  past
  reason
  requester.kind
  requester.name
  requester.onBehalfOf
  reviews[].comment
  reviews[].knownBy[]
  reviews[].method
  reviews[].person
  reviews[].verdict
  run
  said.goal
  simulation.affected
  simulation.by[]
  simulation.minutes
  simulation.points[]
  simulation.risk
  start.kind
  state
  type
  whatRuns
  why[]
`
  .trim()
  .split(/\s+/);

const AROUND = { requesterName: 'drift-bot', onBehalfOfName: 'Olga', environment: 'production', past: 'Asked once.' };

/** Every member of a value, by its path; the items of a list are one. */
function pathsOf(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${at}[]`));
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, at === '' ? name : `${at}.${name}`));
}

describe('a request that a message carries', () => {
  let world: FakeApprovalWorld;
  beforeEach(() => {
    world = new FakeApprovalWorld();
  });
  const carriedBy = async (ask: () => Promise<ApprovalRequest>): Promise<ToldRequest> => {
    await ask();
    const told = world.carried.at(-1);
    if (told === undefined) throw new Error('nothing was carried');
    return told;
  };

  it.each<[string, () => Promise<ApprovalRequest>]>([
    ['a plan', () => world.asked()],
    [
      'a call',
      () => {
        world.autonomy(callRules());
        return world.askedAboutCall();
      },
    ],
  ])('about %s reads as its records do, with the names of the moment', async (_what, ask) => {
    const told = await carriedBy(ask);
    const { requesterName, onBehalfOfName, past } = AROUND;
    const read = requestMessage(told, { requesterName, onBehalfOfName, past, earlierApprovals: [], run: null });
    const environment = { ...read.environment, name: AROUND.environment };
    expect(readCarried(spellCarried(told))?.(AROUND)).toEqual({ ...read, environment });
  });

  it('is not read if another version spelled it', async () => {
    const text = spellCarried(await carriedBy(() => world.asked()));
    expect(readCarried(text.replace('request-message/1', 'request-message/2'))).toBeNull();
  });

  it('is not read in another shape', async () => {
    const text = spellCarried(await carriedBy(() => world.asked()));
    expect(readCarried(text.replace('"mfa":', '"mfas":'))).toBeNull();
    expect(readCarried(text.replace('"mfa":', '"more":1,"mfa":'))).toBeNull();
  });

  /** If this fails, the format of carried requests needs its next number. */
  it('has the members of format 1', () => {
    expect([...new Set([...pathsOf(message()), ...pathsOf(callMessage())])].sort()).toEqual(FORMAT_1);
  });
});
