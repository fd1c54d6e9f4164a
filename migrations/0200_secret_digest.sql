-- Stored digests of secrets are HMACs under a key of the keyring, no longer plain SHA-256: a login to the database alone
-- writes no row that admits its writer. What was stored before cannot be carried over, since it does not say who wrote it.

do $$
begin
  if exists (select from tenant) then
    raise exception 'This data folder is of a version before 0200: what it stores is not authenticated. Start with a new folder (COUNTERSIGN_DATA) and a new database, and found your tenants again.'
      using errcode = 'CS003';
  end if;
end $$;
delete from bootstrap_token;

comment on column credential.token_digest is 'HMAC-SHA-256 of the token under a key of the keyring; a session''s changes when it is rotated.';
comment on column browser_session.previous_digest is 'The digest of the token before the last rotation; accepted for some seconds after it.';
comment on column enrolment.token_digest is 'HMAC-SHA-256 of the token under a key of the keyring.';
comment on column bootstrap_token.token_digest is 'HMAC-SHA-256 of the token under a key of the keyring.';
comment on column sign_in_transaction.state_digest is 'HMAC-SHA-256, under a key of the keyring, of the state parameter it has to come back with.';
comment on column sign_in_transaction.browser_digest is 'HMAC-SHA-256, under a key of the keyring, of the cookie of the browser that was sent.';
comment on column slack_install_attempt.state_digest is 'HMAC-SHA-256 of the state under a key of the keyring.';
comment on column slack_link_code.code_digest is 'HMAC-SHA-256 of the code under a key of the keyring.';
comment on column recovery_code.digest is 'HMAC-SHA-256, under a key of the keyring, of the code and whose it is; the code is 100 random bits.';
