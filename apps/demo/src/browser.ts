import { addressOf, callsThrough, type AnswerTo, type SentCall } from '#lib/client';

const MAX_HOPS = 12;

type CurrentBrowserSession = AnswerTo<'get', '/v1/browser-sessions/current'>;
type SignedInPerson = Extract<CurrentBrowserSession, { readonly signed_in: true }>['person'];

/** Just enough of a browser to sign somebody in at the demo's issuer, as they would themselves. */
export class DemoBrowser {
  readonly #cookies = new Map<string, string>();
  #csrfToken = '';

  /** The API, as the pages of Countersign call it for the person who is signed in. */
  readonly api = callsThrough((method, path, call) => this.#call(method, path, call));

  /** @param baseUrl the address of Countersign. */
  constructor(private readonly baseUrl: string) {}

  /** Signs in as somebody of the issuer. */
  async signIn(tenant: string, sub: string): Promise<SignedInPerson> {
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
      if (url.origin === this.baseUrl && url.pathname === '/') return this.#person();
      if (url.searchParams.has('problem')) throw new Error(`${sub} was not let in: ${url.search}`);
    }
    throw new Error(`The sign-in of ${sub} leads round in circles.`);
  }

  async #person(): Promise<SignedInPerson> {
    const browserSession = await this.api.get('/v1/browser-sessions/current');
    if (!browserSession.signed_in) throw new Error('The sign-in ended, and nobody is signed in.');
    this.#csrfToken = browserSession.csrf_token;
    return browserSession.person;
  }

  async #call(method: string, path: string, { query, body }: SentCall): Promise<unknown> {
    const answer = await fetch(new URL(addressOf(path, query), this.baseUrl), {
      method,
      headers: {
        cookie: this.#cookieHeader(),
        origin: this.baseUrl,
        'x-countersign-csrf': this.#csrfToken,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${String(answer.status)}: ${await answer.text()}`);
    return answer.json();
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
