import { err, ok, type Failure, type PersonPrincipal, type Result, type UnitOfWork } from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import { TestIssuer } from './test-issuer.js';
import type { IssuerGateway, SignInSettingsRepository } from './sign-in.ports.js';

const unreachable: Failure = {
  kind: 'unavailable',
  code: 'issuer.unreachable',
  message: 'The issuer does not describe itself as it should, or cannot be reached.',
  details: { why: 'it says nothing of its keys' },
};

/** An installation with the issuer `demo`, which answers so. Of each port the test needs the one method that is called. */
const testing = (answer: Result<number>): TestIssuer =>
  new TestIssuer(
    { run: (_tenant: string, work: (tx: object) => unknown) => Promise.resolve(work({})) } as unknown as UnitOfWork,
    {
      read: () => Promise.resolve({ issuers: [{ name: 'demo', url: 'https://issuer', clientSecret: null }] }),
    } as unknown as SignInSettingsRepository,
    {} as SecretVault,
    { countKeys: () => Promise.resolve(answer) } as unknown as IssuerGateway,
  );

describe('TestIssuer', () => {
  it.each<[string, Result<number>, number | null, string | null]>([
    ['with keys: it works', ok(2), 2, null],
    ['without a key', ok(0), 0, 'It publishes no key, so nothing that it signs can be verified.'],
    ['that does not answer', err(unreachable), null, `${unreachable.message} it says nothing of its keys.`],
  ])('says of an issuer %s', async (_what, answer, keys, problem) => {
    const tested = await testing(answer).execute({} as PersonPrincipal, 'demo');
    expect(tested).toEqual(ok({ url: 'https://issuer', keys, problem }));
  });

  it('knows no other issuer', async () => {
    const tested = await testing(ok(1)).execute({} as PersonPrincipal, 'nobody');
    expect(tested).toMatchObject({ error: { code: 'resource.not_found' } });
  });
});
