package countersign.approval_test

import data.countersign.approval
import data.countersign.testing_test

_codes(patch) := {reason.code | some reason in reasons} if {
	reasons := approval.reasons with input as object.union(
		testing_test.cell("state_change_prod", "production", {
			"mode": "full_auto",
			"environments": {"production": {"allowed_approvers": ["SRELead"]}},
		}),
		object.union(
			{
				"approved": {"outcome": "require_approval"},
				"approval": {
					"state": "approved",
					"expires_at": 2,
					"reviewers": [{"person_id": "p", "delegated_by": null, "shared_with": [], "roles": ["SRELead"], "slot_roles": ["SRELead"]}],
				},
			},
			patch,
		),
	)
}

test_standing if _codes({}) == set()

test_an_approval_without_its_terms_is_none if _codes({"approved": null}) == {"approval.required"}

test_a_consumed_approval_serves_its_run_only if {
	_codes({"approval": {"state": "consumed"}}) == {"approval.required"}
	_codes({"approval": {"state": "consumed"}, "run": {"id": "run"}}) == set()
}

test_expired_to_the_millisecond if _codes({"approval": {"expires_at": 1}}) == {"approval.expired"}
