import {
  Body,
  Controller,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
  UseGuards,
  type OnModuleDestroy,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  enrolledRunnerSchema,
  enrolRunnerSchema,
  greetedRunnerSchema,
  newRunnerKeySchema,
  runnerCallSchema,
  runnerCallStateSchema,
  runnerGoodbyeSchema,
  runnerHelloSchema,
  runnerKeySchema,
  runnerOutputSchema,
  runnerResultSchema,
  takeRunnerCallQuerySchema,
  takeRunnerCallSchema,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import {
  EnrolRunner,
  IntroduceRunner,
  LeavePool,
  ReportCall,
  RotateRunnerKey,
  TakeCall,
  type RunnerDispatchId,
} from '#lib/runner-pool';
import { Answers, AnswersNothing, PublicExchange, Summary, untilGone, unwrap } from '../http/index.js';
import { ProvenRunners } from './proven-runners.js';
import { RunnerGuard } from './runner.guard.js';
import { callView } from './runner-views.js';

/**
 * The routes that runners call. Each request but the first carries a proof of the runner's own key (ADR 29). Those with a
 * {@link RunnerGuard} take long bodies.
 */
@ApiTags('Runners')
@Controller('v1/runner')
export class RunnerController implements OnModuleDestroy {
  readonly #closing = new AbortController();

  constructor(
    private readonly proven: ProvenRunners,
    private readonly enrolling: EnrolRunner,
    private readonly introducing: IntroduceRunner,
    private readonly leaving: LeavePool,
    private readonly rotating: RotateRunnerKey,
    private readonly taking: TakeCall,
    private readonly reporting: ReportCall,
  ) {}

  onModuleDestroy(): void {
    this.#closing.abort();
  }

  @Summary('Makes the machine a runner, with the public key that it brings. The one-time token is the credential.')
  @Post('enrol')
  @PublicExchange()
  @Answers(201, enrolledRunnerSchema)
  async enrol(
    @Body({ schema: enrolRunnerSchema }) body: z.infer<typeof enrolRunnerSchema>,
  ): Promise<z.infer<typeof enrolledRunnerSchema>> {
    const wanted = { publicKey: body.public_key, version: body.version };
    const { tenantId, runner, keyId } = unwrap(await this.enrolling.execute(body.token, wanted));
    return { tenant_id: tenantId, runner_id: runner.id, key_id: keyId, name: runner.name, pool: runner.pool };
  }

  @Summary('Tells the version of the runner, its environments, and the names and schemas of its tools.')
  @Post('hello')
  @PublicExchange()
  @UseGuards(RunnerGuard)
  @HttpCode(200)
  @Answers(200, greetedRunnerSchema)
  async hello(
    @Req() request: FastifyRequest,
    @Body({ schema: runnerHelloSchema }) body: z.infer<typeof runnerHelloSchema>,
  ): Promise<z.infer<typeof greetedRunnerSchema>> {
    const {
      works_in: worksIn,
      hooks = [],
      mcp_servers: mcpServers = [],
      no_way_back: noWayBack = null,
      sessions = [],
      ...said
    } = body;
    const { runner, endedSessions } = await this.introducing.execute(await this.proven.of(request), {
      ...said,
      worksIn,
      hooks,
      mcpServers,
      noWayBack,
      sessions,
    });
    return { environments: [...runner.environments], ended_sessions: [...endedSessions] };
  }

  @Summary('Tells that the runner ends: it is offline at once, until it calls again.')
  @Post('goodbye')
  @PublicExchange()
  @AnswersNothing()
  async goodbye(
    @Req() request: FastifyRequest,
    @Body({ schema: runnerGoodbyeSchema }) _nothing: z.infer<typeof runnerGoodbyeSchema>,
  ): Promise<void> {
    await this.leaving.execute(await this.proven.of(request));
  }

  @Summary('Registers a new key of the runner. The proof of this request is signed with the old one.')
  @Post('keys')
  @PublicExchange()
  @Answers(201, runnerKeySchema)
  async rotate(
    @Req() request: FastifyRequest,
    @Body({ schema: newRunnerKeySchema }) body: z.infer<typeof newRunnerKeySchema>,
  ): Promise<z.infer<typeof runnerKeySchema>> {
    return { key_id: unwrap(await this.rotating.execute(await this.proven.of(request), body.public_key)) };
  }

  @Summary('Takes the next call of the pool, and waits for one. No other runner gets it.')
  @Post('dispatches/take')
  @PublicExchange()
  @HttpCode(200)
  @Answers(200, runnerCallSchema)
  async take(
    @Req() request: FastifyRequest,
    @Query({ schema: takeRunnerCallQuerySchema }) query: z.infer<typeof takeRunnerCallQuerySchema>,
    @Body({ schema: takeRunnerCallSchema }) body: z.infer<typeof takeRunnerCallSchema>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<z.infer<typeof runnerCallSchema>> {
    const runner = await this.proven.of(request);
    const taken = await this.taking.execute(runner, {
      waitMs: query.wait_seconds * 1_000,
      // The schema of the body has checked the form of the ids.
      held: body.held as RunnerDispatchId[],
      gone: AbortSignal.any([untilGone(reply.raw), this.#closing.signal]),
    });
    return callView(unwrap(taken));
  }

  @Summary('Adds output of a call that the runner took, in order.')
  @Post('dispatches/:id/output')
  @PublicExchange()
  @UseGuards(RunnerGuard)
  @AnswersNothing()
  async output(
    @Req() request: FastifyRequest,
    @Param('id', { schema: uuidSchema }) id: RunnerDispatchId,
    @Body({ schema: runnerOutputSchema }) body: z.infer<typeof runnerOutputSchema>,
  ): Promise<void> {
    unwrap(await this.reporting.output(await this.proven.of(request), id, body.first_seq, body.chunks));
  }

  @Summary('Ends a call that the runner took, with its answer. A repetition changes nothing.')
  @Post('dispatches/:id/result')
  @PublicExchange()
  @UseGuards(RunnerGuard)
  @Answers(200, runnerCallStateSchema)
  async result(
    @Req() request: FastifyRequest,
    @Param('id', { schema: uuidSchema }) id: RunnerDispatchId,
    @Body({ schema: runnerResultSchema }) body: z.infer<typeof runnerResultSchema>,
  ): Promise<z.infer<typeof runnerCallStateSchema>> {
    return { state: unwrap(await this.reporting.result(await this.proven.of(request), id, body.answer)) };
  }
}
