import { httpAt } from './http-at.js';
import { TestBrowser, testIssuer, type TestIssuer } from './issuer.js';
import { serverPort } from './server-port.js';

/** The public address of several installations, before anything listens there, and an issuer at which Olga signs in to them. */
export interface PublicSite {
  readonly port: number;
  readonly address: string;
  readonly issuer: TestIssuer;
  readonly through: { http(token?: string): ReturnType<typeof httpAt> };
  /** A new browser without cookies. */
  browser(): TestBrowser;
}

export async function publicSite(): Promise<PublicSite> {
  // oidc-provider warns developers on the console.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  const port = await serverPort();
  const address = `http://127.0.0.1:${String(port)}`;
  const through = { http: (token?: string) => httpAt(address, token) };
  return {
    ...{ port, address, through },
    issuer: await testIssuer([{ sub: 'olga', name: 'Olga', groups: ['sre-leads'] }], address),
    browser: () => new TestBrowser(through, address),
  };
}
