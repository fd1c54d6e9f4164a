const MAX_HOPS = 12;

/** Just enough of a browser to sign somebody in at the demo's issuer, as they would themselves. */
export class DemoBrowser {
  readonly #cookies = new Map<string, string>();

  /** @param baseUrl the address of Countersign. */
  constructor(private readonly baseUrl: string) {}

  /** Signs in as somebody of the issuer. */
  async signIn(tenant: string, sub: string): Promise<void> {
    let url = new URL(`/sign-in?tenant=${tenant}&return_to=/`, this.baseUrl);
    let form: string | null = null;
    for (let hops = 0; hops < MAX_HOPS; hops += 1) {
      const answer = await this.#request(url, form);
      const location = answer.headers.get('location');
      if (location === null) {
        if (answer.status >= 400 || form !== null)
          throw new Error(`The issuer did not let ${sub} in: ${await answer.text()}`);
        form = `sub=${encodeURIComponent(sub)}`;
        continue;
      }
      form = null;
      url = new URL(location, url);
      if (url.origin === this.baseUrl && url.pathname === '/') return;
      if (url.searchParams.has('problem')) throw new Error(`${sub} was not let in: ${url.search}`);
    }
    throw new Error(`The sign-in of ${sub} leads round in circles.`);
  }

  /** The person signed in. */
  async session(): Promise<{ readonly person: { readonly id: string }; readonly csrf_token: string }> {
    const answer = await this.#request(new URL('/v1/browser-sessions/current', this.baseUrl), null);
    return (await answer.json()) as { person: { id: string }; csrf_token: string };
  }

  /** Sends a request as a page of Countersign would. */
  async post<T>(path: string, body: unknown, csrfToken: string): Promise<T> {
    const answer = await fetch(new URL(path, this.baseUrl), {
      method: 'POST',
      headers: {
        cookie: this.#cookieHeader(),
        origin: this.baseUrl,
        'content-type': 'application/json',
        'x-countersign-csrf': csrfToken,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async #request(url: URL, form: string | null): Promise<Response> {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: this.#cookieHeader(),
        // As if the person had typed the address: a sign-in that another site begins asks first.
        'sec-fetch-site': 'none',
        ...(form === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === null ? {} : { method: 'POST', body: form }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, value);
    }
    return answer;
  }

  #cookieHeader(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
