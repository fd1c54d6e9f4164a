# METADATA
# title: The matrix and its terms
# description: |
#   ADR-009's matrix applied to the tools of the input: refusals, the need for an approval, and obligations. It is the same for
#   a matrix cell, a plan's request, its start and every step of its run.
package countersign.terms

import data.countersign.approvals
import data.countersign.effective
import data.countersign.safety
import data.countersign.session
import data.countersign.subject
import data.countersign.words

_default_approval_valid_minutes := 240

_audit_rank := {"read_only": 0, "plan_only": 1, "state_change_nonprod": 2, "state_change_prod": 3}

_audit_levels := ["basic", "detailed", "full", "full_with_evidence"]

# METADATA
# title: Blocked in plan_only
# description: A mode of plan_only blocks state changes in every environment.
refusals contains reason if {
	some tool in subject.production_changes
	effective.tool_mode(tool.name).mode == "plan_only"
	reason := {
		"code": "autonomy.plan_only",
		"message": "Production state changes blocked in plan_only mode",
		"rule": "countersign.matrix",
	}
}

refusals contains reason if {
	some tool in subject.state_changes
	tool.risk == "state_change_nonprod"
	effective.tool_mode(tool.name).mode == "plan_only"
	reason := {
		"code": "autonomy.plan_only",
		"message": "State changes blocked in plan_only mode",
		"rule": "countersign.matrix",
	}
}

_canary_only contains tool if {
	some tool in subject.production_changes
	effective.tool_mode(tool.name).mode == "canary_only"
}

refusals contains reason if {
	some tool in _canary_only
	not tool.canary
	some called in subject.called_tools
	called.name == tool.name
	reason := {
		"code": "autonomy.cannot_be_canaried",
		"message": sprintf("Tool %s cannot be canaried, and canary_only mode permits canary phases only", [tool.name]),
		"rule": "countersign.matrix",
	}
}

refusals contains reason if {
	input.plan
	count(_canary_only) > 0
	not _has_canary_phase
	reason := {
		"code": "autonomy.no_canary_phase",
		"message": "The plan has no canary phase, and canary_only mode permits canary phases only",
		"rule": "countersign.matrix",
	}
}

_has_canary_phase if {
	some phase in input.plan.phases
	phase.canary
}

refusals contains reason if {
	input.promotion
	count(_canary_only) > 0
	reason := {
		"code": "autonomy.promotion",
		"message": "canary_only mode does not permit the phases after the canary",
		"rule": "countersign.matrix",
	}
}

# METADATA
# title: No role may approve
# description: An approval is needed and no role could give it.
refusals contains reason if {
	some name in approvals.without_approvers
	reason := {
		"code": "approval.no_approvers",
		"message": sprintf("Tool %s needs an approval, and nobody may approve it in %s", [name, input.environment.name]),
		"rule": "countersign.approvals",
	}
}

_denied if count(refusals) > 0

_denied if count(safety.reasons) > 0

_person_needed if count(approvals.person_tools) > 0

# METADATA
# title: The outcome before simulation and approval
# description: The answer of the matrix and the safety rules today.
outcome := "deny" if _denied

else := "require_approval" if _person_needed

else := "allow"

# METADATA
# title: Why this outcome
# description: One reason if nothing is refused; else the refusals.
reasons := refusals | safety.reasons if _denied

else := {{
	"code": "approval.required",
	"message": sprintf("Tool %s requires approved plan", [tool.name]),
	"rule": "countersign.approvals",
} |
	some tool in approvals.person_tools
} if {
	_person_needed
}

else := {{
	"code": "autonomy.executes",
	"message": sprintf("Executes in %s mode without an approval", [effective.mode.mode]),
	"rule": "countersign.matrix",
}}

_phases := "canary" if count(_canary_only) > 0

else := "all"

_mfa if {
	some tool in approvals.person_tools
	effective.required(tool.name, "require_mfa")
}

_mfa if {
	session.asks
	effective.required(input.tool.name, "require_mfa")
}

default _second_factor := false

_second_factor if _mfa

_valid_minutes := minutes if {
	minutes := effective.setting("approval_valid_minutes")
} else := _default_approval_valid_minutes

# METADATA
# title: Audit level
# description: ADR-009's logging column, for the riskiest tool.
audit_level := level if {
	level := _audit_levels[max({_audit_rank[tool.risk] | some tool in subject.tools})]
} else := "full"

# METADATA
# title: Obligations
# description: The obligations of an outcome that does not deny.
obligations := object.union(_obligations, {"confirm_word": word}) if {
	word := session.confirm_word
} else := _obligations

_obligations := {
	"approvals": approvals.slots,
	"mfa": _second_factor,
	"phases": _phases,
	"audit_level": audit_level,
	"valid_minutes": _valid_minutes,
}

_outcome_rank := {"allow": 0, "require_approval": 1, "deny": 2}

# METADATA
# title: Stricter than approved
# description: The terms that became stricter since the approval in the input.
stricter contains "outcome" if _outcome_rank[outcome] > _outcome_rank[input.approved.outcome]

stricter contains "approvals" if approvals.more_than(input.approved.obligations.approvals)

stricter contains "mfa" if {
	_mfa
	not input.approved.obligations.mfa
}

stricter contains "phases" if {
	_phases == "canary"
	input.approved.obligations.phases == "all"
}

stricter contains "valid_minutes" if {
	_person_needed
	_valid_minutes < input.approved.obligations.valid_minutes
}

_growth("outcome") := "it refuses the plan" if outcome == "deny"

_growth("outcome") := "the plan needs an approval" if outcome == "require_approval"

_growth("approvals") := "it asks for more approvers, or for others"

_growth("mfa") := "approvers need a second factor"

_growth("phases") := "only canary phases may run"

_growth("valid_minutes") := sprintf("an approval is good for %s instead of %s", [
	words.minutes(_valid_minutes),
	words.minutes(input.approved.obligations.valid_minutes),
])

# METADATA
# title: Stricter, in words
# description: A message for one member of `stricter`.
stricter_in_words(what) := sprintf("Policy has become stricter since the approval: %s", [said]) if {
	said := _growth(what)
} else := "Policy has become stricter since the approval"
