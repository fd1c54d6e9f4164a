-- A message is written by a call, so that it travels with the other writes of its action as one statement.

create function outbox_append(new_id uuid, new_topic text, new_payload jsonb) returns void
  language plpgsql as $$
begin
  insert into outbox_message (tenant_id, id, topic, payload, state, next_attempt_at, created_at)
  values (countersign_current_tenant(), new_id, new_topic, new_payload, 'pending', clock_timestamp(), clock_timestamp());
end $$;

comment on function outbox_append(uuid, text, jsonb) is
  'Inserts a message of the current tenant that is due at once, with the rights of the caller.';
