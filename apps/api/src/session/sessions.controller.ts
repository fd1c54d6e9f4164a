import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import {
  changeSessionSchema,
  endSessionSchema,
  openSessionSchema,
  sessionListSchema,
  sessionQuerySchema,
  sessionSchema,
  type ChangeSessionBody,
  type EndSessionBody,
  type OpenSessionBody,
  type SessionQuery,
  type SessionView,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import type { AgentId, Principal, SessionId } from '#lib/kernel';
import { ChangeSessionAutonomy, EndSession, OpenSession, ReadSessions, type Session } from '#lib/session';
import { CountSessionCalls } from '#lib/tool-call';
import {
  Answers,
  CurrentPrincipal,
  Idempotent,
  OneTransaction,
  pageAfter,
  RequireScope,
  Summary,
  toPage,
  type PageKey,
  unwrap,
} from '../http/index.js';
import { sessionView } from './session-views.js';

@ApiTags('Sessions')
@Controller('v1/sessions')
export class SessionsController {
  constructor(
    private readonly opening: OpenSession,
    private readonly reading: ReadSessions,
    private readonly changing: ChangeSessionAutonomy,
    private readonly ending: EndSession,
    private readonly counting: CountSessionCalls,
  ) {}

  @Summary('Opens a session: agents call one tool after another in it, each call decided by itself.')
  @Post()
  @RequireScope('run')
  @Idempotent()
  @Answers(201, sessionSchema)
  async open(
    @CurrentPrincipal() by: Principal,
    @Body({ schema: openSessionSchema }) body: OpenSessionBody,
  ): Promise<SessionView> {
    const { environment, agent_ids, preset, level, mode, model } = body;
    const wanted = {
      environment,
      // The schema of the query has checked the form of the ids.
      agentIds: agent_ids === undefined ? null : (agent_ids as AgentId[]),
      autonomy: { preset, level, mode },
      model: model ?? null,
      idleSeconds: body.idle_seconds,
      approvalSeconds: body.approval_seconds,
      callsPerTurn: body.calls_per_turn,
      callBudget: body.call_budget ?? null,
    };
    return sessionView(unwrap(await this.opening.execute(by, wanted)), 0);
  }

  @Summary('Sessions, newest first: an agent’s own, for people those of the tenant.')
  @Get()
  @RequireScope('read')
  @Answers(200, sessionListSchema)
  async list(
    @CurrentPrincipal() by: Principal,
    @Query({ schema: sessionQuerySchema }) query: SessionQuery,
  ): Promise<z.infer<typeof sessionListSchema>> {
    // The schema of the query has checked the form of the id.
    const filter = { state: query.state ?? null, agentId: (query.agent_id ?? null) as AgentId | null };
    const sessions = await this.reading.list(by, filter, pageAfter('sessions', query));
    const counts = await this.counting.execute(by, sessions);
    const keyOf = ({ openedAt, id }: Session): PageKey => [openedAt, id];
    return toPage('sessions', sessions, query.limit, keyOf, (each) => sessionView(each, counts.get(each.id) ?? 0));
  }

  @Summary('A session.')
  @Get(':id')
  @RequireScope('read')
  @Answers(200, sessionSchema)
  async get(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: SessionId,
  ): Promise<SessionView> {
    return this.#view(by, unwrap(await this.reading.get(by, id)));
  }

  @Summary(
    'Changes preset, level, mode or budget of calls. A token only tightens; a person loosens in a browser or in Slack.',
  )
  @Patch(':id')
  @RequireScope('run')
  @OneTransaction()
  @Answers(200, sessionSchema)
  async change(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: SessionId,
    @Body({ schema: changeSessionSchema }) body: ChangeSessionBody,
  ): Promise<SessionView> {
    const { call_budget: callBudget, ...settings } = body;
    const change = { ...settings, ...(callBudget === undefined ? {} : { callBudget }) };
    return this.#view(by, unwrap(await this.changing.execute(by, id, change)));
  }

  @Summary('Ends a session. Its pending calls are denied.')
  @Post(':id/end')
  @RequireScope('run')
  @Answers(200, sessionSchema)
  async end(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: SessionId,
    @Body({ schema: endSessionSchema }) body: EndSessionBody,
  ): Promise<SessionView> {
    const event = body.reason === 'closed' ? 'close' : 'cancel';
    return this.#view(by, unwrap(await this.ending.execute(by, id, event)));
  }

  async #view(by: Principal, session: Session): Promise<SessionView> {
    const counts = await this.counting.execute(by, [session]);
    return sessionView(session, counts.get(session.id) ?? 0);
  }
}
