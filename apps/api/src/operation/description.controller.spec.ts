import { gunzipSync } from 'node:zlib';
import type { FastifyReply } from 'fastify';
import type { ApiDescription, ApiDocument } from './api-description.js';
import { DescriptionController } from './description.controller.js';

/** The body and the headers that a route sends. */
function sentBy(route: (reply: FastifyReply) => void) {
  const sent: { headers: Record<string, string>; body: Buffer } = { headers: {}, body: Buffer.alloc(0) };
  // The routes call these two methods of a reply.
  const reply = {
    header: (name: string, value: string) => {
      sent.headers[name] = value;
      return reply;
    },
    send: (body: Buffer) => {
      sent.body = body;
    },
  } as unknown as FastifyReply;
  route(reply);
  return sent;
}

it('makes each text once, whoever asks and how often, and compresses it once', () => {
  let reads = 0;
  // The controller reads this member alone.
  const description = {
    get document(): ApiDocument {
      reads += 1;
      return { openapi: '3.1.0', info: { title: 'Countersign', version: '1' }, paths: {} };
    },
  } as ApiDescription;
  const controller = new DescriptionController(description);
  const asked = ['gzip', 'gzip', undefined, 'identity'] as const;
  const [first, again, plain, identity] = asked.map((accepted) =>
    sentBy((reply) => {
      controller.document(accepted, reply);
    }),
  );
  expect(first?.headers).toEqual({ vary: 'accept-encoding', 'content-encoding': 'gzip' });
  expect(again?.body).toBe(first?.body);
  expect(plain?.headers).toEqual({ vary: 'accept-encoding' });
  expect(identity?.body).toBe(plain?.body);
  expect(gunzipSync(first?.body ?? '')).toEqual(plain?.body);
  expect(JSON.parse(String(plain?.body))).toMatchObject({ openapi: '3.1.0' });
  const pages = asked.map((accepted) =>
    sentBy((reply) => {
      controller.page(accepted, reply);
    }),
  );
  expect(String(pages[2]?.body)).toMatch(/^<!doctype html>/);
  expect(reads).toBe(2);
  const schema = sentBy((reply) => {
    controller.schema('plan', undefined, reply);
  });
  expect(JSON.parse(String(schema.body))).toMatchObject({ title: 'Countersign plan' });
});
