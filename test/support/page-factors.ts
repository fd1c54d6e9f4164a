import { generateSync } from 'otplib';
import type { Page } from 'playwright-core';
import { withVirtualAuthenticator, type BrowserWorld } from './browser.js';

/** Calls the API from a page with the browser session of its reader; the expression calls `post`. */
async function asReader<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate<T>(`(async () => {
    const { csrf_token: token } = await (await fetch('/v1/browser-sessions/current')).json();
    const post = async (path, body) => {
      const answer = await fetch(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
          'x-countersign-csrf': token,
        },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(text);
      return text === '' ? null : JSON.parse(text);
    };
    return await (${expression});
  })()`);
}

/**
 * Gives the reader of a page an authenticator app, past the dialog, which control-and-evidence.spec.ts walks through.
 *
 * @returns the app: it shows a code that was not used.
 */
export async function withApp({ api }: BrowserWorld, page: Page): Promise<() => Promise<string>> {
  const { id, secret } = await asReader<{ id: string; secret: string }>(page, "post('/v1/factors/totp', {})");
  await asReader(page, `post('/v1/factors/totp/${id}/confirm', { code: '${generateSync({ secret })}' })`);
  return async () => {
    // The step of the code before is used up; a person would wait for the next.
    await api.db.owner.query('update factor set last_step = null where id = $1', [id]);
    return generateSync({ secret });
  };
}

/** Gives the reader of a page a passkey, past the dialog, which settings.spec.ts walks through. */
export async function withPasskey(page: Page): Promise<void> {
  await withVirtualAuthenticator(page);
  await asReader(
    page,
    `post('/v1/factors/passkeys/options', {}).then(async ({ options }) =>
       post('/v1/factors/passkeys', {
         registration: (await navigator.credentials.create({
           publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
         })).toJSON(),
       }))`,
  );
}
