# METADATA
# title: One step of a run
# description: |
#   Taken again just before every dispatch. The step is part of the approved plan, and policy has not become stricter.
#   Rolling back stays authorised by the original approval, and halts do not stop it. A run under break-glass rests on no approval
#   and stands above the autonomy mode. That holds as long as break-glass is on and its invoker keeps a role for it. Safety and
#   halts hold for it too.
package countersign.run_step

import data.countersign.approval
import data.countersign.effective
import data.countersign.facts
import data.countersign.freeze
import data.countersign.halt
import data.countersign.plan_schema
import data.countersign.safety
import data.countersign.shell
import data.countersign.subject
import data.countersign.terms
import data.countersign.words

_reason(code, message, rule) := {
	"code": code,
	"message": message,
	# Each step has a reason. Wasm has no sprintf of its own, and asks JavaScript for it.
	"rule": concat(".", ["countersign.run_step", rule]),
}

_forward if input.step.kind != "compensation"

# Steps that go forward as the tenant's document allows.
_governed if {
	_forward
	input.break_glass == null
}

_under_break_glass if {
	_forward
	input.break_glass != null
}

_acting_states := {"call": {"executing"}, "health_check": {"executing"}, "compensation": {"executing", "rolling_back"}}

_denials contains reason if some reason in plan_schema.reasons

# Rolling back and break-glass included.
_denials contains reason if some reason in shell.reasons

_denials contains reason if {
	not input.run.state in _acting_states[input.step.kind]
	reason := _reason("run.not_executing", sprintf("The run's state is %s", [words.state(input.run.state)]), "state")
}

_denials contains reason if {
	_forward
	some reason in halt.reasons
}

# A freeze lets a phase that has begun come to its end.
_denials contains reason if {
	_governed
	input.step.kind == "call"
	_phase.batches[0].calls[0].seq == input.step.seq
	some reason in freeze.reasons
}

_denials contains reason if {
	_forward
	some what, unchanged in input.bindings
	not unchanged
	reason := _reason("run.binding_changed", sprintf("Changed since the approval: %s", [what]), "binding")
}

# The compensation of a step is part of the approved plan.
_denials contains _reason("run.binding_changed", "Changed since the approval: plan", "binding") if {
	not input.bindings.plan
}

_phase := input.plan.phases[input.step.phase_index]

_calls := [call | some batch in _phase.batches; some call in batch.calls; call.seq == input.step.seq]

_in_plan if {
	input.step.kind == "call"
	_calls[0].tool == input.step.tool
}

_in_plan if {
	input.step.kind == "compensation"
	_calls[0].compensation == input.step.tool
}

_in_plan if {
	input.step.kind == "health_check"
	_phase
	tool := shell.judged(input.tools[input.step.tool], input.step.shell)
	not tool.risk in subject.state_change_risks
}

_denials contains reason if {
	not _in_plan
	reason := _reason("run.not_in_plan", sprintf("The plan has no such step with tool %s", [input.step.tool]), "plan")
}

_denials contains _reason("run.beyond_canary", "The run ends with its canary phases", "canary") if {
	input.run.scope == "canary"
	not _phase.canary
}

_denials contains reason if {
	_governed
	input.approved.outcome == "require_approval"
	some reason in approval.reasons
}

_denials contains _reason("run.not_approved", "The run was not started on terms that permit it", "approved") if {
	input.approved.outcome == "deny"
}

_denials contains reason if {
	_governed
	some what in terms.stricter
	reason := _reason("run.stricter", terms.stricter_in_words(what), "stricter")
}

_denials contains reason if {
	_governed
	terms.outcome == "deny"
	some reason in terms.reasons
}

_denials contains reason if {
	_under_break_glass
	some reason in safety.reasons
}

_denials contains _reason("break_glass.disabled", "Break-glass was switched off after the run started", "break_glass") if {
	_under_break_glass
	not input.break_glass.enabled
}

_denials contains reason if {
	_under_break_glass
	not _invoker_allowed
	reason := _reason("break_glass.role_lost", "The person who broke the glass has no role that allows break-glass any more", "invoker")
}

_invoker_allowed if {
	some role in input.break_glass.invoker_roles
	role in input.break_glass.allowed_roles
}

_outcome := "deny" if count(_denials) > 0

else := "allow"

_reasons := _denials if _outcome == "deny"

else := {_reason("run.as_approved", "The step is exactly as approved", "approved")}

_complete if {
	facts.plan
	facts.freezes
	facts.approval
	facts.approved
	is_string(input.run.state)
	is_string(input.run.scope)
	is_number(input.step.seq)
	is_string(input.step.tool)
	is_string(input.step.kind)
	_break_glass_known
	is_number(input.step.phase_index)
	facts.verdict(input.step.shell)
	every what in {"task", "environment", "plan", "tools", "executors", "simulation"} {
		is_boolean(input.bindings[what])
	}
}

_break_glass_known if input.break_glass == null

_break_glass_known if {
	is_boolean(input.break_glass.enabled)
	is_array(input.break_glass.allowed_roles)
	is_array(input.break_glass.invoker_roles)
}

# METADATA
# title: Decision about a step
# description: Denies unless the step is part of the approved plan and still allowed.
# entrypoint: true
default decision := {
	"outcome": "deny",
	"reasons": [{
		"code": "policy.default_deny",
		"message": "No rule allows this step",
		"rule": "countersign.run_step",
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
