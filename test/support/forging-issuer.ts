import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

interface Key {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

type Claims = Readonly<Record<string, unknown>>;

/** An issuer that says anything a test wants. Its ID token is the next one given, and its tokens are made by hand. */
export interface ForgingIssuer {
  readonly url: string;
  readonly host: string;
  /** The ID token that the next code is exchanged for. */
  nextIdToken: string;
  /** Signed with the key in use. */
  sign(claims: Claims, header?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Signed with a key of the same name that the issuer never published. */
  signWithStolenName(claims: Claims): Promise<string>;
  /** Not signed at all: `alg: none`. */
  unsigned(claims: Claims): string;
  /** Signed with the public key as if it were a shared secret: `alg: HS256`. */
  signWithPublicKey(claims: Claims): string;
  /** Publishes and uses a new key; the old one is no longer published. */
  rotate(): Promise<void>;
  /** How many codes it was asked to redeem. */
  readonly tokenRequests: number;
  /** How often its keys were asked for. */
  readonly keyRequests: number;
  close(): Promise<void>;
}

/** @param offersSignOut whether it has a page for signing out. */
export async function forgingIssuer({ offersSignOut = false } = {}): Promise<ForgingIssuer> {
  let [key, keyRequests, tokenRequests] = [await newKey('first'), 0, 0];
  const stranger = await newKey('first');
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? '/', url).pathname;
    if (path === '/jwks') keyRequests += 1;
    if (path === '/token') tokenRequests += 1;
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        ...(offersSignOut ? { end_session_endpoint: `${url}/end` } : {}),
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        // As a careless issuer would: it claims to sign with anything.
        id_token_signing_alg_values_supported: ['ES256', 'HS256', 'none'],
      },
      '/jwks': { keys: [key.publicJwk] },
      '/token': { access_token: 'opaque', token_type: 'Bearer', id_token: issuer.nextIdToken },
    };
    response.writeHead(answers[path] === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[path] ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const url = `http://${host}`;
  const signed = (by: Key, claims: Claims, header: Readonly<Record<string, unknown>> = {}): Promise<string> =>
    new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: by.kid, ...header }).sign(by.privateKey);
  const issuer = {
    url,
    host,
    nextIdToken: '',
    sign: (claims: Claims, header?: Readonly<Record<string, unknown>>) => signed(key, claims, header),
    signWithStolenName: (claims: Claims) => signed(stranger, claims),
    unsigned: (claims: Claims) => `${part({ alg: 'none' })}.${part(claims)}.`,
    signWithPublicKey: (claims: Claims) => {
      const body = `${part({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' })}.${part(claims)}`;
      return `${body}.${createHmac('sha256', JSON.stringify(key.publicJwk)).update(body).digest('base64url')}`;
    },
    rotate: async () => {
      key = await newKey(randomUUID());
    },
    get tokenRequests() {
      return tokenRequests;
    },
    get keyRequests() {
      return keyRequests;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return issuer;
}

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
}

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
