-- Who has answered for an agent, so that handing it to somebody else gives nobody a vote on what it asked for before.

create table agent_owner (
  tenant_id uuid not null,
  agent_id uuid not null,
  since timestamptz not null,
  person_id uuid not null,
  constraint agent_owner_pk primary key (tenant_id, agent_id, since),
  constraint agent_owner_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint agent_owner_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);
select countersign_protect('agent_owner');
select countersign_append_only('agent_owner');

comment on table agent_owner is 'Every person who was ever accountable for an agent, and since when; written by a trigger on agent, insert-only.';
comment on column agent_owner.tenant_id is 'The tenant it belongs to.';
comment on column agent_owner.agent_id is 'The agent.';
comment on column agent_owner.since is 'Since when, until the next row of the same agent.';
comment on column agent_owner.person_id is 'Who was accountable.';

insert into agent_owner (tenant_id, agent_id, since, person_id)
  select tenant_id, id, created_at, owner_person_id from agent;

create function countersign_keep_agent_owner() returns trigger
  language plpgsql as $$
begin
  insert into agent_owner (tenant_id, agent_id, since, person_id)
    values (new.tenant_id, new.id, clock_timestamp(), new.owner_person_id);
  return null;
end $$;

comment on function countersign_keep_agent_owner() is 'Trigger of agent: keeps every accountable person in agent_owner.';

create trigger agent_first_owner after insert on agent
  for each row execute function countersign_keep_agent_owner();
create trigger agent_next_owner after update of owner_person_id on agent
  for each row when (old.owner_person_id <> new.owner_person_id) execute function countersign_keep_agent_owner();
