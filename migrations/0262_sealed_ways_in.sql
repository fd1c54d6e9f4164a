-- By what a person is known, and whom an issuer's sign-in lets in: sealed rows.

select countersign_sealed('enrolment');
select countersign_sealed('person_vouch');
select countersign_sealed('issuer');
select countersign_sealed('issuer_standing');
select countersign_sealed('external_identity');
-- An issuer that is put again has another seal.
grant update (seal) on issuer to countersign_app;
