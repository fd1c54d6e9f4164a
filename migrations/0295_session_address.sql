-- A session is told from another one by where it was opened, too.

alter table browser_session add column address text;
alter table browser_session add constraint browser_session_address_check check (char_length(address) between 1 and 64);
comment on column browser_session.address is 'The network address that it was opened from; null where it was opened before addresses were kept.';
