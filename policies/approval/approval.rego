# METADATA
# title: The approval behind a run
# description: Checks that the approval of a run still holds at this moment.
package countersign.approval

import data.countersign.approvals

# METADATA
# title: Reasons against the approval
# description: |
#   The approval exists, is in the state `approved` and unexpired, and has enough distinct approvers. Each approver still holds a role that
#   counted.
reasons contains reason if {
	not _live
	some tool in approvals.person_tools
	reason := {
		"code": "approval.required",
		"message": sprintf("Tool %s requires approved plan", [tool.name]),
		"rule": "countersign.approval.approved",
	}
}

reasons contains reason if {
	not _live
	count(approvals.person_tools) == 0
	reason := {
		"code": "approval.required",
		"message": "The approval no longer stands",
		"rule": "countersign.approval.approved",
	}
}

# One request serves one run: only the run that consumed an approval goes on under it.
_live if {
	input.approval.state == "approved"
	input.approved.outcome == "require_approval"
}

_live if {
	input.approval.state == "consumed"
	input.run
}

reasons contains reason if {
	_live
	input.approval.expires_at <= input.now
	reason := {
		"code": "approval.expired",
		"message": "The approval has expired",
		"rule": "countersign.approval.unexpired",
	}
}

reasons contains reason if {
	_live
	count(_votes) < approvals.people
	some tool in approvals.person_tools
	reason := {
		"code": "approval.too_few",
		"message": sprintf("Tool %s requires %s", [tool.name, _approvers(approvals.people)]),
		"rule": "countersign.approval.quorum",
	}
}

# The people who share a vote with a reviewer. They are the person whom they stand in for, and the hands they came in by.
_persons(reviewer) := ({reviewer.person_id, reviewer.delegated_by} - {null}) | {id | some id in reviewer.shared_with}

_vote_shared_by[id] contains other if {
	some reviewer in input.approval.reviewers
	some id in _persons(reviewer)
	some other in _persons(reviewer)
}

# People who share somebody, directly or over others, have one vote together.
_votes := {graph.reachable(_vote_shared_by, {reviewer.person_id}) | some reviewer in input.approval.reviewers}

_approvers(people) := "an approver" if people == 1

else := "two approvers" if people == 2

else := sprintf("%d approvers", [people])

reasons contains reason if {
	_live
	some reviewer in input.approval.reviewers
	not _still_authorized(reviewer)
	reason := {
		"code": "approval.role_lost",
		"message": sprintf("User %s not authorized to approve", [reviewer.person_id]),
		"rule": "countersign.approval.roles",
	}
}

_still_authorized(reviewer) if "any" in reviewer.slot_roles

_still_authorized(reviewer) if {
	some role in reviewer.roles
	role in reviewer.slot_roles
}
