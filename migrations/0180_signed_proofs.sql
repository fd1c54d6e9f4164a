-- A passkey signs what is approved: the challenge is a digest over the operation and a nonce, and the answer is kept.

alter table step_up
  add column nonce bytea constraint step_up_nonce_check check (octet_length(nonce) = 32),
  add column assertion jsonb,
  add constraint step_up_assertion_check check (assertion is null or (state <> 'open' and method = 'passkey'));
comment on column step_up.nonce is 'The random part of the challenge; null for a step-up from before challenges were derived, which proves nothing any more.';
comment on column step_up.assertion is 'What the passkey answered, with its public key and whom it answered: evidence of the operation. Null for other methods.';
grant update (assertion) on step_up to countersign_app;

alter table factor
  add column relying_party_id text,
  add column origin text,
  add constraint factor_relying_party_check check (num_nulls(relying_party_id, origin) in (0, 2));
comment on column factor.relying_party_id is 'The host name that a passkey was registered for; null for other kinds, and for passkeys from before enrolments were fixed in the log.';
comment on column factor.origin is 'The origin of the page that registered a passkey; null as above.';
