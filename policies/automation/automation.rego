# METADATA
# title: One tool call of an automation, now
# description: |
#   An automation calls tools unattended (ADR 30). Tools that only read are always available. A tool of the modify tier is
#   available if the tenant's list accepts it. The list has to accept exactly this version of it, with its effect and risk. A
#   destructive tool never is, nor one that changes production, and there is no override. No person is asked: a call that would
#   ask one is denied.
package countersign.automation

import data.countersign.approvals
import data.countersign.effective
import data.countersign.facts
import data.countersign.freeze
import data.countersign.halt
import data.countersign.paths
import data.countersign.safety
import data.countersign.subject
import data.countersign.terms

# As registered, and as its command line and its paths are judged: the stricter one counts.
_effects := {input.tool.effect, subject.single.effect}

_risks := {input.tool.risk, subject.single.risk}

_changes_state if count(_risks & subject.state_change_risks) > 0

_reads if {
	_effects == {"read"}
	not _changes_state
}

_accepted if {
	input.accepted.digest == input.digest
	input.accepted.effect == input.tool.effect
	input.accepted.risk == input.tool.risk
}

_tier_refusal := {
	"code": "automation.destructive",
	"message": sprintf("Tool %s is destructive and not available for automations", [input.tool.name]),
	"rule": "countersign.automation.tier",
} if {
	"destructive" in _effects
} else := {
	"code": "automation.production",
	"message": sprintf("Tool %s changes production state and is not available for automations", [input.tool.name]),
	"rule": "countersign.automation.tier",
} if {
	"state_change_prod" in _risks
} else := {
	"code": "automation.not_safe",
	"message": sprintf("Tool %s is not in the automation-safe modify list", [input.tool.name]),
	"rule": "countersign.automation.tier",
} if {
	not _reads
	not _accepted
}

_denials contains reason if some reason in halt.reasons

_denials contains reason if some reason in safety.reasons

_denials contains reason if some reason in freeze.reasons

_denials contains reason if some reason in terms.refusals

_denials contains reason if {
	_needs_plan
	reason := {
		"code": "automation.needs_plan",
		"message": sprintf("Tool %s needs a plan, and automations have none", [input.tool.name]),
		"rule": "countersign.automation.plan",
	}
}

_denials contains reason if {
	_asks
	reason := {
		"code": "automation.needs_person",
		"message": sprintf("This call of %s needs a person's approval, and an automation asks nobody", [input.tool.name]),
		"rule": "countersign.automation.person",
	}
}

_denials contains reason if {
	is_string(input.shell.not_executable)
	reason := {
		"code": "shell.not_executable",
		"message": sprintf("No executor executes this command line: %s", [input.shell.not_executable]),
		"rule": "countersign.automation.line",
	}
}

_needs_plan if input.tool.requires_plan

_needs_plan if {
	_changes_state
	"required" in {input.tool.simulation, subject.single.simulation}
}

_asks if count(approvals.person_tools) > 0

_asks if effective.needs_person(input.tool)

_asks if input.shell.tier > 1

_asks if paths.grave(input.paths)

# The tier is checked first, and its refusal stands alone.
_refusals := {_tier_refusal} if _tier_refusal

else := _denials

_outcome := "deny" if count(_refusals) > 0

else := "allow"

_reasons := _refusals if _outcome == "deny"

else := terms.reasons

_line if input.shell == null

_line if input.shell.not_executable == null

_line if is_string(input.shell.not_executable)

_complete if {
	_line
	facts.tools
	facts.environment
	facts.autonomy
	facts.freezes
	facts.halts
	facts.shell
	facts.paths
	facts.version
}

# METADATA
# title: Decision about a tool call of an automation
# description: Allows or denies. It never asks a person.
# entrypoint: true
default decision := {
	"outcome": "deny",
	"reasons": [{
		"code": "policy.default_deny",
		"message": "No rule allows this call",
		"rule": "countersign.automation",
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
	"obligations": terms.obligations,
	"effective": effective.mode,
} if _complete
