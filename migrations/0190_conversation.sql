-- Comments of people, and of the agent of a plan, on an approval request or a change request. A comment decides nothing.

create table comment (
  tenant_id uuid not null,
  id uuid not null,
  subject_type text not null
    constraint comment_subject_type_check check (subject_type in ('approval_request', 'change_request')),
  subject_id uuid not null,
  request_id uuid generated always as (case subject_type when 'approval_request' then subject_id end) stored,
  change_id uuid generated always as (case subject_type when 'change_request' then subject_id end) stored,
  author_kind text not null constraint comment_author_kind_check check (author_kind in ('person', 'agent')),
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  body text not null constraint comment_body_check check (char_length(body) between 1 and 8000),
  via text not null constraint comment_via_check check (via in ('api', 'slack')),
  slack_channel text,
  created_at timestamptz not null,
  constraint comment_pk primary key (tenant_id, id),
  constraint comment_request_fk foreign key (tenant_id, request_id) references approval_request (tenant_id, id),
  constraint comment_change_fk foreign key (tenant_id, change_id) references change_request (tenant_id, id),
  constraint comment_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint comment_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint comment_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint comment_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint comment_author_check
    check ((author_kind = 'agent') = (agent_id is not null) and (author_kind = 'person') = (person_id is not null)),
  -- Agents speak of their own plans alone.
  constraint comment_agent_subject_check check (author_kind = 'person' or subject_type = 'approval_request'),
  constraint comment_slack_check check ((via = 'slack') = (slack_channel is not null))
);
create index comment_subject_idx on comment (tenant_id, subject_id, created_at, id);

comment on table comment is 'The words of a person or an agent about an approval request or a change; they decide nothing. Insert-only.';
comment on column comment.tenant_id is 'The tenant it belongs to.';
comment on column comment.id is 'UUIDv7.';
comment on column comment.subject_type is 'The kind of the subject: approval_request, or change_request for a change of a guardrail.';
comment on column comment.subject_id is 'The subject that it is about.';
comment on column comment.request_id is 'The subject''s id if it is an approval request; generated for the foreign key.';
comment on column comment.change_id is 'The subject''s id if it is a change; generated for the foreign key.';
comment on column comment.author_kind is 'person, or agent: an agent''s words are not verified.';
comment on column comment.agent_id is 'The agent that wrote it, or null.';
comment on column comment.person_id is 'The person who wrote it, or null.';
comment on column comment.on_behalf_of is 'The person who delegated to the agent.';
comment on column comment.credential_id is 'With which credential.';
comment on column comment.body is 'The words, with secrets masked.';
comment on column comment.via is 'Its way in: the API, the browser included, or a Slack thread.';
comment on column comment.slack_channel is 'The Slack channel it was written in: nothing is posted there again.';
comment on column comment.created_at is 'When, by the database''s clock.';

select countersign_protect('comment');
select countersign_append_only('comment');
select countersign_live('comment', 'comment', 'author_kind', 'subject_id');

create table comment_recipient (
  tenant_id uuid not null,
  comment_id uuid not null,
  person_id uuid not null,
  subject_id uuid not null,
  created_at timestamptz not null,
  read_at timestamptz,
  constraint comment_recipient_pk primary key (tenant_id, comment_id, person_id),
  constraint comment_recipient_comment_fk foreign key (tenant_id, comment_id) references comment (tenant_id, id),
  constraint comment_recipient_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);
create index comment_recipient_unread_idx on comment_recipient (tenant_id, person_id, created_at desc, comment_id desc)
  where read_at is null;

comment on table comment_recipient is 'People that a comment concerned when it was written: it waits in their inbox until they have read it.';
comment on column comment_recipient.tenant_id is 'The tenant it belongs to.';
comment on column comment_recipient.comment_id is 'The comment.';
comment on column comment_recipient.person_id is 'The person who is told; never its author.';
comment on column comment_recipient.subject_id is 'The request or the change it is about.';
comment on column comment_recipient.created_at is 'When it was written.';
comment on column comment_recipient.read_at is 'When a page showed it to them, or null.';

select countersign_protect('comment_recipient');
select countersign_changes_only('comment_recipient', 'read_at');
