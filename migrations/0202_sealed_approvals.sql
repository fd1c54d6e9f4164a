-- What was asked of people, what they answered, and the changes that wait for a second one: sealed rows.

select countersign_sealed('approval_request');
select countersign_sealed('review');
select countersign_sealed('change_request');
