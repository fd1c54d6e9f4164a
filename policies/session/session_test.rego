package countersign.session_test

import data.countersign.session
import data.countersign.session_presets
import data.countersign.testing_test
import data.countersign.tool_call

test_session_preset_fixtures[case.name] if {
	some case in data.fixtures.session_presets
	decision := tool_call.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

test_there_are_fixtures if count(data.fixtures.session_presets) > 0

_asked(session) := {
	"tool": testing_test.tool("a_tool", "state_change_nonprod"),
	"shell": null,
	"session": session,
}

test_without_a_session_nothing_asks_a_person_who_calls_in_person if {
	asked := _by("person", "browser", {})
	not session.asks with input as asked
	count(session.reasons) == 0 with input as asked
	count(session.trust) == 0 with input as asked
}

_by(kind, via, call) := object.union(_asked(null), object.union({"actor": {"kind": kind, "via": via}}, call))

test_a_call_with_a_token_without_a_session_asks_as_one_with_the_default_settings[note] if {
	some kind in ["agent", "person", "system"]
	some note, call in {
		"change": {"tool": testing_test.tool("a_tool", "state_change_nonprod")},
		"read": {"tool": object.union(testing_test.tool("a_tool", "read_only"), {"effect": "read"})},
		"destruction": {"tool": object.union(testing_test.tool("a_tool", "state_change_nonprod"), {"effect": "destructive"})},
	}
	default_settings := {"preset": null, "level": "SUPERVISED", "mode": "ask-on-write", "trusted": false}
	inside := {reason.rule | some reason in session.reasons} with input as object.union(_asked(default_settings), call)
	outside := {reason.rule | some reason in session.reasons} with input as _by(kind, "token", call)
	inside == outside
}

test_a_change_without_a_session_asks_unless_a_person_makes_it_in_person if {
	session.asks with input as _by("agent", "token", {})
	session.asks with input as _by("agent", "browser", {})
	session.asks with input as _by("person", "token", {})
	session.asks with input as _by("person", "other", {})
	session.asks with input as _asked(null)
	not session.asks with input as _by("person", "browser", {})
	not session.asks with input as _by("person", "slack", {})
	not session.asks with input as object.remove(_by("agent", "token", {}), ["session"])
}

test_the_question_outside_a_session_says_so if {
	{reason.message | some reason in session.reasons} == {
		"Outside a session a call with a token asks a person about Tier 2 calls",
		"Outside a session a call with a token asks a person about calls of high risk",
	} with input as _by("agent", "token", {"tool": {"effect": "destructive", "scope": "asset"}})
}

_line(tier, session) := object.union(
	_asked(session),
	{"shell": {"tier": tier, "class": "WRITE"}, "environment": {"production": false}},
)

test_a_command_line_outside_a_session_asks_beyond_tier_1 if {
	session.asks with input as _line(2, null)
	{reason.code | some reason in session.reasons} == {"shell.asks"} with input as _line(2, null)
	not session.asks with input as _line(1, null)
	not session.asks with input as object.remove(_line(2, null), ["session"])
}

test_trust_turns_the_question_off if {
	settings := {"preset": "tiers", "level": "SUPERVISED", "mode": "ask-on-write", "trusted": true}
	not session.asks with input as _asked(settings)
	count(session.trust) == 1 with input as _asked(settings)
	session.asks with input as _asked(object.union(settings, {"trusted": false}))
	count(session.trust) == 0 with input as _asked(object.union(settings, {"trusted": false}))
}

test_a_trust_stands_for_no_typed_word if {
	settings := {"preset": "cautious", "level": "SUPERVISED", "mode": "ask-on-write", "trusted": true}
	destroys := object.union(_asked(settings), {"tool": {"effect": "destructive"}})
	session.asks with input as destroys
	session.confirm_word == "CONFIRM" with input as destroys
	count(session.trust) == 0 with input as destroys
	not session.asks with input as _asked(settings)
}

test_an_unknown_level_or_mode_asks if {
	settings := {"level": "EVERYTHING", "mode": "never-ask", "trusted": false}
	session.asks with input as _asked(object.union(settings, {"preset": "levels"}))
	session.asks with input as _asked(object.union(settings, {"preset": "modes"}))
}

_levels := ["FULL_AUTO", "SUPERVISED", "CAUTIOUS", "MANUAL"]

test_each_level_asks_at_least_what_the_looser_one_asks if {
	every index, level in _levels {
		every risk, answer in session_presets.levels[level] {
			every stricter in array.slice(_levels, index, 4) {
				session_presets.levels[stricter][risk] in {answer, "ask"}
			}
		}
	}
}
