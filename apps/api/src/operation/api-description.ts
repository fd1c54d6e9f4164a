import { Injectable, type INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { z } from 'zod';
import { MEDIA_TYPES } from '../http/answers.js';
import { RouteDeclarations, type RouteDeclaration } from '../http/route-declarations.js';

/** One operation of the description, with its requirements for the caller. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: object;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: object }>> }
    >
  >;
  /** The scope a credential needs; absent if anybody may call. */
  readonly 'x-required-scope'?: string;
  readonly 'x-person-only'?: true;
  readonly 'x-required-roles'?: readonly string[];
}

/** The OpenAPI 3.1 document, made from the controllers and their zod schemas. */
export interface ApiDocument extends Omit<OpenAPIObject, 'paths'> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

const operationId = (controller: string, handler: string): string => {
  const resource = controller.replace(/Controller$/, '');
  return `${resource.charAt(0).toLowerCase()}${resource.slice(1)}_${handler}`;
};

/**
 * The description of an application that has all its routes. Making it would be a good part of a start, and most processes are
 * never asked for it. So it is made when first read.
 */
@Injectable()
export class ApiDescription {
  readonly #routes: RouteDeclarations;
  #app: INestApplication | undefined;
  #document: ApiDocument | undefined;

  constructor(routes: RouteDeclarations) {
    this.#routes = routes;
  }

  get document(): ApiDocument {
    if (this.#app === undefined) throw new Error('the API was asked for its description before it had all its routes');
    return (this.#document ??= this.#make(this.#app));
  }

  /** Called once, when every module is there. */
  describe(app: INestApplication): void {
    this.#app = app;
  }

  #make(app: INestApplication): ApiDocument {
    const info = new DocumentBuilder()
      .setOpenAPIVersion('3.1.0')
      .setTitle('Countersign')
      .setDescription('What agents want is approved by people, executed exactly as approved, and provable afterwards.')
      .setVersion('1')
      .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token that begins with cs_.' })
      .build();
    const document = SwaggerModule.createDocument(app, info, {
      operationIdFactory: operationId,
      // Each schema of ours is one of zod.
      standardSchemaConverter: (schema) => jsonSchemaOf(schema as z.ZodType),
    });
    const declarations = new Map(
      this.#routes.all().map((route) => [operationId(route.controller, route.handler), route]),
    );
    // The types of Nest say any: the members of a path are its operations.
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path) as MutableOperation[]);
    for (const operation of operations) {
      const route = declarations.get(operation.operationId);
      if (route === undefined) throw new Error(`the operation ${operation.operationId} has no declaration`);
      describeAccess(operation, route);
      describeMediaTypes(operation);
    }
    // Nest's types of the document are wider than ours. A test validates it.
    return document as unknown as ApiDocument;
  }
}

interface MutableOperation {
  readonly operationId: string;
  security?: object[];
  responses: Record<string, object>;
  [extension: `x-${string}`]: unknown;
}

function describeAccess(operation: MutableOperation, route: RouteDeclaration): void {
  operation.responses.default = {
    description: 'A refusal.',
    // The answer to the check of a configuration holds a problem, so that it is among the components.
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
  if (route.access.kind === 'public') return;
  operation.security = [{ bearer: [] }];
  operation['x-required-scope'] = route.access.scope;
  if (route.personOnly || route.roles.length > 0) operation['x-person-only'] = true;
  if (route.roles.length > 0) operation['x-required-roles'] = route.roles;
}

function describeMediaTypes(operation: MutableOperation): void {
  // Our decorator stores them so.
  const types = operation[MEDIA_TYPES] as readonly string[] | undefined;
  Reflect.deleteProperty(operation, MEDIA_TYPES);
  const done: { content?: Record<string, { readonly schema?: object }> } | undefined = operation.responses['200'];
  if (types === undefined || done === undefined) return;
  const schema = done.content?.['application/json']?.schema ?? {};
  done.content = Object.fromEntries(
    types.map((type) => [type, { schema: /[/+-](nd)?json$/.test(type) ? schema : { type: 'string' } }]),
  );
}

/**
 * A zod schema as JSON Schema 2020-12, the dialect of OpenAPI 3.1; schemas with an id become components. They are
 * described as they are accepted, so that one document serves requests and answers.
 */
function jsonSchemaOf(schema: z.ZodType): {
  schema: Record<string, unknown>;
  components: Record<string, Record<string, unknown>>;
} {
  const {
    $schema: _dialect,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // The format says it; the pattern behind it is 300 characters long.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  });
  const components: Record<string, Record<string, unknown>> = {};
  for (const [name, definition] of Object.entries($defs)) components[name] = withoutId(definition);
  const id = z.globalRegistry.get(schema)?.id;
  if (id === undefined) return { schema: withoutId(root), components };
  components[id] ??= withoutId(root);
  return { schema: { $ref: `#/components/schemas/${id}` }, components };
}

const withoutId = ({ id: _id, $id: _uri, ...rest }: Record<string, unknown>): Record<string, unknown> => rest;
