import { Body, Controller, Get, Param, Post, Put, Req, Res } from '@nestjs/common';
import { ApiConsumes, ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  configurationCheckSchema,
  configurationSchema,
  configurationChangesSchema,
  type Configuration,
  type ConfigurationCheck,
  type ConfigurationChanges,
} from '#lib/api-schemas';
import { PLATFORM_ADMIN, environmentsDocumentSchema, executorsDocumentSchema } from '#lib/formats';
import type { PersonPrincipal, Principal } from '#lib/kernel';
import { Answers, CurrentPerson, CurrentPrincipal, RequireRole, RequireScope, Summary } from '../http/index.js';
import { CheckConfiguration, putDocument } from './check-configuration.js';
import { ENVIRONMENTS, EXECUTORS } from './document-kinds.js';
import { PutDocuments } from './put-documents.js';
import { WriteConfiguration, writtenPartSchema, type WrittenPart } from './write-configuration.js';

/** Text is YAML; anything else is checked against the contract once it is known which of both it is. */
const environmentsBodySchema = z.union([environmentsDocumentSchema, z.string(), z.unknown()]);
const executorsBodySchema = z.union([executorsDocumentSchema, z.string(), z.unknown()]);

@ApiTags('Configuration')
@Controller('v1/configuration')
export class ConfigurationController {
  constructor(
    private readonly checking: CheckConfiguration,
    private readonly documents: PutDocuments,
    private readonly writing: WriteConfiguration,
  ) {}

  @Summary(
    'Checks the documents of a configuration, each as if the earlier ones were applied. Answers with the effects and the refusals, and changes nothing.',
  )
  @Post('check')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @Answers(200, configurationCheckSchema)
  check(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: configurationSchema }) body: Configuration,
    @Req() request: FastifyRequest,
  ): Promise<ConfigurationCheck> {
    return this.checking.execute(by, body, request.id);
  }

  @Summary('Adds and changes environments as a document says, YAML or JSON. Those that it leaves out stay.')
  @Put('environments')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @ApiConsumes('application/json', 'application/yaml')
  @Answers(200, configurationChangesSchema, 'What changed; what loosens waits for a second person, each by itself.')
  async environments(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: environmentsBodySchema }) body: unknown,
  ): Promise<ConfigurationChanges> {
    return { changes: await putDocument(body, ENVIRONMENTS, (document) => this.documents.environments(by, document)) };
  }

  @Summary('Adds and changes executors as a document says, YAML or JSON. Those that it leaves out stay.')
  @Put('executors')
  @RequireScope('admin')
  @RequireRole(PLATFORM_ADMIN)
  @ApiConsumes('application/json', 'application/yaml')
  @Answers(200, configurationChangesSchema, 'What changed; what loosens waits for a second person, each by itself.')
  async executors(
    @CurrentPerson() by: PersonPrincipal,
    @Body({ schema: executorsBodySchema }) body: unknown,
  ): Promise<ConfigurationChanges> {
    return { changes: await putDocument(body, EXECUTORS, (document) => this.documents.executors(by, document)) };
  }

  @Summary('Tools, executors or environments as they stand, as the YAML that can be put again.')
  @Get(':name')
  @RequireScope('read')
  @ApiProduces('application/yaml')
  @ApiOkResponse({ description: 'The document.', content: { 'application/yaml': { schema: { type: 'string' } } } })
  async read(
    @CurrentPrincipal() by: Principal,
    @Param('name', { schema: writtenPartSchema }) part: WrittenPart,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    void reply.header('content-type', 'application/yaml; charset=utf-8');
    return this.writing.execute(by, part);
  }
}
