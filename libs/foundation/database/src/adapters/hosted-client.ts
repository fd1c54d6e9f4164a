import { Client, type ClientConfig } from 'pg';

/** The server of a connection. */
export interface HostedAt {
  readonly host: number;
  readonly url: string;
}

/** How a client finds its host. */
interface HostChoice {
  writing(): Promise<HostedAt>;
  hold(client: Client, host: number): void;
  suspect(host: number): void;
}

type Connected = (error: Error) => void;

/**
 * The class of clients that go to the host that writes when they connect. A pool makes them of the address of the first host;
 * the others have the same login and database.
 */
export function hostedClientClass(hosts: HostChoice): new (config: ClientConfig) => Client {
  return class HostedClient extends Client {
    override connect(): Promise<this>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<this> | undefined {
      const connecting = this.#connect();
      if (callback === undefined) return connecting.then(() => this);
      // The pool's callback takes no error for success.
      connecting.then(callback as () => void, callback);
      return undefined;
    }

    async #connect(): Promise<void> {
      const { host, url } = await hosts.writing();
      const { hostname, port } = new URL(url);
      this.host = hostname.replace(/^\[|\]$/g, '');
      this.port = port === '' ? 5_432 : Number(port);
      hosts.hold(this, host);
      try {
        await super.connect();
      } catch (error) {
        hosts.suspect(host);
        throw error;
      }
    }
  };
}
