# METADATA
# title: A change of a session's settings
# description: |
#   Everybody who takes part in a session may tighten preset, level and mode. A change that is looser for any call takes a person
#   in a browser or in Slack. An agent may have the token of its owner.
package countersign.session_change

import data.countersign.effective
import data.countersign.facts
import data.countersign.session
import data.countersign.session_presets

# A call of each kind that presets can tell apart: they read plan_only as read_only, and environment as asset. Production changes and
# denied command lines are no calls of a session.
_calls contains {"tool": tool, "shell": null} if {
	some risk in {"read_only", "state_change_nonprod"}
	some effect in {"read", "modify", "destructive"}
	some surface in {"asset", "workspace", "git", "terminal", "network", "audio"}
	some scope in {"asset", "organization"}
	tool := {"risk": risk, "effect": effect, "surface": surface, "scope": scope}
}

_calls contains {"tool": tool, "shell": {"tier": tier, "class": class}} if {
	tool := {"risk": "state_change_nonprod", "effect": "modify", "surface": "terminal", "scope": "asset"}
	some tier in {1, 2}
	some class in {"READ_ONLY", "BUILD_TEST", "WRITE", "NETWORK", "UNKNOWN", "DESTRUCTIVE"}
}

_asked(settings, call) := {
	"tool": call.tool,
	"shell": call.shell,
	"environment": {"production": false},
	"session": object.union(settings, {"trusted": false}),
}

_strictness(settings, call) := 2 if {
	session.confirm_word with input as _asked(settings, call)
} else := 1 if {
	session.asks with input as _asked(settings, call)
} else := 0

_loosened contains call if {
	some call in _calls
	_strictness(input.before, call) > _strictness(input.after, call)
}

# What the change takes away: the question, or only the word to type.
_lost(call) := "session.confirm_word" if {
	_strictness(input.after, call) == 1
} else := "session.asks"

_questions contains reason.message if {
	some call in _loosened
	reasons := session.reasons with input as _asked(input.before, call)
	some reason in reasons
	reason.code == _lost(call)
}

_loosens if count(_loosened) > 0

_in_person if {
	input.actor.kind == "person"
	input.actor.via in {"browser", "slack"}
}

_outcome := "deny" if {
	_loosens
	not _in_person
} else := "allow"

_reason := {
	"code": "session.loosened_by_token",
	"message": sprintf("%s; this change would end that, and a token only tightens", [min(_questions)]),
	"rule": "countersign.session_change",
} if {
	_outcome == "deny"
} else := {
	"code": "session.loosens",
	"message": sprintf("%s; a person ends that", [min(_questions)]),
	"rule": "countersign.session_change",
} if {
	_loosens
} else := {
	"code": "session.tightens",
	"message": "The session asks about every call that it asked about before",
	"rule": "countersign.session_change",
}

_audit_level := "full" if _loosens

else := "detailed"

# A setting that presets do not know would ask about nothing.
_known(settings) if {
	settings.preset in {null, "tiers", "levels", "modes", "cautious"}
	session_presets.levels[settings.level]
	session_presets.modes[settings.mode]
}

_complete if {
	facts.environment
	facts.autonomy
	input.actor.kind in {"person", "agent"}
	is_string(input.actor.via)
	_known(input.before)
	_known(input.after)
}

# METADATA
# title: Decision about a change of a session's settings
# description: Denies a change that loosens anything, unless a person makes it in a browser or in Slack.
# entrypoint: true
default decision := {
	"outcome": "deny",
	"reasons": [{
		"code": "policy.default_deny",
		"message": "No rule allows this change",
		"rule": "countersign.session_change",
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
	"reasons": [_reason],
	"obligations": {
		"approvals": [],
		"mfa": false,
		"phases": "all",
		"audit_level": _audit_level,
		"valid_minutes": 1,
	},
	"effective": effective.mode,
} if _complete
