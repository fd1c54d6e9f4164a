# METADATA
# title: The session of a call
# description: |
#   A session names one preset for its calls; without one, tiers and levels hold together. A preset can make a call ask. It never
#   lets through a call that the tenant's autonomy denies or asks about. A trusted call answers the preset's question, and no other;
#   it never stands for the word to type.
#   Outside a session a command line beyond Tier 1 asks a person, as ADR-007 says of every shell. Paths of code or secrets do,
#   too. Other calls with a token ask there as in a session with the default settings. Leaving the session out is no way past its
#   questions, and an agent may hold the token of a person.
package countersign.session

import data.countersign.paths
import data.countersign.session_call
import data.countersign.session_presets
import data.countersign.shell

_grave if paths.grave(input.paths)

# Null outside a session; other questions than about a single call have no such member.
_settings := input.session if input.session != null

else := {"preset": null, "level": "SUPERVISED", "mode": "ask-on-write"} if {
	input.session == null
	not _in_person
}

_in_person if {
	input.actor.kind == "person"
	input.actor.via in {"browser", "slack"}
}

# A command line, and a path of code or secrets, have a question of their own outside a session.
_presets := set() if {
	input.session == null
	input.shell.tier > 1
} else := set() if {
	input.session == null
	_grave
} else := {"tiers", "levels"} if _settings.preset == null

else := {_settings.preset}

_asks_about(what) := sprintf("Outside a session a call with a token asks a person about %s", [what]) if input.session == null

else := sprintf("The session asks about %s", [what])

# The presets that ask, each with a message that names its cell.
_questions["tiers"] := _asks_about(sprintf("Tier %d calls", [session_call.tier])) if {
	"tiers" in _presets
	not session_presets.tiers[session_call.tier] == "auto"
}

_questions["shell"] := sprintf("Tier %d commands outside a session need a person's approval", [input.shell.tier]) if {
	input.session == null
	input.shell.tier > 1
}

_questions["paths"] := "Outside a session, calls on paths of code or secrets need a person's approval" if {
	input.session == null
	_grave
}

_questions["levels"] := _asks_at_level if {
	"levels" in _presets
	not session_presets.levels[_settings.level][session_call.level] == "auto"
}

_questions["modes"] := sprintf("In mode %s, the session asks about %s", [_settings.mode, _by_mode]) if "modes" in _presets

_questions["cautious"] := sprintf("The session is cautious, and asks about %s calls", [session_call.effect]) if {
	"cautious" in _presets
	not session_presets.cautious[session_call.effect] == "auto"
}

_by_level := sprintf("%s commands: their risk is %s", [input.shell.class, session_call.level]) if shell.present

else := sprintf("calls on paths of code or secrets: their risk is %s", [session_call.level]) if _grave

else := sprintf("calls of %s risk", [session_call.level])

_asks_at_level := _asks_about(_by_level) if input.session == null

else := sprintf("At level %s, the session asks about %s", [_settings.level, _by_level])

_by_mode := sprintf("%s calls", [session_call.category]) if {
	not session_presets.modes[_settings.mode][session_call.category] == "auto"
}

# Beyond Tier 1 a command line asks in every mode, even if its category does not. So do paths of code or secrets.
else := sprintf("Tier %d commands", [input.shell.tier]) if input.shell.tier > 1

else := "calls on paths of code or secrets" if _grave

# METADATA
# title: The session asks
# description: True if a person has to answer first. The preset asks for it, or a command line or a grave path outside a session.
asks if {
	count(_questions) > 0
	not _trusted
}

_wants_word if {
	_questions.cautious
	session_presets.cautious[session_call.effect] == "confirm"
}

_trusted if {
	input.session.trusted
	not _wants_word
	not _grave
}

# METADATA
# title: The word to type
# description: CONFIRM, for a destructive call of a cautious session.
confirm_word := "CONFIRM" if _wants_word

# METADATA
# title: Why a person is asked
# description: One reason for each preset that asks, and one for the word to type.
reasons contains reason if {
	asks
	some preset, message in _questions
	reason := {
		"code": object.get({"shell": "shell.asks", "paths": "paths.asks"}, preset, "session.asks"),
		"message": message,
		"rule": sprintf("countersign.session.%s", [preset]),
	}
}

reasons contains reason if {
	reason := {
		"code": "session.confirm_word",
		"message": sprintf("Type %s to approve this destructive call", [confirm_word]),
		"rule": "countersign.session.cautious",
	}
}

# METADATA
# title: A trusted call
# description: The preset asks about this call, and a person chose to always allow it in this session.
trust contains reason if {
	_trusted
	some preset, _ in _questions
	reason := {
		"code": "session.trusted",
		"message": "A person chose to always allow calls of this shape in this session",
		"rule": sprintf("countersign.session.%s", [preset]),
	}
}
