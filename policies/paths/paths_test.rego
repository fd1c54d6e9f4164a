package countersign.paths_test

import data.countersign.paths
import data.countersign.session
import data.countersign.session_call
import data.countersign.testing_test
import data.countersign.tool_call

_read := {"tier": 1, "class": "READ_ONLY"}

_write := {"tier": 2, "class": "WRITE"}

_secret := {"tier": 2, "class": "READ_ONLY"}

_code := {"tier": 2, "class": "UNKNOWN"}

test_grave if {
	paths.grave(_secret)
	paths.grave(_code)
	not paths.grave(_read)
	not paths.grave(_write)
	not paths.grave(null)
}

_tool(risk, effect) := object.union(
	testing_test.tool("a_tool", risk),
	{"effect": effect, "surface": "workspace", "requires_plan": false},
)

_judged(tool, verdict, production) := [judged.risk, judged.effect, judged.requires_hitl] if {
	judged := paths.planned(tool, verdict) with input as {"environment": {"production": production}}
}

test_grave_paths_make_a_read_a_change[note] if {
	some note, case in {
		"a secret": [_secret, false, "state_change_nonprod"],
		"an unclear path": [_code, false, "state_change_nonprod"],
		"a secret of production": [_secret, true, "state_change_prod"],
	}
	_judged(_tool("read_only", "read"), case[0], case[1]) == [case[2], "modify", "always"]
}

test_a_tool_without_an_effect_stays_one if {
	_judged(object.remove(_tool("read_only", "read"), ["effect"]), _secret, false) == ["state_change_nonprod", "modify", "always"]
}

test_a_declared_change_keeps_its_risk if {
	_judged(_tool("state_change_nonprod", "modify"), _code, true) == ["state_change_nonprod", "modify", "always"]
	_judged(_tool("state_change_prod", "destructive"), _code, false) == ["state_change_prod", "destructive", "always"]
}

test_ordinary_paths_change_nothing[note] if {
	some note, verdict in {"none": null, "a read": _read, "a write": _write}
	every tool in [_tool("read_only", "read"), _tool("state_change_nonprod", "modify"), _tool("state_change_prod", "modify")] {
		paths.planned(tool, verdict) == tool
		paths.judged(tool, verdict) == tool
	}
}

_settings(preset) := {"preset": preset, "level": "SUPERVISED", "mode": "ask-on-external", "trusted": false}

_call(tool, verdict, session_facts) := object.union(
	testing_test.cell(tool.risk, "staging", {"mode": "full_auto"}),
	{
		"tool": tool,
		"actor": {"kind": "agent", "id": "agent", "scopes": ["run"]},
		"session": session_facts,
		"shell": null,
		"paths": verdict,
		"halts": [],
	},
)

_rules(call) := {reason.rule | some reason in reasons} if reasons := session.reasons with input as call

_outcome(call) := decision.outcome if decision := tool_call.decision with input as call

test_presets_ask_about_grave_paths[note] if {
	some note, case in {
		"tiers, a secret": ["tiers", "read_only", "read", _secret, true],
		"tiers, a read": ["tiers", "read_only", "read", _read, false],
		"modes, a secret": ["modes", "read_only", "read", _secret, true],
		"modes, a read": ["modes", "read_only", "read", _read, false],
		"modes, code": ["modes", "state_change_nonprod", "modify", _code, true],
		"modes, a write": ["modes", "state_change_nonprod", "modify", _write, false],
		"levels, a secret counts by its class": ["levels", "read_only", "read", _secret, false],
		"levels, code is no ordinary write": ["levels", "state_change_nonprod", "modify", _code, true],
		"levels, a write": ["levels", "state_change_nonprod", "modify", _write, false],
		"cautious, a secret": ["cautious", "read_only", "read", _secret, true],
		"cautious, a read": ["cautious", "read_only", "read", _read, false],
		"default, a secret": [null, "read_only", "read", _secret, true],
		"default, code": [null, "state_change_nonprod", "modify", _code, true],
	}
	call := _call(_tool(case[1], case[2]), case[3], _settings(case[0]))
	_outcome(call) == "require_approval" == case[4]
}

test_level_is_the_stricter_one_of_tool_and_paths if {
	session_call.level == "high" with input as _call(_tool("state_change_nonprod", "modify"), _code, null)
	session_call.level == "high" with input as _call(_tool("read_only", "read"), _code, null)
	session_call.level == "low" with input as _call(_tool("read_only", "read"), _secret, null)
	session_call.level == "critical" with input as _call(
		object.union(_tool("state_change_nonprod", "destructive"), {"scope": "organization"}),
		_code,
		null,
	)
}

test_category_is_that_of_the_tool if {
	session_call.category == "read" with input as _call(_tool("read_only", "read"), _secret, null)
	session_call.category == "workspace-write" with input as _call(_tool("state_change_nonprod", "modify"), _code, null)
}

test_trust_covers_no_grave_path if {
	trusted := object.union(_settings("tiers"), {"trusted": true})
	session.asks with input as _call(_tool("state_change_nonprod", "modify"), _code, trusted)
	not session.asks with input as _call(_tool("state_change_nonprod", "modify"), _write, trusted)
}

test_outside_a_session_grave_paths_ask_people_too if {
	call := object.union(
		_call(_tool("read_only", "read"), _secret, null),
		{"actor": {"kind": "person", "id": "person", "scopes": ["run"], "via": "browser"}},
	)
	_rules(call) == {"countersign.session.paths"}
	_outcome(call) == "require_approval"
	_outcome(object.union(call, {"paths": _read})) == "allow"
	_outcome(object.union(_call(_tool("read_only", "read"), _secret, null), {"session": null})) == "require_approval"
}

test_in_production_a_secret_wants_a_plan if {
	call := object.union(
		testing_test.cell("read_only", "production", {"mode": "full_auto"}),
		{
			"tool": _tool("read_only", "read"),
			"actor": {"kind": "agent", "id": "agent", "scopes": ["run"]},
			"session": _settings("levels"),
			"shell": null,
			"paths": _secret,
			"halts": [],
		},
	)
	"plan.required" in {reason.code | some reason in tool_call.decision.reasons} with input as call
	_outcome(object.union(call, {"paths": _read})) == "allow"
}
