import type { FastifyReply } from 'fastify';
import type { ApiDescription, ApiDocument } from './api-description.js';
import { DescriptionController } from './description.controller.js';

it('makes each text once, whoever asks and how often', () => {
  let reads = 0;
  // The controller reads this member alone.
  const description = {
    get document(): ApiDocument {
      reads += 1;
      return { openapi: '3.1.0', info: { title: 'Countersign', version: '1' }, paths: {} };
    },
  } as ApiDescription;
  const controller = new DescriptionController(description);
  const sent: unknown[] = [];
  const reply = { header: () => reply, send: (text: unknown) => sent.push(text) } as unknown as FastifyReply;
  const texts = [1, 2, 3].map(() => controller.document());
  for (const _again of texts) controller.page(reply);
  expect(new Set(texts).size).toBe(1);
  expect(JSON.parse(texts[0] ?? '')).toMatchObject({ openapi: '3.1.0' });
  expect(new Set(sent).size).toBe(1);
  expect(reads).toBe(2);
  expect(JSON.parse(controller.schema('plan', reply) ?? '')).toMatchObject({ title: 'Countersign plan' });
});
