import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { z } from 'zod';
import { changeRequestSchema } from '#lib/api-schemas';

/** The status and document a route answers with, in the response and in the OpenAPI description. */
export const Answers = (status: 200 | 201 | 202, schema: z.ZodType, description = 'Done.'): MethodDecorator =>
  applyDecorators(HttpCode(status), ApiResponse({ status, standardSchema: schema, description }));

/** The route may answer 202 with the change instead, if it loosens and waits for a second person. */
export const MayWait = (schema: z.ZodType = changeRequestSchema): MethodDecorator =>
  ApiResponse({
    status: 202,
    standardSchema: schema,
    description: 'It loosens, and waits for a second person: POST /v1/change-requests/{id}/confirm.',
  });

/** The route may answer 200 instead, with what is there already. */
export const MayBeThere = (schema: z.ZodType, description: string): MethodDecorator =>
  ApiResponse({ status: 200, standardSchema: schema, description });

/** The route answers without a document. */
export const AnswersNothing = (description = 'Done.', status: 200 | 204 = 204): MethodDecorator =>
  applyDecorators(HttpCode(status), ApiResponse({ status, description }));

/** The route sends the browser to another address. */
export const Redirects = (status: 302 | 303, description: string): MethodDecorator =>
  ApiResponse({ status, description });

/** The purpose of the route, in one sentence, for the API's description. */
export const Summary = (summary: string): MethodDecorator => ApiOperation({ summary });

/** The media types of a route that answers otherwise than as JSON alone. */
export const MEDIA_TYPES = 'x-countersign-media-types';

/**
 * The media types of the route's answer, for its description. {@link Answers} describes JSON, and each line of NDJSON; any
 * other type is text.
 */
export const AnswersAs = (...types: readonly string[]): MethodDecorator => ApiExtension(MEDIA_TYPES, types);
