import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  commentPageSchema,
  commentSchema,
  newCommentSchema,
  pageQuerySchema,
  unreadCommentPageSchema,
  type CommentPage,
  type CommentView,
  type NewCommentBody,
  type PageQuery,
  type UnreadCommentPage,
} from '#lib/api-schemas';
import { uuidSchema } from '#lib/formats';
import { AddComment, ReadComments, type SeenComment, type Subject } from '#lib/conversation';
import type { ApprovalRequestId, ChangeRequestId, PersonPrincipal, Principal } from '#lib/kernel';
import {
  Answers,
  AnswersNothing,
  CurrentPerson,
  CurrentPrincipal,
  Idempotent,
  pageAfter,
  RequirePerson,
  RequireScope,
  Summary,
  toPage,
  unwrap,
} from '../http/index.js';
import { commentView, unreadCommentView } from './comment-views.js';

/** Comments on requests and changes. They decide nothing. */
@ApiTags('Conversation')
@Controller('v1')
export class CommentsController {
  constructor(
    private readonly adding: AddComment,
    private readonly reading: ReadComments,
  ) {}

  @Summary(
    'Comments on a request without deciding on it. An agent comments on requests of its own plans, five times until a person answers.',
  )
  @Post('approval-requests/:id/comments')
  @RequireScope('submit')
  @Idempotent()
  @Answers(201, commentSchema)
  commentOnRequest(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
    @Body({ schema: newCommentSchema }) body: NewCommentBody,
  ): Promise<CommentView> {
    return this.#add(by, { type: 'approval_request', id }, body);
  }

  @Summary('The comments on a request, oldest first.')
  @Get('approval-requests/:id/comments')
  @RequireScope('read')
  @Answers(200, commentPageSchema)
  ofRequest(
    @CurrentPrincipal() by: Principal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<CommentPage> {
    return this.#page(by, { type: 'approval_request', id }, query);
  }

  @Summary('Marks the comments on a request as read, so that they leave the inbox of the caller.')
  @Post('approval-requests/:id/comments/read')
  @RequireScope('read')
  @RequirePerson()
  @AnswersNothing()
  async readOfRequest(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ApprovalRequestId,
  ): Promise<void> {
    unwrap(await this.reading.read(by, { type: 'approval_request', id }));
  }

  @Summary('Comments on a change of a guardrail without deciding on it.')
  @Post('change-requests/:id/comments')
  @RequireScope('submit')
  @RequirePerson()
  @Idempotent()
  @Answers(201, commentSchema)
  commentOnChange(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ChangeRequestId,
    @Body({ schema: newCommentSchema }) body: NewCommentBody,
  ): Promise<CommentView> {
    return this.#add(by, { type: 'change_request', id }, body);
  }

  @Summary('The comments on a change, oldest first.')
  @Get('change-requests/:id/comments')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, commentPageSchema)
  ofChange(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ChangeRequestId,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<CommentPage> {
    return this.#page(by, { type: 'change_request', id }, query);
  }

  @Summary('Marks the comments on a change as read, so that they leave the inbox of the caller.')
  @Post('change-requests/:id/comments/read')
  @RequireScope('read')
  @RequirePerson()
  @AnswersNothing()
  async readOfChange(
    @CurrentPerson() by: PersonPrincipal,
    @Param('id', { schema: uuidSchema }) id: ChangeRequestId,
  ): Promise<void> {
    unwrap(await this.reading.read(by, { type: 'change_request', id }));
  }

  @Summary('Comments that concern the caller and that no page has shown to them, newest first.')
  @Get('unread-comments')
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, unreadCommentPageSchema)
  async unread(
    @CurrentPerson() by: PersonPrincipal,
    @Query({ schema: pageQuerySchema }) query: PageQuery,
  ): Promise<UnreadCommentPage> {
    const found = await this.reading.unread(by, pageAfter('unread-comments', query));
    return toPage('unread-comments', found, query.limit, keyOf, unreadCommentView);
  }

  async #add(by: Principal, subject: Subject, { body }: NewCommentBody): Promise<CommentView> {
    return commentView(unwrap(await this.adding.execute(by, subject, body)));
  }

  async #page(by: Principal, subject: Subject, query: PageQuery): Promise<CommentPage> {
    const list = `comments-${subject.id}`;
    const found = unwrap(await this.reading.of(by, subject, pageAfter(list, query)));
    return toPage(list, found, query.limit, keyOf, commentView);
  }
}

const keyOf = ({ comment }: SeenComment): readonly [number, string] => [comment.createdAt, comment.id];
