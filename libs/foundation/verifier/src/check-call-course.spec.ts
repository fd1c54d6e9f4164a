import type { JsonObject } from '#lib/canonical';
import type { FakeEvent } from './fake-pack.js';
import { allowed, changed, checked, denied, ended, happened, sent } from './fake-session-events.js';

const [yes, out] = [allowed('call-0'), sent('call-0')];
const executed = (tree: string, more: JsonObject = {}, what = 'succeeded'): FakeEvent =>
  happened('call-0', what, { result: { exit_status: 0, tree_digest: tree }, ...more });
const executedLate = (tree: string): FakeEvent => executed(tree, {}, 'late_answer');
const of = (what: string): FakeEvent => happened('call-0', what);

describe('the course of a call in a session', () => {
  it.each<[string, readonly FakeEvent[]]>([
    ['sent and answered', [yes, out, of('succeeded')]],
    ['sent, and answered after the end of the session', [yes, out, ended, of('failed')]],
    ['sent again after the end', [yes, out, ended, sent('call-0', 2), of('succeeded')]],
    ['given up, and resolved by a person', [yes, out, of('unknown'), of('resolved'), of('late_answer')]],
    ['executed with its tree', [yes, out, executed('sha256:t')]],
    ['said by its agent to have another tree', [yes, out, executed('sha256:x', { unverified: true })]],
    [
      'answered with a member of that name, without a command line',
      [changed(yes, { tree: null }), changed(out, { tree: null }), executed('sha256:x')],
    ],
    ['answered late', [yes, out, of('late_answer'), sent('call-0', 2), of('succeeded'), of('late_answer')]],
  ])('may be %s', (_what, events) => {
    expect(checked(events)).toContain('1 call was sent, each after it was allowed');
  });

  it.each<[string, string, readonly FakeEvent[]]>([
    ['story.call_not_allowed', 'sent without a decision', [out]],
    ['story.call_not_allowed', 'sent before its decision', [out, yes]],
    ['story.call_not_allowed', 'sent under the decision of another call', [yes, sent('call-1')]],
    ['story.call_not_allowed', 'cancelled without a decision', [of('cancelled')]],
    ['story.call_stopped', 'sent though it was denied', [denied('call-0'), out]],
    ['story.call_stopped', 'sent after its cancel', [yes, of('cancelled'), out]],
    ['story.call_stopped', 'sent after its time', [yes, of('expired'), out]],
    ['story.call_stopped', 'stopped twice', [yes, of('cancelled'), of('expired')]],
    ['story.call_after_end', 'sent for the first time after the end of the session', [yes, ended, out]],
    ['story.call_attempt', 'sent twice in one attempt', [yes, out, out]],
    ['story.call_attempt', 'sent with an attempt left out', [yes, sent('call-0', 2)]],
    ['story.call_not_sent', 'answered before it was sent', [yes, of('succeeded'), out]],
    ['story.call_not_sent', 'answered after its cancel', [yes, of('cancelled'), of('failed')]],
    ['story.call_not_sent', 'answered late without being sent', [yes, of('late_answer')]],
    ['story.call_not_sent', 'given up without being sent', [yes, of('unknown')]],
    ['story.call_not_sent', 'resolved without being sent', [yes, of('resolved')]],
    ['story.call_outcome', 'answered twice', [yes, out, of('failed'), of('succeeded')]],
    ['story.call_outcome', 'sent after its answer', [yes, out, of('succeeded'), sent('call-0', 2)]],
    ['story.call_outcome', 'cancelled after it was sent', [yes, out, of('cancelled')]],
    ['story.call_outcome', 'cancelled after its answer', [yes, out, of('succeeded'), of('cancelled')]],
    ['story.call_outcome', 'answered after it was given up', [yes, out, of('unknown'), of('succeeded')]],
    ['story.call_outcome', 'resolved with a known outcome', [yes, out, of('succeeded'), of('resolved')]],
    ['story.call_outcome', 'resolved while it is in flight', [yes, out, of('resolved')]],
    ['story.executed_tree', 'sent with another tree', [yes, changed(out, { tree: 'sha256:x' })]],
    ['story.executed_tree', 'sent without its tree', [yes, changed(out, { tree: null })]],
    ['story.executed_tree', 'executed with another tree', [yes, out, executed('sha256:x')]],
    ['story.executed_tree', 'executed late with another tree', [yes, out, of('unknown'), executedLate('sha256:x')]],
    ...['arguments_digest', 'tool', 'tool_version', 'environment'].map((name): [string, string, FakeEvent[]] => [
      'story.executed_digest',
      `sent with another ${name}`,
      [yes, changed(out, { [name]: 'other' })],
    ]),
    ['story.executed_digest', 'answered for others', [yes, out, changed(of('succeeded'), { arguments_digest: 'x' })]],
  ])('is refused with %s if it is %s', (code, _what, events) => {
    expect(checked(events)).toBe(code);
  });

  it('may end with the call stopped after the end of the session', () => {
    expect(checked([yes, ended, of('cancelled')])).toContain('1 call decided');
  });

  it('goes on in the log after a restore', () => {
    expect(checked([yes, out, of('succeeded')], 1)).toContain('1 call was sent');
  });

  it('takes a late answer of a call that a restore stopped: the backup lacks that it was sent', () => {
    const events = [yes, of('cancelled'), of('late_answer')];
    expect(checked(events, 1)).toContain('1 call decided');
    expect(checked(events)).toBe('story.call_not_sent');
    expect(checked([yes, of('cancelled'), out], 1)).toBe('story.call_stopped');
  });

  it('makes no check for lack of a payload', () => {
    expect(checked([{ ...yes, erased: true }, out])).toContain('1 call was sent');
    expect(checked([yes, { ...sent('call-0', 9), erased: true }, sent('call-0', 2)])).toContain('1 call was sent');
  });
});
