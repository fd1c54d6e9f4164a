import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Controller, Get, Header, Headers, Param, Res } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { DOCUMENT_NAMES, documentJsonSchema, jsonSchemaSchema, type DocumentName } from '#lib/formats';
import { Answers, AnswersAs, Public, Summary } from '../http/index.js';
import { acceptsEncoding } from '../web/accepts-encoding.js';
import { ApiDescription } from './api-description.js';
import { referencePage, referenceStyle } from './reference-page.js';

const documentNameSchema = z.enum(DOCUMENT_NAMES);
const styleDigest = createHash('sha256').update(referenceStyle, 'utf8').digest('base64');

/** A text that is the same for everybody. */
interface PublicText {
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/** The description of the API, for programs and for people. Anybody may ask, so each text is made and compressed once. */
@ApiTags('Description')
@Controller()
export class DescriptionController {
  readonly #document: () => PublicText;
  readonly #page: () => PublicText;
  readonly #schemas: ReadonlyMap<DocumentName, () => PublicText>;

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
  document(@Headers('accept-encoding') accepted: string | undefined, @Res() reply: FastifyReply): void {
    send(reply, this.#document(), accepted);
  }

  @Summary('The JSON Schema of a document that people and agents write, for editors.')
  @Get('v1/schemas/:name')
  @Public()
  @Answers(200, jsonSchemaSchema)
  @AnswersAs('application/schema+json')
  @Header('content-type', 'application/schema+json')
  @Header('cache-control', 'public, max-age=300')
  schema(
    @Param('name', { schema: documentNameSchema }) name: DocumentName,
    @Headers('accept-encoding') accepted: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    const made = this.#schemas.get(name);
    if (made === undefined) throw new Error(`the document ${name} has no schema`);
    send(reply, made(), accepted);
  }

  /** A page without scripts and without anything from elsewhere: its one style sheet is named by its digest. */
  @Get('docs')
  @ApiExcludeEndpoint()
  @Public()
  page(@Headers('accept-encoding') accepted: string | undefined, @Res() reply: FastifyReply): void {
    void reply
      .header('content-type', 'text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
    send(reply, this.#page(), accepted);
  }
}

function once(make: () => string): () => PublicText {
  let made: PublicText | undefined;
  return () => {
    if (made !== undefined) return made;
    const plain = Buffer.from(make());
    return (made = { plain, gzip: gzipSync(plain) });
  };
}

/** Nothing in it is a secret, so its length tells nothing if it is compressed. */
function send(reply: FastifyReply, { plain, gzip }: PublicText, accepted: string | undefined): void {
  void reply.header('vary', 'accept-encoding');
  if (acceptsEncoding(accepted, 'gzip')) void reply.header('content-encoding', 'gzip').send(gzip);
  else void reply.send(plain);
}
