import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { parseStrictJson, StrictJsonError, type Json } from '#lib/canonical';
import { fail, FailureError, type Failure } from '#lib/kernel';
import { boundUnreadBodies } from '#lib/operation';
import { visibleText } from '#lib/words';
import { sourceOf } from './failed-attempts.js';
import { bodyTooLarge } from './failure-of-http-error.js';
import { IncomingBody, leaveUnread, MAX_OF_UNKNOWN } from './incoming-body.js';
import { refuseInJson } from './refuse-in-json.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
/** Keeps a byte order mark: documents that people write are stored byte for byte. */
const utf8AsWritten = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** How many arrays and objects of a body may be nested. */
const DEPTH = 64;

/** Long bodies from Slack, who is known by a signature over all of it. So many are read at once, and so many from one network. */
const SIGNED_AT_ONCE = 32;
const SIGNED_OF_NETWORK = 8;

type Passed = (request: FastifyRequest, bytes: Buffer) => unknown;

/**
 * Accepts exactly two kinds of body. JSON is passed on as bytes, which are parsed once the caller is known, and YAML as text; and
 * from Slack, which sends nothing else, forms. Forms and signed JSON are passed on as the text that was signed. Everything else,
 * and every content encoding, is 415 before a byte of it is read (T33).
 *
 * A body is read as far as {@link MAX_OF_UNKNOWN}. The rest is read once the caller is known, or discarded after a refusal.
 * It is read as far as the limit, as each body that no parser takes.
 */
export function useBodyParsers(fastify: FastifyInstance, bodyLimit: number): void {
  fastify.removeAllContentTypeParsers();
  const bodies = new WeakMap<FastifyRequest, IncomingBody>();
  fastify.addHook('onResponse', async (request) => bodies.get(request)?.leave());
  boundUnreadBodies(fastify.server, bodyLimit);
  /** The networks that long bodies are read from, one for each body. */
  const reading: string[] = [];
  const signed = async (body: IncomingBody, network: string): Promise<Buffer> => {
    const own = reading.filter((other) => other === network).length;
    if (reading.length >= SIGNED_AT_ONCE || own >= SIGNED_OF_NETWORK) fail(tooManyLong);
    reading.push(network);
    try {
      return await body.within(bodyLimit);
    } finally {
      reading.splice(reading.indexOf(network), 1);
    }
  };
  const accept = (type: string, passed: Passed): void => {
    fastify.addContentTypeParser(type, async (request: FastifyRequest, stream: IncomingMessage): Promise<unknown> => {
      if (Number(request.headers['content-length']) > bodyLimit) fail(bodyTooLarge);
      const body = new IncomingBody(stream);
      bodies.set(request, body);
      const most = Math.min(bodyLimit, MAX_OF_UNKNOWN);
      if (await body.endsWithin(most)) return passed(request, await body.within(most));
      if (HOOK_PATH.test(request.url)) fail(bodyTooLarge);
      if (EVENTS_PATH.test(request.url) || FORM_PATHS.test(request.url)) {
        return passed(request, await signed(body, sourceOf(request.ip)));
      }
      leaveUnread(request, async () => passed(request, await body.within(bodyLimit)));
      return undefined;
    });
  };
  const text: Passed = (request, bytes) => textOf(request, bytes, utf8AsWritten);
  // A signature is over the bytes.
  accept('application/json', (request, bytes) =>
    EVENTS_PATH.test(request.url) || HOOK_PATH.test(request.url) ? text(request, bytes) : bytes,
  );
  accept('application/yaml', text);
  accept(FORM, text);
}

const FORM = 'application/x-www-form-urlencoded';
/** The path to which Slack sends forms. */
const FORM_PATHS = /^\/slack\/(interactions|commands)(\?|$)/;

/** The path to which Slack sends events, as JSON. */
const EVENTS_PATH = /^\/slack\/events(\?|$)/;

/** The path to which other systems send messages for automations. Their longest message is as long as {@link MAX_OF_UNKNOWN}. */
const HOOK_PATH = /^\/hooks\/[^/?]+\/automations\/[^/?]+(\?|$)/;

/** Runs before bodies are read. A compressed body could be a thousand times its size, and any page can send a form. */
export function refuseContentEncoding(request: FastifyRequest): void {
  if ((request.headers['content-type'] ?? '').toLowerCase().startsWith(FORM) && !FORM_PATHS.test(request.url)) {
    throw new FailureError(unsupported('A form is not accepted here.', 'Send JSON.'));
  }
  const encoding = request.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return;
  throw new FailureError(unsupported('A content encoding is not accepted here.', 'Send the body as it is.'));
}

function textOf(request: FastifyRequest, body: Buffer, decoder: typeof utf8): string {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') {
    throw new FailureError(unsupported('Only UTF-8 is accepted.', 'Send the body as UTF-8.'));
  }
  try {
    return decoder.decode(body);
  } catch (cause) {
    throw new FailureError(
      {
        kind: 'invalid',
        code: 'request.not_utf8',
        message: 'The body is not valid UTF-8.',
        action: 'Send the body as UTF-8.',
      },
      { cause },
    );
  }
}

/** The strict JSON value, or undefined for an empty body, which routes without a document take. */
export function parseJsonBody(request: FastifyRequest, body: Buffer): Json | undefined {
  const text = textOf(request, body, utf8);
  if (text === '') return undefined;
  try {
    const value = parseStrictJson(text, DEPTH);
    // Only an escape spells U+0000, and the reserved key is spelled with one or so.
    if (text.includes('\\u') || text.includes('__proto__')) refuseInJson(value);
    return value;
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw new FailureError(
      {
        kind: 'invalid',
        code: cause.code,
        message: `The body is not JSON with one meaning: ${visibleText(cause.problem)}.`,
        action: 'Correct it at the position given.',
        errors: [
          {
            pointer: '',
            code: cause.code,
            message: visibleText(cause.problem),
            ...lineAndColumn(text, cause.position),
          },
        ],
        details: { position: cause.position },
      },
      { cause },
    );
  }
}

function lineAndColumn(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const tooManyLong: Failure = {
  kind: 'unavailable',
  code: 'request.long_bodies_busy',
  message: 'Too many long messages from Slack arrive at the same time.',
  action: 'Send it again in a moment, or a shorter one.',
  retryAfterSeconds: 5,
};

const unsupported = (message: string, action: string): Failure => ({
  kind: 'unsupported_media_type',
  code: 'request.media_type',
  message,
  action,
});
