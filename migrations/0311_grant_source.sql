-- A grant names the thing that its call is made for by one pair: its kind, and its id.

alter table call_grant rename column run_id to source_id;
alter table call_grant add column source_type text;
-- A change of type rewrites the rows without their triggers, which keep every other change out.
alter table call_grant
  alter column source_type type text using case when source_id is null then 'simulation' else 'run' end,
  alter column source_id type uuid using coalesce(source_id, simulation_id);
alter table call_grant
  alter column source_type set not null,
  alter column source_id set not null,
  add constraint call_grant_source_type_check check (source_type in ('run', 'simulation')),
  drop column simulation_id;
drop index call_grant_run_idx;
create index call_grant_source_idx on call_grant (tenant_id, source_id);

comment on column call_grant.source_type is 'The kind of thing that the call is made for: run or simulation.';
comment on column call_grant.source_id is 'The run or the simulation.';
