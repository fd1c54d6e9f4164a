import { SlackCallError } from '../application/slack.ports.js';

const MAX_CLIENTS = 1_000;

/** Refusals of the token itself (https://docs.slack.dev/reference/methods/auth.test). */
const TOKEN_REFUSED = new Set(['invalid_auth', 'token_revoked', 'account_inactive']);

/**
 * The client of each token, in memory: to make one takes longer than a call with it. A thousand stay; the least recently used
 * goes first. The client of a token that Slack no longer takes goes at once.
 */
export class SlackClients<Client> {
  readonly #clients = new Map<string | undefined, Client>();

  /** @param call throws {@link SlackCallError} if Slack refuses. */
  async use<Answer>(
    token: string | undefined,
    make: () => Client,
    call: (client: Client) => Promise<Answer>,
  ): Promise<Answer> {
    const client = this.#clients.get(token) ?? make();
    this.#clients.delete(token);
    this.#clients.set(token, client);
    const oldest = this.#clients.keys().next();
    if (this.#clients.size > MAX_CLIENTS && oldest.done !== true) this.#clients.delete(oldest.value);
    try {
      return await call(client);
    } catch (error) {
      if (error instanceof SlackCallError && TOKEN_REFUSED.has(error.code)) this.#clients.delete(token);
      throw error;
    }
  }
}
