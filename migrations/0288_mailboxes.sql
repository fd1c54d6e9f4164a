-- One mailbox has one vote (T39): which addresses reach the same one.

create function countersign_mailbox(address text) returns text
  language sql immutable strict parallel safe as $$
  select replace(split_part(split_part(lower(address), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(address), '@', 2)
$$;
comment on function countersign_mailbox(text) is
  'The mailbox of an address: without case, what follows a +, and dots in the local part. It errs towards the same mailbox.';

create index person_mailbox_idx on person (tenant_id, countersign_mailbox(email), created_at);
