import { createHash, createHmac } from 'node:crypto';
import type { MintCredential } from '#lib/identity';
import { err, newId, ok, type CredentialId, type Failure, type PersonPrincipal, type Tx } from '#lib/kernel';
import { fakeSecretDigests } from '../../../../foundation/kernel/src/fake-secret-digests.js';
import { fakeClockedWorld } from '../../../../foundation/kernel/src/fake-clock.js';
import { FakeAuditSink, FakeJobQueue } from '../../../../foundation/kernel/src/fake-ports.js';
import { FakeTwoPersonRule } from '../../../../foundation/kernel/src/fake-two-person-rule.js';
import { unasked } from '../../../../foundation/kernel/src/fake-unasked.js';
import { createSlack, type SlackDeps } from '../create-slack.js';
import type { SlackHeaders } from '../domain/slack-signature.js';
import { FakeSlackApi } from './fake-slack-api.js';
import { sampleApp, sampleInstalled } from './fake-slack-app.js';
import { FakeSlackInstallations } from './fake-slack-installations.js';
import { FakeSlackInteractions } from './fake-slack-interactions.js';
import { FakeSlackLinks } from './fake-slack-links.js';
import { FakeSlackMessages } from './fake-slack-messages.js';
import { FakeSlackPace } from './fake-slack-pace.js';
import { FakeWaitingSlackSecrets } from './fake-waiting-slack-secrets.js';

export const PUBLIC_URL = 'https://countersign.example';

/** The refusal after a sign-in that is too long ago. */
export const NOT_FRESH: Failure = { kind: 'forbidden', code: 'sign_in.not_fresh', message: 'Sign in again.' };

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest();
const hexOf = (digest: Uint8Array): string => Buffer.from(digest).toString('hex');

/** The use cases of Slack over fakes, and over the other libraries that a test gives. Its people are linked in Slack. */
export function fakeSlackWorld(given: Partial<SlackDeps> = {}) {
  const world = fakeClockedWorld();
  const { uow, home, other } = world;
  const [audit, jobs] = [new FakeAuditSink(uow), new FakeJobQueue(uow)];
  const installations = new FakeSlackInstallations(uow, [home, other]);
  const links = new FakeSlackLinks(uow, installations);
  const slack = new FakeSlackApi();
  const pace = new FakeSlackPace(uow);
  const messages = new FakeSlackMessages(uow, pace, installations);
  /** The answers of other libraries about a person. */
  const standing = { fresh: true, signedIn: true };
  const holders = new Map<string, PersonPrincipal>();
  const minted: Parameters<MintCredential['execute']>[1][] = [];
  const mint: Pick<MintCredential, 'execute'> = {
    execute: (tx, wanted) => {
      minted.push(wanted);
      const id = newId<CredentialId>();
      const digest = sha256(id);
      links.credentials.of(tx).set(id, { digest, expiresAt: wanted.expiresAt, revoked: false });
      const credential = { ...wanted, id, prefix: '', createdAt: wanted.now, revokedAt: null, lastUsedAt: null };
      return Promise.resolve({ credential, token: '', digest });
    },
  };
  const freshSignIn = { execute: () => Promise.resolve(standing.fresh ? ok(undefined) : err(NOT_FRESH)) };
  const interactions = new FakeSlackInteractions(uow, jobs);
  const waiting = new FakeWaitingSlackSecrets(uow);
  const twoPersonRule = new FakeTwoPersonRule(uow, true);
  const parts = createSlack({
    ...{ uow, api: slack, digests: fakeSecretDigests, audit, twoPersonRule, freshSignIn },
    rows: { installations, links, messages, pace, interactions, waiting },
    credentials: { stillGood: () => Promise.resolve(standing.signedIn) },
    identity: {
      authenticator: {
        authenticateSlackLink: (digest) => {
          const person = holders.get(hexOf(digest));
          return Promise.resolve(person === undefined ? err(NOT_FRESH) : ok(person));
        },
      },
      mintCredential: mint,
    },
    ...{ reviews: unasked(), runs: unasked(), follower: unasked(), replies: unasked(), contents: unasked() },
    publicUrl: PUBLIC_URL,
    slackUrl: 'https://slack.example',
    ...given,
  });
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => uow.run(home.tenantId, work);
  return {
    ...world,
    audit,
    jobs,
    installations,
    links,
    slack,
    standing,
    /** The credentials that were asked for. */
    minted,
    parts,
    linkSlackUser: parts.linkSlackUser,
    digests: fakeSecretDigests,
    inTx,
    messages,
    pace,
    interactions,
    waiting,
    twoPersonRule,
    audited: () => audit.of(home),
    /** The app and the workspace are there. */
    install: () =>
      inTx(async (tx) => {
        await installations.saveApp(tx, sampleApp());
        await installations.saveInstallation(tx, sampleInstalled());
      }),
    /** Links a user. The credential acts as the linked person, or as another one. */
    link: (person: PersonPrincipal, user: string, actsAs = person): Promise<CredentialId> =>
      inTx(async (tx) => {
        const wanted = { holder: { kind: 'slack_link', personId: person.personId }, name: '', scopes: [] } as const;
        const now = await tx.now();
        const { credential, digest } = await mint.execute(tx, {
          ...{ ...wanted, createdBy: null, now, expiresAt: now + 3_600_000 },
        });
        holders.set(hexOf(digest), actsAs);
        await links.link(tx, { team: 'T1', user, personId: person.personId, credentialId: credential.id });
        return credential.id;
      }),
  };
}

export type FakeSlackWorld = ReturnType<typeof fakeSlackWorld>;

/** The headers with which Slack signs a body. @param at epoch milliseconds. */
export function signed(body: string, at: number, secret = sampleApp().signingSecret): SlackHeaders {
  const timestamp = String(Math.floor(at / 1_000));
  const signature = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { timestamp, signature: `v0=${signature}` };
}
