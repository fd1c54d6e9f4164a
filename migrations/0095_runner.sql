-- Runners: machines in a tenant's own network that take calls, their keys, and the calls that wait for one. Lifecycle of such a
-- call (libs/registry/runner-pool/src/domain/dispatch-transitions.ts holds the same rows):
--
--   waiting ──take──▶ taken ──answer──▶ answered
--      │                └──lose──▶ lost ──answer──▶ answered_late
--      └──withdraw──▶ withdrawn

create table runner (
  tenant_id uuid not null constraint runner_tenant_fk references tenant (id),
  id uuid not null,
  name text not null constraint runner_name_check check (char_length(name) between 1 and 63),
  pool text not null constraint runner_pool_check check (char_length(pool) between 1 and 64),
  environments text[] not null constraint runner_environments_check check (cardinality(environments) between 1 and 200),
  created_at timestamptz not null,
  created_by uuid not null,
  enrolled_at timestamptz,
  version text constraint runner_version_check check (char_length(version) between 1 and 100),
  tools jsonb not null default '[]',
  works_in text[] constraint runner_works_in_check check (cardinality(works_in) between 1 and 200),
  hooks text[] not null default '{}' constraint runner_hooks_check check (cardinality(hooks) <= 100),
  no_way_back text constraint runner_no_way_back_check check (char_length(no_way_back) between 1 and 300),
  last_seen_at timestamptz,
  left_at timestamptz,
  revoked_at timestamptz,
  revoked_by uuid,
  seal text not null constraint runner_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint runner_pk primary key (tenant_id, id),
  constraint runner_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint runner_revoked_by_fk foreign key (tenant_id, revoked_by) references person (tenant_id, id),
  constraint runner_revoked_check check ((revoked_at is null) = (revoked_by is null)),
  constraint runner_tools_check check (jsonb_typeof(tools) = 'array')
);
create unique index runner_name_unique on runner (tenant_id, name) where revoked_at is null;
create index runner_pool_idx on runner (tenant_id, pool, last_seen_at) where revoked_at is null;

comment on table runner is 'A machine of a tenant that takes the calls of one pool in some environments.';
comment on column runner.tenant_id is 'The tenant it belongs to.';
comment on column runner.id is 'UUIDv7.';
comment on column runner.name is 'Its name, unique among runners that are not revoked.';
comment on column runner.pool is 'The pool of which it takes calls; executors of the kind runner name one.';
comment on column runner.environments is 'The names of the environments that it was added for; they never change.';
comment on column runner.created_at is 'When it was added.';
comment on column runner.created_by is 'The person who added it.';
comment on column runner.enrolled_at is 'When a machine exchanged its token; null before.';
comment on column runner.version is 'The version that it said it is.';
comment on column runner.tools is 'Names and schemas of the tools that it says it has. No risk: the catalog assigns that.';
comment on column runner.works_in is 'The environments that its machine says it works in; null before it said so. It takes calls of those in both lists.';
comment on column runner.hooks is 'The names of the programs that its operator lists for lifecycle hooks, as it says. Their paths stay there.';
comment on column runner.no_way_back is 'The reason why it takes no snapshot of its whole workspace, as it says; null if it does.';
comment on column runner.last_seen_at is 'When it last called, to a few seconds.';
comment on column runner.left_at is 'When it said that it ends; null once it calls again.';
comment on column runner.revoked_at is 'Since when it is refused; null while it is not revoked.';
comment on column runner.revoked_by is 'The person who revoked it.';
comment on column runner.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('runner');
select countersign_changes_only('runner', 'enrolled_at', 'version', 'tools', 'works_in', 'hooks', 'no_way_back', 'last_seen_at', 'left_at', 'revoked_at', 'revoked_by');
create trigger runner_set_once before update on runner
  for each row execute function countersign_refuse_unset('enrolled_at', 'revoked_at', 'revoked_by');

create table runner_enrolment (
  tenant_id uuid not null,
  id uuid not null,
  runner_id uuid not null,
  token_digest bytea not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  seal text not null constraint runner_enrolment_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint runner_enrolment_pk primary key (tenant_id, id),
  -- Looked up before a tenant is known, by the digest of 256 random bits.
  constraint runner_enrolment_token_digest_key unique (token_digest),
  constraint runner_enrolment_runner_fk foreign key (tenant_id, runner_id) references runner (tenant_id, id),
  constraint runner_enrolment_token_digest_check check (octet_length(token_digest) = 32),
  constraint runner_enrolment_expires_at_check check (expires_at > created_at and expires_at <= created_at + interval '1 hour'),
  constraint runner_enrolment_used_at_check check (used_at >= created_at and used_at < expires_at)
);
create index runner_enrolment_runner_idx on runner_enrolment (tenant_id, runner_id);

comment on table runner_enrolment is 'A one-time token by which a machine becomes a runner.';
comment on column runner_enrolment.tenant_id is 'The tenant it belongs to.';
comment on column runner_enrolment.id is 'UUIDv7.';
comment on column runner_enrolment.runner_id is 'The runner that it enrols.';
comment on column runner_enrolment.token_digest is 'HMAC-SHA-256 of the token under a key of the keyring.';
comment on column runner_enrolment.created_at is 'When it was issued.';
comment on column runner_enrolment.expires_at is 'From when it is refused; at most an hour later.';
comment on column runner_enrolment.used_at is 'When it was exchanged; it works once.';
comment on column runner_enrolment.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('runner_enrolment');
select countersign_system_reads('runner_enrolment');
select countersign_changes_only('runner_enrolment', 'used_at');
create trigger runner_enrolment_set_once before update on runner_enrolment
  for each row execute function countersign_refuse_unset('used_at');

create function runner_enrolment_by_digest(wanted bytea) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select runner_enrolment.tenant_id, runner_enrolment.id from runner_enrolment where runner_enrolment.token_digest = wanted;
  end;
select countersign_system_function('runner_enrolment_by_digest(bytea)');
comment on function runner_enrolment_by_digest(bytea) is 'The enrolment of a runner with the digest of its token.';

create table runner_key (
  tenant_id uuid not null,
  id uuid not null,
  runner_id uuid not null,
  public_key text not null constraint runner_key_public_key_check check (public_key ~ '^[A-Za-z0-9_-]{43}$'),
  created_at timestamptz not null,
  revoked_at timestamptz,
  seal text not null constraint runner_key_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint runner_key_pk primary key (tenant_id, id),
  constraint runner_key_public_key_key unique (tenant_id, public_key),
  constraint runner_key_runner_fk foreign key (tenant_id, runner_id) references runner (tenant_id, id)
);
create index runner_key_runner_idx on runner_key (tenant_id, runner_id, created_at);

comment on table runner_key is 'Ed25519 keys that sign the proofs of a runner. The newest that it used revokes those before.';
comment on column runner_key.tenant_id is 'The tenant it belongs to.';
comment on column runner_key.id is 'UUIDv7; the kid of a proof.';
comment on column runner_key.runner_id is 'The runner that holds the private key.';
comment on column runner_key.public_key is 'The public key in base64url, the x of its JWK (RFC 8037).';
comment on column runner_key.created_at is 'When it was registered.';
comment on column runner_key.revoked_at is 'Since when it is refused; null while it is not revoked.';
comment on column runner_key.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('runner_key');
select countersign_changes_only('runner_key', 'revoked_at');
create trigger runner_key_set_once before update on runner_key
  for each row execute function countersign_refuse_unset('revoked_at');

create table runner_proof (
  tenant_id uuid not null,
  runner_id uuid not null,
  id uuid not null,
  expires_at timestamptz not null,
  constraint runner_proof_pk primary key (tenant_id, runner_id, id),
  constraint runner_proof_runner_fk foreign key (tenant_id, runner_id) references runner (tenant_id, id)
);

comment on table runner_proof is 'Proofs that runners have used, until they expire: each counts once.';
comment on column runner_proof.tenant_id is 'The tenant it belongs to.';
comment on column runner_proof.runner_id is 'The runner that signed it.';
comment on column runner_proof.id is 'The proof''s jti.';
comment on column runner_proof.expires_at is 'From when it is refused for its age.';

select countersign_protect('runner_proof');

create table runner_mcp_server (
  tenant_id uuid not null,
  runner_id uuid not null,
  name text not null constraint runner_mcp_server_name_check check (char_length(name) between 1 and 63),
  problem text constraint runner_mcp_server_problem_check check (char_length(problem) between 1 and 300),
  tools jsonb not null constraint runner_mcp_server_tools_check check (jsonb_typeof(tools) = 'array' and jsonb_array_length(tools) <= 200),
  constraint runner_mcp_server_pk primary key (tenant_id, runner_id, name),
  constraint runner_mcp_server_runner_fk foreign key (tenant_id, runner_id) references runner (tenant_id, id)
);

comment on table runner_mcp_server is 'The MCP servers that the operator of a runner lists, as the runner said last. Their programs stay there.';
comment on column runner_mcp_server.tenant_id is 'The tenant it belongs to.';
comment on column runner_mcp_server.runner_id is 'The runner that starts it.';
comment on column runner_mcp_server.name is 'Its name in the configuration of the runner.';
comment on column runner_mcp_server.problem is 'The reason why the runner cannot read its tools; null if it can.';
comment on column runner_mcp_server.tools is 'The definitions that it lists, each with its digest, or with the bound that it breaks.';

select countersign_protect('runner_mcp_server');

-- ---------------------------------------------------------------------------------------------------------------
-- Calls for a runner of a pool
-- ---------------------------------------------------------------------------------------------------------------

create table runner_dispatch_state (
  state text not null,
  constraint runner_dispatch_state_pk primary key (state)
);
insert into runner_dispatch_state values ('waiting'), ('taken'), ('answered'), ('lost'), ('answered_late'), ('withdrawn');
comment on table runner_dispatch_state is 'Global: the states of a call for a runner.';
comment on column runner_dispatch_state.state is 'The state''s name.';
select countersign_lookup('runner_dispatch_state');

create table runner_dispatch_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint runner_dispatch_transition_to_fk references runner_dispatch_state,
  constraint runner_dispatch_transition_pk primary key (from_state, event)
);
insert into runner_dispatch_transition values
  ('', 'offer', 'waiting'),
  ('waiting', 'take', 'taken'),
  ('waiting', 'withdraw', 'withdrawn'),
  ('taken', 'answer', 'answered'),
  ('taken', 'lose', 'lost'),
  ('lost', 'answer', 'answered_late');

comment on table runner_dispatch_transition is 'Global: the legal changes of the state of a call for a runner; every other is refused (CS002).';
comment on column runner_dispatch_transition.from_state is 'The state before; empty for creation.';
comment on column runner_dispatch_transition.event is 'The event.';
comment on column runner_dispatch_transition.to_state is 'The state after.';

create table runner_dispatch (
  tenant_id uuid not null constraint runner_dispatch_tenant_fk references tenant (id),
  id uuid not null,
  pool text not null,
  environment text not null,
  executor text not null,
  source_type text not null,
  source_id uuid not null,
  step text not null,
  attempt integer not null constraint runner_dispatch_attempt_check check (attempt > 0),
  tool text not null,
  tool_version integer not null,
  arguments text not null,
  with_secrets boolean not null,
  idempotency_key text not null,
  grant_token text not null,
  state text not null constraint runner_dispatch_state_fk references runner_dispatch_state,
  offered_at timestamptz not null,
  offered_until timestamptz not null,
  answer_by timestamptz not null,
  runner_id uuid,
  taken_at timestamptz,
  ended_at timestamptz,
  answer text,
  hand_over_at timestamptz,
  output_seq integer not null default 0,
  output_bytes integer not null default 0,
  output_cut boolean not null default false,
  output_held text constraint runner_dispatch_output_held_check check (octet_length(output_held) <= 3145728),
  constraint runner_dispatch_pk primary key (tenant_id, id),
  constraint runner_dispatch_runner_fk foreign key (tenant_id, runner_id) references runner (tenant_id, id),
  constraint runner_dispatch_offered_check check (offered_until > offered_at and answer_by >= offered_until),
  constraint runner_dispatch_taken_check
    check (num_nonnulls(runner_id, taken_at) = case when state in ('waiting', 'withdrawn') then 0 else 2 end),
  constraint runner_dispatch_ended_check check ((ended_at is null) = (state in ('waiting', 'taken'))),
  constraint runner_dispatch_answer_check check ((answer is null) = (state not in ('answered', 'answered_late'))),
  constraint runner_dispatch_hand_over_check check (hand_over_at is null or state = 'answered'),
  constraint runner_dispatch_output_check check (output_seq >= 0 and output_bytes >= 0)
);
create index runner_dispatch_waiting_idx on runner_dispatch (tenant_id, pool, offered_at) where state = 'waiting';
create index runner_dispatch_taken_idx on runner_dispatch (tenant_id, runner_id, taken_at) where state = 'taken';
create index runner_dispatch_ended_idx on runner_dispatch (tenant_id, ended_at) where ended_at is not null;
create index runner_dispatch_hand_over_idx on runner_dispatch (tenant_id, hand_over_at) where hand_over_at is not null;
create index runner_dispatch_source_idx on runner_dispatch (tenant_id, source_id, step, attempt);

comment on table runner_dispatch is 'A call that waits for a runner of a pool, or that one has taken. It is taken once.';
comment on column runner_dispatch.tenant_id is 'The tenant it belongs to.';
comment on column runner_dispatch.id is 'UUIDv7.';
comment on column runner_dispatch.pool is 'The pool of runners that may take it.';
comment on column runner_dispatch.environment is 'The environment''s name.';
comment on column runner_dispatch.executor is 'The executor''s name.';
comment on column runner_dispatch.source_type is 'The kind of thing that the call is made for.';
comment on column runner_dispatch.source_id is 'The run, or the thing of another kind.';
comment on column runner_dispatch.step is 'The run step, or the number of the call.';
comment on column runner_dispatch.attempt is 'The attempt''s number, from 1.';
comment on column runner_dispatch.tool is 'The tool''s name.';
comment on column runner_dispatch.tool_version is 'The tool''s version.';
comment on column runner_dispatch.arguments is 'The arguments as approved, JSON; secrets are references.';
comment on column runner_dispatch.with_secrets is 'Whether the runner gets the values of the secrets that the arguments name.';
comment on column runner_dispatch.idempotency_key is 'The same for every attempt of an idempotent step.';
comment on column runner_dispatch.grant_token is 'The grant, which the runner verifies and redeems.';
comment on column runner_dispatch.state is 'Its state in the lifecycle.';
comment on column runner_dispatch.offered_at is 'When it was offered to the pool, by the database''s clock.';
comment on column runner_dispatch.offered_until is 'From when no runner takes it any more.';
comment on column runner_dispatch.answer_by is 'From when its effect counts as unknown if it was taken.';
comment on column runner_dispatch.runner_id is 'The runner that took it, or null.';
comment on column runner_dispatch.taken_at is 'When it was taken, or null.';
comment on column runner_dispatch.ended_at is 'When it was withdrawn, answered or lost; null before.';
comment on column runner_dispatch.answer is 'The runner''s answer, without secrets: a ToolCallResponse in JSON.';
comment on column runner_dispatch.hand_over_at is
  'From when a worker writes the answer to the record of its source, unless that has it. Null once one looked.';
comment on column runner_dispatch.output_seq is 'The number of the last chunk of output that was kept.';
comment on column runner_dispatch.output_bytes is 'The bytes of output that were kept.';
comment on column runner_dispatch.output_cut is 'Whether output beyond the cap was left out.';
comment on column runner_dispatch.output_held is 'The ends of its output that may be beginnings of secrets, by stream, in JSON. They are encrypted under the keyring: key.nonce.ciphertext. The next chunk or the end of the call takes them.';

select countersign_protect('runner_dispatch');
select countersign_system_reads('runner_dispatch');
select countersign_state_machine('runner_dispatch', 'runner_dispatch_transition');
select countersign_changes_only('runner_dispatch',
  'state', 'runner_id', 'taken_at', 'ended_at', 'answer', 'hand_over_at', 'output_seq', 'output_bytes', 'output_cut', 'output_held');
create trigger runner_dispatch_set_once before update on runner_dispatch
  for each row execute function countersign_refuse_unset('runner_id', 'taken_at', 'answer');

-- A call is let go, with its output, a month after its end. Its answer stands with its run or its single call.
create function runner_dispatch_refuse_delete() returns trigger
  language plpgsql as $$
begin
  if old.ended_at is null or old.ended_at > clock_timestamp() - interval '30 days' then
    raise exception 'a call for a runner is kept for 30 days after its end' using errcode = 'CS001';
  end if;
  return old;
end $$;
comment on function runner_dispatch_refuse_delete() is
  'Trigger: a call that is under way, or ended less than 30 days ago, is not deleted; SQLSTATE CS001.';
grant delete on runner_dispatch to countersign_app;
create trigger runner_dispatch_kept before delete on runner_dispatch
  for each row execute function runner_dispatch_refuse_delete();

create function runner_hand_over_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select dispatch.tenant_id, dispatch.id from runner_dispatch dispatch
     where dispatch.hand_over_at <= at and dispatch.id <> all (held) and dispatch.tenant_id <> all (full_tenants)
     order by dispatch.hand_over_at limit most;
  end;
select countersign_system_function('runner_hand_over_due(timestamptz, integer, uuid[], uuid[])');
comment on function runner_hand_over_due(timestamptz, integer, uuid[], uuid[]) is
  'Answers of runners that nobody may have recorded, the longest due first.';

create function runner_dispatch_ended_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from runner_dispatch dispatch where dispatch.tenant_id = tenant.id and dispatch.ended_at < before);
  end;
select countersign_system_function('runner_dispatch_ended_tenants(timestamptz)');
comment on function runner_dispatch_ended_tenants(timestamptz) is
  'Tenants with calls for runners that ended before a moment; id repeats the tenant.';

create function runner_dispatch_tell() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform pg_notify('countersign_runner', concat_ws(':', 'offered', new.tenant_id, new.pool));
  else
    perform pg_notify('countersign_runner', concat_ws(':', 'moved', new.tenant_id, new.id));
  end if;
  return null;
end $$;
comment on function runner_dispatch_tell() is
  'Trigger: wakes the runners of a pool for a new call, and the caller for its end, at commit.';
create trigger runner_dispatch_offered after insert on runner_dispatch
  for each row execute function runner_dispatch_tell();
create trigger runner_dispatch_moved after update of state on runner_dispatch
  for each row when (old.state is distinct from new.state) execute function runner_dispatch_tell();

create table runner_output (
  tenant_id uuid not null,
  dispatch_id uuid not null,
  seq integer not null constraint runner_output_seq_check check (seq > 0),
  stream text not null constraint runner_output_stream_check check (stream in ('stdout', 'stderr')),
  text text not null constraint runner_output_text_check check (octet_length(text) <= 65536),
  at timestamptz not null,
  constraint runner_output_pk primary key (tenant_id, dispatch_id, seq),
  constraint runner_output_dispatch_fk foreign key (tenant_id, dispatch_id) references runner_dispatch (tenant_id, id)
    on delete cascade
);

comment on table runner_output is 'Text that a call wrote while it ran on a runner, in order; insert-only, and let go with its call.';
comment on column runner_output.tenant_id is 'The tenant it belongs to.';
comment on column runner_output.dispatch_id is 'The call.';
comment on column runner_output.seq is 'The chunk''s number, from 1 without a gap.';
comment on column runner_output.stream is 'stdout or stderr.';
comment on column runner_output.text is 'The text, masked.';
comment on column runner_output.at is 'When it arrived, by the database''s clock.';

select countersign_protect('runner_output');
revoke update, delete, truncate on runner_output from countersign_app;
create trigger runner_output_unchanged before update on runner_output
  for each row execute function countersign_refuse_change();
create trigger runner_output_no_truncate before truncate on runner_output
  for each statement execute function countersign_refuse_change();
create function runner_output_refuse_delete() returns trigger
  language plpgsql as $$
begin
  if exists (select from runner_dispatch where tenant_id = old.tenant_id and id = old.dispatch_id) then
    raise exception 'output goes with its call alone' using errcode = 'CS001';
  end if;
  return old;
end $$;
comment on function runner_output_refuse_delete() is 'Trigger: output is deleted with its call alone; SQLSTATE CS001.';
create trigger runner_output_kept before delete on runner_output
  for each row execute function runner_output_refuse_delete();

-- Readers of a single call hear of output as they do if its agent sends it.
create function runner_output_tell() returns trigger
  language plpgsql as $$
declare
  call runner_dispatch;
begin
  select * into strict call from runner_dispatch where tenant_id = new.tenant_id and id = new.dispatch_id;
  perform pg_notify('countersign_change', case call.source_type
    when 'tool_call' then concat_ws(':', new.tenant_id, 'tool_call_output', call.source_id, new.seq)
    else concat_ws(':', new.tenant_id, 'runner_output', new.dispatch_id, new.seq) end);
  return null;
end $$;
comment on function runner_output_tell() is
  'Trigger: tells every listening replica, at commit, that a call on a runner has more output.';
create trigger runner_output_live after insert on runner_output
  for each row execute function runner_output_tell();
