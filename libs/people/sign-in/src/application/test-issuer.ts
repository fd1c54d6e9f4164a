import { err, notFound, ok, type PersonPrincipal, type Result, type UnitOfWork } from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import { issuerClient } from './issuer-clients.js';
import type { IssuerGateway, SignInSettingsRepository } from './sign-in.ports.js';

/** Whether people could sign in at an issuer now, as far as that shows without anybody. */
export interface IssuerTest {
  readonly url: string;
  /** How many keys it signs with; null if they could not be read. */
  readonly keys: number | null;
  /** The problem, in words for an admin; null if there is none. */
  readonly problem: string | null;
}

/** Reads the description and the keys of an issuer that is in force. It changes nothing. Failures: `resource.not_found`. */
export class TestIssuer {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly settings: SignInSettingsRepository,
    private readonly vault: SecretVault,
    private readonly gateway: IssuerGateway,
  ) {}

  async execute(by: PersonPrincipal, name: string): Promise<Result<IssuerTest>> {
    const found = await this.uow.run(by.tenantId, async (tx) => {
      const issuer = (await this.settings.read(tx)).issuers.find((one) => one.name === name);
      return issuer === undefined ? null : { url: issuer.url, client: await issuerClient(tx, this.vault, issuer) };
    });
    if (found === null) return err(notFound('issuer'));
    const { url, client } = found;
    const keys = client.ok ? await this.gateway.countKeys(client.value) : client;
    if (!keys.ok) {
      const { message, details } = keys.error;
      const why = typeof details?.why === 'string' ? ` ${details.why}.` : '';
      return ok({ url, keys: null, problem: `${message}${why}` });
    }
    const problem = keys.value === 0 ? 'It publishes no key, so nothing that it signs can be verified.' : null;
    return ok({ url, keys: keys.value, problem });
  }
}
