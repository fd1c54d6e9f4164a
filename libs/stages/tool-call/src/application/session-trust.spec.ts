import type { PersonPrincipal, Principal } from '#lib/kernel';
import { definitionText, sampleExecutor, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { codesOf, fakeGate, LABEL, TARGETS } from './fake-gate.js';
import { codeOf, inSession, LEADS, OPEN, TIERS } from './fake-session-gate.js';
import type { ToolCallAnswer } from './tool-call-answer.js';

type Gate = Awaited<ReturnType<typeof fakeGate>>;

/** A session in which a lead answered "always". */
async function trusted() {
  const session = await inSession();
  const { gate, shell, lead } = session;
  await gate.put(LEADS, 3);
  await gate.review(lead, await shell('rm build/a'), 'approve', { always: true });
  expect(await shell('rm build/b')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
  return session;
}

describe('an "always"', () => {
  it('lets later calls of this shape through, each on record as trusted', async () => {
    const { gate, shell, lead } = await inSession();
    const first = await shell('rm build/a');
    expect(first).toMatchObject({ state: 'pending' });
    expect(codeOf(await gate.review(lead, first, 'approve', { always: true }))).toBe('ok');
    const later = await shell('rm build/b');
    expect(later).toMatchObject({ state: 'allowed', decidedAs: 'trusted', requestId: null });
    expect(codesOf(later)).toContain('session.trusted');
    expect(gate.audited().at(-1)).toMatchObject({
      action: 'tool_call.decided',
      payload: { decided_as: 'trusted', trust_id: expect.stringMatching(/-/) as string },
    });
    expect(gate.audited().map(({ action }) => action)).toContain('session.trusted');
    expect(await shell('rm -r build/b')).toMatchObject({ state: 'pending' });
    expect(await shell('touch build/b')).toMatchObject({ state: 'pending' });
  });

  it.each(['its maker with a token', 'an agent that acts for its maker'])(
    'T03: covers no call of %s',
    async (whose) => {
      const gate = await fakeGate();
      await gate.put(OPEN, 2);
      const [lead, ben] = [gate.person('SRELead'), gate.person('SRELead')];
      const openedBy = {
        kind: 'person',
        id: lead.personId,
        credentialId: lead.credentialId,
        onBehalfOf: null,
      } as const;
      const session = await gate.opened({ autonomy: TIERS, openedBy });
      const rm = async (by: Principal, name: string): Promise<ToolCallAnswer> => {
        const question = { context: { sessionId: session.id }, tool: 'shell', arguments: { line: `rm build/${name}` } };
        const answer = await gate.submitted(gate.running(by), question);
        if (!answer.ok) throw new Error(answer.error.code);
        return answer.value;
      };
      const { agent } = gate.home;
      const own: Principal = whose.startsWith('an agent')
        ? { ...agent, onBehalfOf: lead.personId }
        : { ...lead, credentialKind: 'person_token' };
      await gate.review(lead, await rm(agent, 'a'), 'approve', { always: true });
      const second = await rm(own, 'b');
      expect(second).toMatchObject({ state: 'pending', decidedAs: null });
      expect(await rm(agent, 'c')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
      // The answer of somebody else is another "always".
      expect(codeOf(await gate.review(ben, second, 'approve', { always: true }))).toBe('ok');
      expect(await rm(own, 'd')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    },
  );

  it.each<[string, (gate: Gate, lead: PersonPrincipal) => unknown]>([
    ['is disabled', (gate, lead) => gate.stands(lead, { disabled: true })],
    ['was signed out', (gate, lead) => gate.signOut(lead)],
    ['lost the role that answers', (gate, lead) => gate.stands(lead, { roles: [] })],
  ])('T06: covers nothing once its maker %s, and the next person may say it anew', async (_why, change) => {
    const { gate, shell, lead } = await trusted();
    await change(gate, lead);
    const again = await shell('rm build/c');
    expect(again).toMatchObject({ state: 'pending', decidedAs: null });
    expect(codeOf(await gate.review(gate.person('SRELead'), again, 'approve', { always: true }))).toBe('ok');
    expect(await shell('rm build/d')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
  });

  it.each([
    ['lets its maker answer', `${OPEN}      allowed_approvers: [SRE]\n`],
    ['asks for no second factor, which its maker did not prove', `${LEADS}      require_mfa: true\n`],
  ])('T06: covers calls only while the tenant %s', async (_why, stricter) => {
    const { gate, shell } = await trusted();
    await gate.put(stricter, 4);
    expect(await shell('rm build/c')).toMatchObject({ state: 'pending', decidedAs: null });
    await gate.put(LEADS, 5);
    expect(await shell('rm build/d')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
  });

  it('T06: covers calls still if the second factor that is asked for was proved for it', async () => {
    const { gate, shell, lead } = await inSession();
    await gate.put(LEADS, 3);
    const first = await shell('rm build/a');
    const step_up_id = await gate.proofOf(lead, first, { always: true });
    expect(codeOf(await gate.review(lead, first, 'approve', { always: true, step_up_id }))).toBe('ok');
    await gate.put(`${LEADS}      require_mfa: true\n`, 4);
    expect(await shell('rm build/b')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
  });

  it.each(['version of the tool', 'version of the executor'])('T01: covers no call of another %s', async (what) => {
    const { gate, asked, lead } = await inSession();
    const { staging, admin } = gate.home;
    const other = sampleTool('label', { ...LABEL, description: 'Does more.' }, 2);
    const executor = sampleExecutor(staging);
    const label = () => asked({ tool: 'label', arguments: TARGETS });
    const put = (version: number) =>
      gate.atHome((tx) =>
        what.endsWith('tool')
          ? gate.stores.tools.addVersion(tx, other, definitionText(other.definition), admin.personId, version)
          : gate.stores.executors.save(
              tx,
              staging.id,
              sampleExecutor(staging, { ...executor, version, url: `https://${String(version)}.example.com` }),
              admin.personId,
              version,
            ),
      );
    if (what.endsWith('executor')) await put(1);
    await gate.review(lead, await label(), 'approve', { always: true });
    expect(await label()).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    await put(2);
    const again = await label();
    expect(again).toMatchObject({ state: 'pending' });
    expect(codeOf(await gate.review(lead, again, 'approve', { always: true }))).toBe('ok');
    expect(await label()).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
  });

  it('covers other tools by the values that identify their calls', async () => {
    const { gate, asked, lead } = await inSession();
    const label = (targets: string[]) => asked({ tool: 'label', arguments: { targets } });
    await gate.review(lead, await label(['a']), 'approve', { always: true });
    expect(await label(['a'])).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    expect(await label(['a', 'b'])).toMatchObject({ state: 'pending' });
  });

  it('holds in its session alone, and is none of a call that asks nobody', async () => {
    const { gate, shell, lead, session } = await inSession();
    await gate.review(lead, await shell('rm build/a'), 'approve', { always: true });
    expect(await shell('ls build')).toMatchObject({ state: 'allowed', decidedAs: 'auto_approved' });
    const other = await gate.opened({ autonomy: session.autonomy });
    const elsewhere = await gate.submitted(gate.running(gate.home.agent), {
      context: { sessionId: other.id },
      tool: 'shell',
      arguments: { line: 'rm build/a' },
    });
    expect(elsewhere).toMatchObject({ value: { state: 'pending' } });
  });

  it('is refused if the autonomy document asks, too, and outside a session', async () => {
    const { gate, asked, lead } = await inSession();
    await gate.put(`${OPEN}      require_approval: true\n      allowed_approvers: [SRELead]\n`, 3);
    const both = await asked({ tool: 'label', arguments: TARGETS });
    const alone = await gate.ask('shell', 'staging', { line: 'rm build/a' });
    for (const answer of [both, alone]) {
      expect(codeOf(await gate.review(lead, answer, 'approve', { always: true }))).toBe('review.always_not_here');
      expect(await gate.call(answer)).toMatchObject({ state: 'pending' });
    }
  });

  it('wants a proof of its own: one for this call alone does not say always, and the other way round', async () => {
    const { gate, shell, lead } = await inSession();
    const answer = await shell('rm build/a');
    const alone = await gate.proofOf(lead, answer);
    const always = await gate.proofOf(lead, answer, { always: true });
    const given = (step_up_id: string, more: object = {}) =>
      gate.review(lead, answer, 'approve', { step_up_id, ...more });
    expect(codeOf(await given(alone, { always: true }))).toBe('mfa.other_operation');
    expect(codeOf(await given(always))).toBe('mfa.other_operation');
    expect(await gate.call(answer)).toMatchObject({ state: 'pending' });
    expect(codeOf(await given(always, { always: true }))).toBe('ok');
    expect(gate.audited().find(({ action }) => action === 'review.submitted')?.payload).toMatchObject({
      verdict: 'approve',
      always: true,
    });
  });

  it('about an ordinary write covers no write of code, and none is given for one (T52)', async () => {
    const { gate, asked, lead } = await inSession();
    const write = (path: string) => asked({ tool: 'write-file', arguments: { host: 'a', path } });
    expect(codeOf(await gate.review(lead, await write('a.txt'), 'approve', { always: true }))).toBe('ok');
    expect(await write('b.txt')).toMatchObject({ state: 'allowed', decidedAs: 'trusted' });
    const code = await write('.git/hooks/pre-commit');
    expect(code).toMatchObject({ state: 'pending' });
    expect(codeOf(await gate.review(lead, code, 'approve', { always: true }))).toBe('tool_call.no_shape');
    expect(codeOf(await gate.review(lead, code))).toBe('ok');
    expect(await write('.git/hooks/pre-commit')).toMatchObject({ state: 'pending' });
  });

  it('is refused for a call without a shape, and with a rejection', async () => {
    const { gate, shell, lead } = await inSession();
    const shapeless = await shell('rm build/a && rm build/b');
    expect(codeOf(await gate.review(lead, shapeless, 'approve', { always: true }))).toBe('tool_call.no_shape');
    const answer = await shell('rm build/a');
    expect(codeOf(await gate.review(lead, answer, 'reject', { always: true }))).toBe('review.always_not_here');
    expect(codeOf(await gate.review(lead, shapeless))).toBe('ok');
  });
});
