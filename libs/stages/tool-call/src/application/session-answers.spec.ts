import type { JsonObject } from '#lib/canonical';
import { TARGETS } from './fake-gate.js';
import { CAUTIOUS, codeOf, inSession, LEADS } from './fake-session-gate.js';

describe('a session with an answer that takes longer than it may rest', () => {
  it.each([
    ['approve', { always: true }, 'allowed'],
    ['reject', {}, 'denied'],
  ] as const)('is open for it, and for the next call: %s', async (verdict, more, state) => {
    const { gate, submit, asked } = await inSession({ idleSeconds: 60, approvalSeconds: 600 });
    await gate.put(LEADS, 3);
    const answer = await asked({ tool: 'label', arguments: TARGETS });
    gate.uow.now += 300_000;
    expect(codeOf(await submit())).toBe('ok');
    gate.uow.now += 200_000;
    expect(codeOf(await gate.review(gate.person('SRELead'), answer, verdict, more))).toBe('ok');
    expect(await gate.call(answer)).toMatchObject({ state });
    gate.uow.now += 59_999;
    expect(codeOf(await submit())).toBe('ok');
    gate.uow.now += 60_000;
    expect(codeOf(await submit())).toBe('session.ended');
  });
});

describe('the prompt about a call that waits', () => {
  it('is on record: the kind of work, the effect, the later calls of an "always", and the word', async () => {
    const { gate, shell } = await inSession();
    const prompts = () =>
      gate
        .audited()
        .flatMap(({ action, payload }) => (action === 'tool_call.asked' ? [(payload as JsonObject).prompt] : []));
    await shell('rm build/a');
    await shell('ls build');
    expect(prompts()).toEqual([
      {
        category: 'terminal-write',
        impact: 'shell executes in staging (Tier 2, DESTRUCTIVE): rm build/a',
        always_covers: { program: 'rm', class: 'DESTRUCTIVE', subcommand: '', flags: [] },
        confirm_word: null,
      },
    ]);
    const cautious = await gate.opened({ autonomy: CAUTIOUS });
    const question = { context: { sessionId: cautious.id }, tool: 'shell', arguments: { line: 'rm build/b' } };
    await gate.submitted(gate.running(gate.home.agent), question);
    expect(prompts()[1]).toMatchObject({ always_covers: null, confirm_word: 'CONFIRM' });
  });
});

describe('the word CONFIRM', () => {
  it('is needed to approve a destructive call of a cautious session, and not to reject it', async () => {
    const { gate, shell, lead } = await inSession({ autonomy: CAUTIOUS });
    const answer = await shell('rm build/a');
    expect(answer.decision.obligations.confirm_word).toBe('CONFIRM');
    for (const word of [undefined, 'confirm', 'yes']) {
      const given = word === undefined ? {} : { confirm_word: word };
      expect(await gate.review(lead, answer, 'approve', given)).toMatchObject({
        error: { code: 'review.confirm_word_required', errors: [{ pointer: '/confirm_word' }] },
      });
    }
    expect(codeOf(await gate.review(lead, answer, 'approve', { confirm_word: 'CONFIRM' }))).toBe('ok');
    expect(await gate.call(answer)).toMatchObject({ state: 'allowed' });
    const [said] = gate.audited().filter(({ action }) => action === 'review.submitted');
    expect(said?.payload).toMatchObject({ confirm_word: 'CONFIRM' });
    expect(codeOf(await gate.review(lead, await shell('rm build/b'), 'reject'))).toBe('ok');
  });

  it('is part of the operation that a second factor proves', async () => {
    const { gate, shell, lead } = await inSession({ autonomy: CAUTIOUS });
    const given = { confirm_word: 'CONFIRM' } as const;
    const answer = await shell('rm build/a');
    const plain = { ...given, step_up_id: await gate.proofOf(lead, answer) };
    expect(codeOf(await gate.review(lead, answer, 'approve', plain))).toBe('mfa.other_operation');
    const proved = { ...given, step_up_id: await gate.proofOf(lead, answer, given) };
    expect(codeOf(await gate.review(lead, answer, 'approve', proved))).toBe('ok');
  });

  it('is typed for each call: no "always" is said to it', async () => {
    const { gate, shell, lead } = await inSession({ autonomy: CAUTIOUS });
    const given = { confirm_word: 'CONFIRM', always: true };
    expect(codeOf(await gate.review(lead, await shell('rm build/a'), 'approve', given))).toBe('review.always_not_here');
  });

  it('is not asked for elsewhere', async () => {
    const { gate, shell, lead } = await inSession({ autonomy: CAUTIOUS });
    expect(codeOf(await gate.review(lead, await shell('touch a'), 'approve'))).toBe('ok');
  });
});
