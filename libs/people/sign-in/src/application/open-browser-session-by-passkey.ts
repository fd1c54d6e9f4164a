import { SCOPES, type AuditSink, type CredentialId, type FactorId, type Tx } from '#lib/kernel';
import type { MintCredential, Person, RandomBytes } from '#lib/identity';
import type { PasskeyAccountRepository } from './passkey.ports.js';
import { personActor } from './resolve-person.js';
import type { BrowserSessionRepository, SignInSettingsRepository } from './sign-in.ports.js';
import type { ComingBrowser } from '../domain/browser-session.js';

const CSRF_BYTES = 32;

/** A browser session that a passkey opened. */
export interface OpenedBrowserSession {
  /** For the cookie; shown this once. */
  readonly token: string;
  readonly credentialId: CredentialId;
}

/** Opens a browser session for somebody who has just shown a passkey of ours. Its scopes are those that their roles open. */
export class OpenBrowserSessionByPasskey {
  constructor(
    private readonly parts: {
      readonly settings: SignInSettingsRepository;
      readonly accounts: PasskeyAccountRepository;
      readonly browserSessions: BrowserSessionRepository;
      readonly mint: MintCredential;
      readonly random: RandomBytes;
      readonly audit: AuditSink;
    },
  ) {}

  async execute(
    tx: Tx,
    person: Pick<Person, 'id' | 'displayName'>,
    by: { readonly factorId: FactorId; readonly browser: ComingBrowser; readonly letInByOperator: boolean },
  ): Promise<OpenedBrowserSession> {
    const { settings, accounts, browserSessions, mint, random, audit } = this.parts;
    const { browserSessionMinutes } = await settings.read(tx);
    const now = await tx.now();
    await accounts.markSignedIn(tx, person.id, by.letInByOperator);
    const { credential, token } = await mint.execute(tx, {
      holder: { kind: 'browser_session', personId: person.id },
      name: 'Browser, by passkey',
      scopes: SCOPES,
      createdBy: null,
      now,
      expiresAt: now + browserSessionMinutes * 60_000,
    });
    await browserSessions.insert(tx, {
      id: credential.id,
      identityId: null,
      factorId: by.factorId,
      csrfToken: Buffer.from(random.bytes(CSRF_BYTES)).toString('base64url'),
      browser: by.browser,
      authenticatedAt: now,
      idToken: null,
    });
    await audit.record(tx, {
      action: 'browser_session.opened',
      actor: { ...personActor(person.id, person.displayName), credential_id: credential.id },
      level: 'full',
      subject: { type: 'browser_session', id: credential.id },
      payload: { passkey: by.factorId, authenticated_at: now, expires_at: credential.expiresAt },
    });
    return { token, credentialId: credential.id };
  }
}
