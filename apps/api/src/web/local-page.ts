/** This machine by its address. Browsers give passkeys to `localhost` and to no address. */
const LOOPBACK_ADDRESS = /^(127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/;

/** The address by the machine's name of a page that was asked for by its IP address. */
export class LocalPage {
  readonly #public: URL;

  /** @param publicUrl where people reach Countersign. */
  constructor(publicUrl: string) {
    this.#public = new URL(publicUrl);
  }

  /**
   * The same page at `localhost`; null if it was asked for there, or if this installation is not reached as `localhost`.
   *
   * @param host the request's Host header.
   * @param path path and query of the request, as they came.
   */
  byName(host: string | undefined, path: string): string | null {
    const { protocol, hostname, port, origin } = this.#public;
    if (host === undefined || hostname !== 'localhost' || !LOOPBACK_ADDRESS.test(host)) return null;
    const asked = new URL(`${protocol}//${host}`);
    return asked.port === port ? `${origin}${path}` : null;
  }
}
