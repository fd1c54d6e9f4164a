-- How often a person or agent, with all their credentials together, and all of a tenant may call; shared by all API
-- processes. It replaces the budget of each credential, of which somebody could have as many as they minted.

-- Unlogged: it is written at almost every request and worth nothing after a crash, when every budget is simply full.
create unlogged table request_budget (
  tenant_id uuid not null,
  holder_id uuid not null,
  tokens double precision not null,
  granted integer not null,
  refilled_at timestamptz not null,
  constraint request_budget_pk primary key (tenant_id, holder_id),
  constraint request_budget_tokens_check check (tokens >= 0),
  constraint request_budget_granted_check check (granted >= 0)
);
select countersign_protect('request_budget');

comment on table request_budget is 'A token bucket for each person and agent, and one for the tenant, from which processes draw a few requests at a time.';
comment on column request_budget.tenant_id is 'The tenant it belongs to.';
comment on column request_budget.holder_id is 'The person or agent whose requests it counts, or the tenant itself for those of all; without a foreign key, since the table does not survive a crash.';
comment on column request_budget.tokens is 'Requests left at refilled_at; it refills with time.';
comment on column request_budget.granted is 'How many the last draw was given.';
comment on column request_budget.refilled_at is 'When tokens was computed.';

drop table credential_budget;
