import { createHash } from 'node:crypto';
import { Controller, Get, Header, Param, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { DOCUMENT_NAMES, documentJsonSchema, type DocumentName } from '#lib/contracts';
import { Public } from '../http/index.js';
import { ApiDescription, type ApiDocument } from './api-description.js';
import { referencePage, referenceStyle } from './reference-page.js';

const documentNameSchema = z.enum(DOCUMENT_NAMES);
const styleDigest = createHash('sha256').update(referenceStyle, 'utf8').digest('base64');

/** The description of the API, for programs and for people. */
@ApiExcludeController()
@Controller()
export class DescriptionController {
  constructor(private readonly description: ApiDescription) {}

  @Get('v1/openapi.json')
  @Public()
  @Header('cache-control', 'public, max-age=300')
  document(): ApiDocument {
    return this.description.document;
  }

  /** The JSON Schema of a document that people and agents write, for editors. */
  @Get('v1/schemas/:name')
  @Public()
  @Header('cache-control', 'public, max-age=300')
  schema(
    @Param('name', { schema: documentNameSchema }) name: DocumentName,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Readonly<Record<string, unknown>> {
    void reply.header('content-type', 'application/schema+json');
    return documentJsonSchema(name);
  }

  /** A page without scripts and without anything from elsewhere: its one style sheet is named by its digest. */
  @Get('docs')
  @Public()
  page(@Res() reply: FastifyReply): void {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      )
      .send(referencePage(this.description.document));
  }
}
