import { createHash } from 'node:crypto';
import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { DOCUMENT_NAMES, documentJsonSchema, jsonSchemaSchema, type DocumentName } from '#lib/formats';
import { Answers, AnswersAs, Public, Summary } from '../http/index.js';
import { ApiDescription } from './api-description.js';
import { referencePage, referenceStyle } from './reference-page.js';

const documentNameSchema = z.enum(DOCUMENT_NAMES);
const styleDigest = createHash('sha256').update(referenceStyle, 'utf8').digest('base64');

/** The description of the API, for programs and for people. Anybody may ask, so each text is made once. */
@ApiTags('Description')
@Controller()
export class DescriptionController {
  readonly #document: () => string;
  readonly #page: () => string;
  readonly #schemas: ReadonlyMap<DocumentName, () => string>;

  constructor(description: ApiDescription) {
    this.#document = once(() => JSON.stringify(description.document));
    this.#page = once(() => referencePage(description.document));
    this.#schemas = new Map(
      DOCUMENT_NAMES.map((name) => [name, once(() => JSON.stringify(documentJsonSchema(name)))] as const),
    );
  }

  @Get('v1/openapi.json')
  @ApiExcludeEndpoint()
  @Public()
  @Header('content-type', 'application/json; charset=utf-8')
  @Header('cache-control', 'public, max-age=300')
  document(): string {
    return this.#document();
  }

  @Summary('The JSON Schema of a document that people and agents write, for editors.')
  @Get('v1/schemas/:name')
  @Public()
  @Answers(200, jsonSchemaSchema)
  @AnswersAs('application/schema+json')
  @Header('cache-control', 'public, max-age=300')
  schema(
    @Param('name', { schema: documentNameSchema }) name: DocumentName,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): string | undefined {
    void reply.header('content-type', 'application/schema+json');
    return this.#schemas.get(name)?.();
  }

  /** A page without scripts and without anything from elsewhere: its one style sheet is named by its digest. */
  @Get('docs')
  @ApiExcludeEndpoint()
  @Public()
  page(@Res() reply: FastifyReply): void {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .send(this.#page());
  }
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
