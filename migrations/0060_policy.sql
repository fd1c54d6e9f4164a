-- The policy bundles that decisions were taken with, and the one in force. Also the log of every enforced decision, in the shape
-- of OPA's decision log. Decisions never change: a later one stands beside them.

-- ---------------------------------------------------------------------------------------------------------------
-- Bundles: the same for every tenant
-- ---------------------------------------------------------------------------------------------------------------

create table policy_bundle (
  revision text not null,
  wasm_digest text not null,
  entrypoints jsonb not null,
  sources jsonb not null,
  wasm bytea not null,
  installed_at timestamptz not null default clock_timestamp(),
  constraint policy_bundle_pk primary key (revision),
  constraint policy_bundle_revision_format check (revision ~ '^sha256:[0-9a-f]{64}$'),
  constraint policy_bundle_wasm_digest_format check (wasm_digest ~ '^sha256:[0-9a-f]{64}$')
);

comment on table policy_bundle is 'Global: every bundle that ever decided here, kept so that its decisions can be taken again by anyone.';
comment on column policy_bundle.revision is 'SHA-256 of the sorted Rego sources.';
comment on column policy_bundle.wasm_digest is 'SHA-256 of the compiled module.';
comment on column policy_bundle.entrypoints is 'Each entrypoint''s name and its path in the bundle.';
comment on column policy_bundle.sources is 'The Rego sources by path.';
comment on column policy_bundle.wasm is 'The module compiled from them.';
comment on column policy_bundle.installed_at is 'When a process first decided with it.';

grant select, insert on policy_bundle to countersign_app;
select countersign_append_only('policy_bundle');

create table bundle_head (
  the_one boolean not null default true,
  revision text not null,
  changed_at timestamptz not null default clock_timestamp(),
  constraint bundle_head_pk primary key (the_one),
  constraint bundle_head_single check (the_one),
  constraint bundle_head_bundle_fk foreign key (revision) references policy_bundle (revision)
);

comment on table bundle_head is 'Global: the bundle in force: one row. A decision holds it FOR SHARE, so that it changes between decisions only.';
comment on column bundle_head.the_one is 'True: there is one row.';
comment on column bundle_head.revision is 'The bundle in force.';
comment on column bundle_head.changed_at is 'Since when.';

grant select, insert, update on bundle_head to countersign_app;

-- ---------------------------------------------------------------------------------------------------------------
-- Decisions
-- ---------------------------------------------------------------------------------------------------------------

create table decision (
  tenant_id uuid not null,
  id uuid not null,
  entrypoint text not null,
  bundle_revision text not null,
  subject_type text not null,
  subject_id text not null,
  within jsonb not null constraint decision_within_check check (jsonb_typeof(within) = 'array'),
  input jsonb not null,
  input_digest text not null,
  result jsonb not null,
  outcome text not null,
  decided_at timestamptz not null,
  root_id text generated always as (within -> 0 ->> 'id') stored,
  tool_name text generated always as (input #>> '{tool,name}') stored,
  constraint decision_pk primary key (tenant_id, id),
  constraint decision_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint decision_bundle_fk foreign key (bundle_revision) references policy_bundle (revision),
  constraint decision_outcome_known check (outcome in ('allow', 'require_approval', 'deny')),
  constraint decision_outcome_matches check (outcome = result ->> 'outcome'),
  -- A count in a pattern has PostgreSQL make a state for each character, at each use.
  constraint decision_input_digest_format check (input_digest ~ '^sha256:[0-9a-f]+$' and length(input_digest) = 71)
) partition by range (id);
-- Decisions by day and outcome are read from the index alone. A search of entries by outcome or tool starts here.
create index decision_decided_idx on decision (tenant_id, decided_at, outcome);
create index decision_tool_idx on decision (tenant_id, tool_name, id) where entrypoint = 'tool_call';
-- A decision on a single call is found by its audit entry, and stands in neither of these two indexes.
create index decision_root_idx on decision (tenant_id, root_id, id) where root_id is not null;
create index decision_subject_idx on decision (tenant_id, subject_id, id) where within <> '[]';

comment on table decision is 'Every decision that was enforced, with all it was taken from. Never changed.';
comment on column decision.tenant_id is 'The tenant.';
comment on column decision.id is 'UUIDv7; the audit entry of the action names it.';
comment on column decision.entrypoint is 'Which question was asked: tool_call, plan, review, run_step, autonomy, automation.';
comment on column decision.bundle_revision is 'The policies that answered.';
comment on column decision.subject_type is 'The kind of thing that it was taken about.';
comment on column decision.subject_id is 'The id of that thing. No foreign key: a decision is recorded before what it allows exists.';
comment on column decision.within is 'The things it was taken in, outermost first: [{type, id}].';
comment on column decision.input is 'The complete input, secrets masked.';
comment on column decision.input_digest is 'Of the input as it was evaluated, before masking.';
comment on column decision.result is 'The decision: outcome, reasons, obligations, effective mode.';
comment on column decision.outcome is 'allow, require_approval or deny; as in result.';
comment on column decision.decided_at is 'The now of the input.';
comment on column decision.root_id is 'The id of the outermost thing it was taken in, if any.';
comment on column decision.tool_name is 'The name of the tool in the input, if it has one.';

select countersign_check_at_once('decision');
select countersign_protect('decision');
select countersign_append_only('decision');
select countersign_partition_by_month('decision');

-- A function records a decision, so that it travels with the other writes of its action as one statement. Its parameters stand in the
-- order of the entity's columns.
create function decision_append(
  new_id uuid, new_entrypoint text, new_bundle_revision text, new_subject_type text, new_subject_id text, new_within jsonb,
  new_input jsonb, new_input_digest text, new_result jsonb, new_outcome text, new_decided_at timestamptz
) returns void
  language plpgsql as $$
begin
  insert into decision (tenant_id, id, entrypoint, bundle_revision, subject_type, subject_id, within, input, input_digest,
                        result, outcome, decided_at)
  values (countersign_current_tenant(), new_id, new_entrypoint, new_bundle_revision, new_subject_type, new_subject_id,
          new_within, new_input, new_input_digest, new_result, new_outcome, new_decided_at);
end $$;
comment on function decision_append(uuid, text, text, text, text, jsonb, jsonb, text, jsonb, text, timestamptz) is
  'Inserts a decision of the current tenant, with the rights of the caller.';

create view decision_log with (security_invoker = true) as
  select
    tenant_id,
    jsonb_build_object(
      'labels', jsonb_build_object('tenant_id', tenant_id, subject_type || '_id', subject_id) || coalesce(
        (select jsonb_object_agg((thing ->> 'type') || '_id', thing -> 'id') from jsonb_array_elements(within) thing), '{}'),
      'decision_id', id,
      'bundles', jsonb_build_object('countersign', jsonb_build_object('revision', bundle_revision)),
      'path', 'countersign/' || entrypoint || '/decision',
      'input', input,
      'result', result,
      'timestamp', to_char(decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) as event
  from decision;

comment on view decision_log is 'Decisions as OPA logs its own, for tools that read those.';
comment on column decision_log.tenant_id is 'The tenant.';
comment on column decision_log.event is 'One event of OPA''s decision log.';

grant select on decision_log to countersign_app;
