import { PassThrough } from 'node:stream';
import { FailureError, newId, type TenantId } from '#lib/kernel';
import { lineReceiver } from './line-receiver.js';
import { channelKeys, SealedChannel } from './sealed-channel.js';
import { serveReceiver, type TargetKeys } from './serve-receiver.js';

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));
const WRAPPED = { keyId: 'k1', nonce: bytes('nonce'), ciphertext: bytes('ciphertext') };

/** Both ends over pipes, and the lines between them. */
async function connected(keys: Partial<TargetKeys> = {}) {
  const [requests, answers] = [new PassThrough(), new PassThrough()];
  const travelled: string[] = [];
  for (const stream of [requests, answers]) stream.on('data', (chunk: Buffer) => travelled.push(chunk.toString()));
  const refuse = (): Promise<never> => Promise.reject(new Error('not asked'));
  const serving = serveReceiver(requests, answers, {
    identity: 'b',
    reachedDatabase: refuse,
    wrap: refuse,
    unwrap: refuse,
    addMoved: refuse,
    keepSigningKey: refuse,
    startEpoch: refuse,
    ...keys,
  });
  return { receiver: await lineReceiver(answers, requests, () => serving), travelled, requests };
}

describe('the receiver at the other end of two pipes', () => {
  it('names its database', async () => {
    const { receiver } = await connected();
    expect(await receiver.identity()).toBe('b');
    await receiver.close();
  });

  it('says which database the move reaches', async () => {
    const moveId = newId();
    const { receiver } = await connected({ reachedDatabase: (id) => Promise.resolve(id === moveId ? 'b' : null) });
    expect([await receiver.reachedDatabase(moveId), await receiver.reachedDatabase(newId())]).toEqual(['b', null]);
    await receiver.close();
  });

  it('wraps each value, and no plaintext travels readable', async () => {
    const asked: string[] = [];
    const { receiver, travelled } = await connected({
      wrap: (purpose, plain) => {
        asked.push(`${purpose}=${Buffer.from(plain).toString()}`);
        return Promise.resolve(WRAPPED);
      },
    });
    expect(await receiver.wrap([{ purpose: 'p', plain: bytes('hunter2') }])).toEqual([WRAPPED]);
    expect(asked).toEqual(['p=hunter2']);
    const all = travelled.join('');
    for (const spelling of [
      'hunter2',
      Buffer.from('hunter2').toString('base64'),
      Buffer.from('ciphertext').toString('base64'),
    ])
      expect(all).not.toContain(spelling);
    await receiver.close();
  });

  it('digests a plaintext as this side does, and differs for another or for one that does not open', async () => {
    const { receiver } = await connected({
      unwrap: (purpose) => (purpose === 'p' ? Promise.resolve(bytes('hunter2')) : Promise.reject(new Error('no'))),
    });
    const [same, closed] = await receiver.digests([
      { purpose: 'p', wrapped: WRAPPED },
      { purpose: 'q', wrapped: WRAPPED },
    ]);
    expect(same).toBe(receiver.digest({ purpose: 'p', plain: bytes('hunter2') }));
    expect(same).not.toBe(receiver.digest({ purpose: 'p', plain: bytes('other') }));
    expect(same).not.toBe(receiver.digest({ purpose: 'q', plain: bytes('hunter2') }));
    expect(closed).toBe('');
    await receiver.close();
  });

  it('digests under a key of the channel, so that a digest tells nothing elsewhere', async () => {
    const [one, other] = [await connected(), await connected()];
    const value = { purpose: 'p', plain: bytes('hunter2') };
    expect(one.receiver.digest(value)).not.toBe(other.receiver.digest(value));
    await Promise.all([one.receiver.close(), other.receiver.close()]);
  });

  it('takes keys, and begins an epoch', async () => {
    const taken: unknown[] = [];
    const take = (...parts: unknown[]): Promise<void> => {
      taken.push(...parts);
      return Promise.resolve();
    };
    const { receiver } = await connected({
      addMoved: take,
      keepSigningKey: take,
      startEpoch: ({ closed }) => Promise.resolve(closed + 1),
    });
    const tenantId = newId<TenantId>();
    await receiver.takeKeys([{ purpose: 'row-seal', id: 'k1', key: bytes('key') }]);
    await receiver.takeSigningKey(tenantId, 'audit-1', bytes('pem'));
    expect(taken).toEqual([[{ purpose: 'row-seal', id: 'k1', key: bytes('key') }], tenantId, 'audit-1', bytes('pem')]);
    expect(await receiver.startEpoch({ tenantId, moveId: newId(), closed: 3, reason: 'moved' })).toBe(4);
    await receiver.close();
  });

  it('tells why it refused, and goes on', async () => {
    const { receiver } = await connected({ addMoved: () => Promise.reject(new Error('The keyring is read-only.')) });
    await expect(receiver.takeKeys([])).rejects.toMatchObject({
      failure: {
        code: 'tenant_move.receiver_refused',
        message: 'The receiver refused a request: The keyring is read-only.',
      },
    });
    expect(await receiver.digests([])).toEqual([]);
    await receiver.close();
  });

  it('tells the action of a refusal, too', async () => {
    const failure = {
      kind: 'unavailable',
      code: 'database.login_refused',
      message: 'No.',
      action: 'Correct X.',
    } as const;
    const { receiver } = await connected({ reachedDatabase: () => Promise.reject(new FailureError(failure)) });
    await expect(receiver.reachedDatabase(newId())).rejects.toMatchObject({
      failure: { message: 'The receiver refused a request: database.login_refused: No. Correct X.' },
    });
    await receiver.close();
  });

  it('fails if it ends before it answers', async () => {
    const [requests, answers] = [new PassThrough(), new PassThrough()];
    const connecting = lineReceiver(answers, requests, () => Promise.resolve());
    answers.end();
    await expect(connecting).rejects.toMatchObject({ failure: { code: 'tenant_move.receiver_ended' } });
  });

  it.each(['Welcome to cell-b', '{"publicKey":7}', ''])('shows the line %j, which no receiver writes', async (line) => {
    const [requests, answers] = [new PassThrough(), new PassThrough()];
    const connecting = lineReceiver(answers, requests, () => Promise.resolve());
    answers.write(`${line}\n`);
    await expect(connecting).rejects.toMatchObject({
      failure: {
        code: 'tenant_move.receiver_answer',
        message: expect.stringContaining(`does not write: ${JSON.stringify(line)}.`) as string,
      },
    });
  });
});

describe('a sealed channel', () => {
  it('opens nothing that was changed, or sealed for another', () => {
    const [here, there, elsewhere] = [channelKeys(), channelKeys(), channelKeys()];
    const one = new SealedChannel(here.privateKey, there.publicKey);
    const other = new SealedChannel(there.privateKey, here.publicKey);
    const sealed = one.seal({ a: 1 });
    expect(other.open(sealed)).toEqual({ a: 1 });
    const flipped = Buffer.from(sealed, 'base64url');
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    expect(() => other.open(flipped.toString('base64url'))).toThrow();
    expect(() => new SealedChannel(elsewhere.privateKey, here.publicKey).open(sealed)).toThrow();
  });
});
