-- How often a credential may still be used, shared by all API processes.

-- Unlogged: it is written at almost every request and worth nothing after a crash, when every budget is simply full.
create unlogged table credential_budget (
  tenant_id uuid not null,
  credential_id uuid not null,
  tokens double precision not null,
  granted integer not null,
  refilled_at timestamptz not null,
  constraint credential_budget_pk primary key (tenant_id, credential_id),
  constraint credential_budget_tokens_check check (tokens >= 0),
  constraint credential_budget_granted_check check (granted >= 0)
);
select countersign_protect('credential_budget');

comment on table credential_budget is 'A token bucket for each credential, from which processes draw a few requests at a time.';
comment on column credential_budget.tenant_id is 'The tenant it belongs to.';
comment on column credential_budget.credential_id is 'Whose requests it counts; without a foreign key, since the table does not survive a crash.';
comment on column credential_budget.tokens is 'Requests left at refilled_at; it refills with time.';
comment on column credential_budget.granted is 'How many the last draw was given.';
comment on column credential_budget.refilled_at is 'When tokens was computed.';
