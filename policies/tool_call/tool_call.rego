# METADATA
# title: One tool call, now
# description: |
#   A call without a plan. Read-only and plan-only tools execute. Nonprod tools that need no simulation follow the matrix. Prod
#   tools, and tools that declare it, need an approved plan. In a session the answer is the stricter one of the matrix and the
#   session's preset. A command line beyond Tier 1 asks a person in any case, unless the session says otherwise. So does a path of
#   code or secrets.
package countersign.tool_call

import data.countersign.approvals
import data.countersign.effective
import data.countersign.facts
import data.countersign.halt
import data.countersign.safety
import data.countersign.session
import data.countersign.subject
import data.countersign.terms
import data.countersign.words

_needs_plan if input.tool.requires_plan

_needs_plan if count(subject.production_changes) > 0

_denials contains reason if some reason in halt.reasons

_denials contains reason if some reason in safety.reasons

_denials contains reason if some reason in terms.refusals

_denials contains reason if {
	_needs_plan
	reason := {
		"code": "plan.required",
		"message": sprintf("Tool %s requires approved plan", [input.tool.name]),
		"rule": "countersign.tool_call.plan",
	}
}

_denials contains reason if {
	count(subject.state_changes) > 0
	input.tool.simulation == "required"
	input.tool.simulated_by != null
	reason := {
		"code": "simulation.required",
		"message": sprintf("Must run %s before %s: submit a plan", [input.tool.simulated_by, input.tool.name]),
		"rule": "countersign.tool_call.simulation",
	}
}

_denials contains reason if {
	count(subject.state_changes) > 0
	input.tool.simulation == "required"
	input.tool.simulated_by == null
	reason := {
		"code": "simulation.not_declared",
		"message": sprintf("Tool %s names no tool that simulates it", [input.tool.name]),
		"rule": "countersign.tool_call.simulation",
	}
}

_denials contains reason if {
	input.actor.kind != "system"
	not "run" in input.actor.scopes
	reason := {
		"code": "tool_call.scope",
		"message": words.scope_missing("run"),
		"rule": "countersign.tool_call.scope",
	}
}

# Before anybody is asked: an answer could not make the line executable.
_denials contains reason if {
	is_string(input.shell.not_executable)
	reason := {
		"code": "shell.not_executable",
		"message": sprintf("No executor executes this command line: %s", [input.shell.not_executable]),
		"rule": "countersign.tool_call.line",
	}
}

_autonomy_asks if count(approvals.person_tools) > 0

_outcome := "deny" if count(_denials) > 0

else := "require_approval" if _autonomy_asks

else := "require_approval" if session.asks

else := "allow"

_questions contains reason if {
	_autonomy_asks
	reason := {
		"code": "approval.required",
		"message": sprintf("Tool %s needs an approval in %s", [input.tool.name, input.environment.name]),
		"rule": "countersign.approvals",
	}
}

_questions contains reason if some reason in session.reasons

_reasons := _denials if _outcome == "deny"

else := _questions if _outcome == "require_approval"

else := terms.reasons | session.trust

_line if input.shell == null

_line if input.shell.not_executable == null

_line if is_string(input.shell.not_executable)

_complete if {
	facts.tools
	facts.environment
	facts.autonomy
	facts.halts
	facts.session
	facts.shell
	_line
	facts.paths
	is_string(input.actor.kind)
	is_array(input.actor.scopes)
}

# METADATA
# title: Decision about a tool call
# description: Denies if any rule refuses the call.
# entrypoint: true
default decision := {
	"outcome": "deny",
	"reasons": [{
		"code": "policy.default_deny",
		"message": "No rule allows this call",
		"rule": "countersign.tool_call",
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
