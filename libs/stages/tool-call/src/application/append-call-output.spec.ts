import { newId, type AgentId, type Principal } from '#lib/kernel';
import type { CallChunk } from '../domain/call-output.js';
import { executionWorld } from './fake-execution-world.js';

const LINE: CallChunk = { stream: 'stdout', text: 'one line' };

async function taken() {
  const world = await executionWorld();
  const call = await world.allowed('agent');
  await world.take(world.agent, call.id);
  const append = async (firstSeq: number, chunks: readonly CallChunk[], by: Principal = world.agent) => {
    const result = await world.append.execute(by, call.id, firstSeq, chunks);
    return result.ok ? result.value : result.error.code;
  };
  const read = async (by: Principal = world.agent, after = 0) => {
    const result = await world.output.execute(by, call.id, after);
    return result.ok ? result.value : result.error.code;
  };
  return { ...world, call, append, read };
}

describe('the output of a call that its agent makes', () => {
  it('is read while it arrives, by its agent and by people', async () => {
    const { append, read, home } = await taken();
    expect(await append(1, [LINE, LINE])).toEqual({ seq: 2, cut: false });
    expect(await append(2, [LINE, LINE])).toEqual({ seq: 3, cut: false });
    expect(await append(5, [LINE])).toBe('tool_call.output_gap');
    const seen = { answeredBy: 'agent', open: true };
    expect(await read(home.owner, 2)).toEqual({ ...seen, chunks: [{ ...LINE, seq: 3, cut: false }] });
    expect(await read()).toMatchObject({ chunks: [{ seq: 1 }, { seq: 2 }, { seq: 3 }] });
  });

  it('T32: holds no secret', async () => {
    const { append, read } = await taken();
    const secret = `ghp_${'a'.repeat(36)}`;
    await append(1, [{ stream: 'stderr', text: `token ${secret}` }]);
    expect(JSON.stringify(await read())).not.toContain(secret);
  });

  it('T32: holds no secret that came in two chunks, and shows the text that was held back at the report', async () => {
    const { append, read, agent, report, call } = await taken();
    const secret = `ghp_${'a'.repeat(36)}`;
    const texts = async (): Promise<unknown> =>
      ((await read()) as { chunks: readonly { seq: number; text: string }[] }).chunks.map(({ seq, text }) => [
        seq,
        text,
      ]);
    expect(await append(1, [{ stream: 'stdout', text: `a ${secret.slice(0, 20)}` }])).toEqual({ seq: 1, cut: false });
    await append(2, [{ stream: 'stdout', text: `${secret.slice(20)}\na tok` }]);
    expect(await texts()).toEqual([
      [1, 'a '],
      [2, '[masked]\na '],
    ]);
    const outcome = { kind: 'succeeded', result: null } as const;
    await report.execute(agent, call.id, { jti: call.id, argumentsDigest: call.argumentsDigest, outcome });
    expect(await texts()).toEqual([
      [1, 'a '],
      [2, '[masked]\na '],
      [3, 'tok'],
    ]);
  });

  it('comes from its agent alone, and before its report', async () => {
    const { append, read, agent, home, report, call } = await taken();
    const another = { ...agent, agentId: newId<AgentId>() };
    expect(await append(1, [LINE], another)).toBe('resource.not_found');
    expect(await read(another)).toBe('resource.not_found');
    expect(await append(1, [LINE], home.owner)).toBe('tool_call.not_yours');
    const outcome = { kind: 'succeeded', result: null } as const;
    await report.execute(agent, call.id, { jti: call.id, argumentsDigest: call.argumentsDigest, outcome });
    expect(await append(1, [LINE])).toBe('tool_call.not_executing');
    expect(await read()).toMatchObject({ chunks: [], open: false });
  });
});
