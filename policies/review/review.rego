# METADATA
# title: A verdict on an approval request
# description: |
#   Only people decide, and never on their own request. The people who may approve may reject or ask for changes. An admin
#   cannot bypass a missing role.
package countersign.review

import data.countersign.facts
import data.countersign.words

_reason(code, message, rule) := {
	"code": code,
	"message": message,
	"rule": sprintf("countersign.review.%s", [rule]),
}

_denials contains _reason("review.not_a_person", "Only people review", "person") if input.reviewer.kind != "person"

_denials contains _reason("review.scope", _scope_missing, "scope") if {
	not "review" in input.reviewer.scopes
}

# In person, the scope comes with a role.
_scope_missing := sprintf("User %s has no role, and a review takes one: an admin can assign it", [input.reviewer.id]) if {
	input.reviewer.via in {"browser", "slack"}
}

else := words.scope_missing("review")

_denials contains _reason("review.no_approvers", "The tenant has no autonomy document: nobody may approve", "document") if {
	input.autonomy == null
}

# An agent may sit on the machine of its owner, and read the tokens there (T55).
_denials contains reason if {
	input.request.subject != "plan"
	not input.reviewer.via in {"browser", "slack"}
	reason := _reason("review.browser_only", "A call is answered in the browser or in Slack, not with a token", "in_person")
}

_why := {
	"submitter": _submitted,
	"on_behalf_of": "is the person whom the requester acts for",
	"owner": "answers for an agent behind the request",
	"changed": "submitted another revision of the plan",
	"same_hand": "shares one vote with somebody who takes part in the request",
}

_submitted := "asked to make the call" if input.request.subject == "tool_call"

else := "submitted the plan or asked for its approval"

_denials contains reason if {
	some excluded in input.request.excluded
	excluded.person_id == input.reviewer.id
	excluded.why != "same_hand"
	reason := _reason(
		"review.separation_of_duties",
		sprintf("User %s %s", [input.reviewer.id, object.get(_why, excluded.why, "is excluded")]),
		"separation_of_duties",
	)
}

# People who came in by one hand, and that hand, have one vote together. If one of them may not review, none may.
_denials contains reason if {
	some excluded in input.request.excluded
	excluded.person_id == input.reviewer.id
	excluded.why == "same_hand"
	reason := _reason(
		"review.same_hand",
		sprintf("User %s shares one vote with user %s, who takes part in the request", [
			input.reviewer.id,
			object.get(excluded, "shares_with", "somebody"),
		]),
		"same_hand",
	)
}

_denials contains reason if {
	input.request.requester.kind == "person"
	input.request.requester.id == input.reviewer.id
	reason := _reason(
		"review.separation_of_duties",
		sprintf("User %s %s", [input.reviewer.id, _why.submitter]),
		"separation_of_duties",
	)
}

# A delegate reviews with the roles and the exclusions of the absent person.
_denials contains reason if {
	some excluded in input.request.excluded
	excluded.person_id == input.reviewer.delegation.person_id
	reason := _reason(
		"review.separation_of_duties",
		sprintf("User %s stands in for user %s, who %s", [
			input.reviewer.id,
			excluded.person_id,
			object.get(_why, excluded.why, "is excluded"),
		]),
		"separation_of_duties",
	)
}

_denials contains reason if {
	input.request.requester.kind == "person"
	input.request.requester.id == input.reviewer.delegation.person_id
	reason := _reason(
		"review.separation_of_duties",
		sprintf("User %s stands in for user %s, who %s", [
			input.reviewer.id,
			input.reviewer.delegation.person_id,
			_why.submitter,
		]),
		"separation_of_duties",
	)
}

_denials contains reason if {
	input.reviewer.delegation != null
	not _in_force(input.reviewer.delegation)
	reason := _reason(
		"review.delegation",
		sprintf("User %s does not stand in for user %s on this request", [input.reviewer.id, input.reviewer.delegation.person_id]),
		"delegation",
	)
}

_in_force(delegation) if {
	delegation.made_at < input.request.opened_at
	delegation.from <= input.now
	input.now < delegation.until
}

_counting_roles := {held.role |
	some held in input.reviewer.roles
	held.assigned_at < input.request.opened_at
}

_fills_a_slot if {
	some slot in input.request.obligations.approvals
	_fills(slot)
}

# A person who joined after the request opened might have been invited to decide it.
_fills(slot) if {
	"any" in slot.roles
	is_number(input.reviewer.joined_at)
	input.reviewer.joined_at < input.request.opened_at
}

_fills(slot) if {
	some role in slot.roles
	role in _counting_roles
}

_denials contains reason if {
	not _fills_a_slot
	reason := _reason("review.role", sprintf("User %s not authorized to approve", [input.reviewer.id]), "role")
}

_denials contains reason if {
	input.request.state != "open"
	reason := _reason("review.not_open", sprintf("The request is no longer open: %s", [words.state(input.request.state)]), "open")
}

_denials contains _reason("review.expired", "The request has expired", "unexpired") if {
	input.request.expires_at <= input.now
}

_denials contains reason if {
	input.verdict == "approve"
	not input.request.digests_match
	reason := _reason("review.binding_changed", "The plan, or something that it depends on, has changed since the request opened", "binding")
}

_denials contains reason if {
	input.verdict == "approve"
	input.request.obligations.mfa
	not input.reviewer.mfa.proved
	reason := _reason("mfa.required", "An approval needs a second factor, confirmed for this review", "mfa")
}

_outcome := "deny" if count(_denials) > 0

else := "allow"

_reasons := _denials if _outcome == "deny"

else := {_reason("review.eligible", "The reviewer has a required role and is not involved in the request", "eligible")}

_joined if input.reviewer.joined_at == null

_joined if is_number(input.reviewer.joined_at)

_delegation if input.reviewer.delegation == null

_delegation if {
	is_string(input.reviewer.delegation.person_id)
	is_number(input.reviewer.delegation.made_at)
	is_number(input.reviewer.delegation.from)
	is_number(input.reviewer.delegation.until)
}

_complete if {
	facts.autonomy
	is_number(input.now)
	is_string(input.verdict)
	is_string(input.reviewer.kind)
	is_string(input.reviewer.id)
	is_array(input.reviewer.scopes)
	input.reviewer.via in {"browser", "slack", "token"}
	input.request.subject in {"plan", "tool_call"}
	every held in input.reviewer.roles {
		is_string(held.role)
		is_number(held.assigned_at)
	}
	_joined
	_delegation
	is_string(input.request.state)
	is_number(input.request.opened_at)
	is_number(input.request.expires_at)
	is_string(input.request.requester.kind)
	is_string(input.request.requester.id)
	is_boolean(input.request.digests_match)
	is_boolean(input.request.obligations.mfa)
	every excluded in input.request.excluded {
		is_string(excluded.person_id)
		is_string(excluded.why)
	}
}

# METADATA
# title: Decision about a review
# description: Denies unless the reviewer is eligible, for each verdict.
# entrypoint: true
default decision := {
	"outcome": "deny",
	"reasons": [{
		"code": "policy.default_deny",
		"message": "No rule allows this review",
		"rule": "countersign.review",
	}],
	"obligations": {
		"approvals": [],
		"mfa": false,
		"phases": "canary",
		"audit_level": "full_with_evidence",
		"valid_minutes": 1,
	},
	"effective": {
		"mode": "plan_only",
		"source": "default",
	},
}

decision := {
	"outcome": _outcome,
	"reasons": sort(_reasons),
	"obligations": input.request.obligations,
	"effective": input.request.effective,
} if _complete
