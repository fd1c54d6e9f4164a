# METADATA
# title: Break-glass
# description: |
#   A person executes a plan at once, on their own responsibility (ADR-009, Emergency Override). It stands above approval,
#   autonomy mode, freezes and simulation, and above nothing else. The plan's schema, the safety rules and halts still hold.
package countersign.break_glass

import data.countersign.effective
import data.countersign.facts
import data.countersign.halt
import data.countersign.plan_schema
import data.countersign.safety
import data.countersign.words

_reason(code, message, rule) := {
	"code": code,
	"message": message,
	"rule": sprintf("countersign.break_glass.%s", [rule]),
}

_denials contains reason if some reason in plan_schema.reasons

_denials contains reason if some reason in safety.reasons

_denials contains reason if some reason in halt.reasons

_enabled if input.emergency_override.enabled == true

_denials contains _reason("break_glass.disabled", "Break-glass is switched off", "enabled") if not _enabled

_denials contains _reason("break_glass.not_a_person", "Only a person can use break-glass", "person") if {
	input.actor.kind != "person"
}

_denials contains reason if {
	not "review" in input.actor.scopes
	reason := _reason(
		"review.scope",
		"Break-glass needs the scope \"review\": in the browser any role gives it, and a token must be issued with it",
		"scope",
	)
}

_allowed_role if {
	some role in input.actor.roles
	role in input.emergency_override.allowed_roles
}

_denials contains reason if {
	_enabled
	not _allowed_role
	reason := _reason(
		"break_glass.role",
		sprintf("User %s has no role that allows break-glass", [input.actor.id]),
		"allowed_roles",
	)
}

_denials contains _reason("mfa.required", "Break-glass needs a second factor, confirmed for exactly this plan", "mfa") if {
	not input.actor.mfa.proved
}

_possible := {"validated", "simulated", "awaiting_approval"}

_denials contains reason if {
	not input.plan_status in _possible
	reason := _reason("break_glass.plan_status", sprintf("Break-glass cannot execute this plan: its status is %s", [words.state(input.plan_status)]), "plan_status")
}

_least_characters := 20

_least_different_characters := 8

_least_words := 3

_between_words := {character: " " | some character in split("\n\r\t.,;:!?-_/\\|'\"`()[]{}<>*#+=~^@$%&", "")}

_words := {word |
	some word in split(strings.replace_n(_between_words, lower(input.justification)), " ")
	word != ""
}

# A word said twice counts once.
_told := sum([count(word) | some word in _words])

_different_characters := {character |
	some word in _words
	some character in split(word, "")
}

_in_words if count(_words) >= _least_words

# Scripts that put no spaces between words.
_in_words if {
	some character in _different_characters
	some script in [["\u0e00", "\u0eff"], ["\u1780", "\u17ff"], ["\u3040", "\u9fff"]]
	character >= script[0]
	character <= script[1]
}

_justified if {
	_told >= _least_characters
	count(_different_characters) >= _least_different_characters
	_in_words
}

_denials contains reason if {
	not _justified
	reason := _reason(
		"break_glass.justification",
		sprintf(
			"The justification must say why in at least %d characters: repeated words, repeated letters and blanks do not count",
			[_least_characters],
		),
		"justification",
	)
}

_outcome := "deny" if count(_denials) > 0

else := "allow"

_reasons := _denials if _outcome == "deny"

else := {_reason("break_glass.invoked", "The plan runs by break-glass without approval; the person who used it is accountable", "invoked")}

_complete if {
	facts.plan
	is_string(input.actor.kind)
	is_string(input.actor.id)
	is_array(input.actor.scopes)
	is_array(input.actor.roles)
	is_string(input.justification)
	is_string(input.plan_status)
}

# METADATA
# title: Decision about break-glass
# description: Denies unless it is on and the plan is sound. The person must be allowed, prove a second factor and say why.
# entrypoint: true
default decision := {
	"outcome": "deny",
	"reasons": [{
		"code": "policy.default_deny",
		"message": "No rule allows this break-glass",
		"rule": "countersign.break_glass",
	}],
	"obligations": {
		"approvals": [],
		"mfa": true,
		"phases": "all",
		"audit_level": "critical",
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
	"obligations": {
		"approvals": [],
		"mfa": true,
		"phases": "all",
		"audit_level": "critical",
		"valid_minutes": 1,
	},
	"effective": effective.mode,
} if _complete
