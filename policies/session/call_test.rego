package countersign.session_call_test

import data.countersign.session_call
import data.countersign.testing_test

_tool(risk, surface, effect, scope) := object.union(
	testing_test.tool("a_tool", risk),
	{"surface": surface, "effect": effect, "scope": scope},
)

_of_tool(risk, surface, effect) := {"tool": _tool(risk, surface, effect, "asset"), "shell": null}

_of_line(tier, class) := {
	"tool": _tool("state_change_nonprod", "terminal", "modify", "asset"),
	"shell": {"tier": tier, "class": class},
	"environment": {"production": false},
}

test_category_of_a_tool[note] if {
	some surface, by_effect in {
		"asset": {"read": "read", "modify": "terminal-write", "destructive": "terminal-write"},
		"workspace": {"read": "read", "modify": "workspace-write", "destructive": "workspace-write"},
		"git": {"read": "git-read", "modify": "git-write", "destructive": "git-write"},
		"terminal": {"read": "terminal-read", "modify": "terminal-write", "destructive": "terminal-write"},
		"network": {"read": "network", "modify": "network", "destructive": "terminal-write"},
		"audio": {"read": "audio-input", "modify": "audio-output", "destructive": "terminal-write"},
	}
	some effect, category in by_effect
	note := concat(" ", [surface, effect])
	session_call.category == category with input as _of_tool("read_only", surface, effect)
}

test_command_lines[note] if {
	some tier, by_class in {
		1: {"READ_ONLY": ["terminal-read", "low", "read"]},
		2: {
			"READ_ONLY": ["terminal-read", "low", "modify"],
			"BUILD_TEST": ["terminal-write", "low", "modify"],
			"WRITE": ["terminal-write", "medium", "modify"],
			"NETWORK": ["network", "medium", "modify"],
			"UNKNOWN": ["terminal-write", "high", "modify"],
			"DESTRUCTIVE": ["terminal-write", "high", "destructive"],
		},
		3: {"ESCALATION": ["terminal-write", "critical", "destructive"]},
	}
	some class, facts in by_class
	note := concat(" ", [class, facts[0]])
	line := _of_line(tier, class)
	session_call.tier == tier with input as line
	session_call.category == facts[0] with input as line
	session_call.level == facts[1] with input as line
	session_call.effect == facts[2] with input as line
}

test_tier_of_a_tool if {
	session_call.tier == 1 with input as _of_tool("read_only", "workspace", "read")
	session_call.tier == 1 with input as _of_tool("plan_only", "asset", "read")
	session_call.tier == 2 with input as _of_tool("read_only", "network", "read")
	session_call.tier == 2 with input as _of_tool("read_only", "workspace", "modify")
	session_call.tier == 2 with input as _of_tool("state_change_nonprod", "workspace", "read")
}

test_level_of_a_tool[note] if {
	some note, case in {
		"a read": [_tool("read_only", "asset", "read", "asset"), "low"],
		"a read of the network": [_tool("read_only", "network", "read", "asset"), "medium"],
		"a change": [_tool("state_change_nonprod", "asset", "modify", "asset"), "medium"],
		"a commit": [_tool("state_change_nonprod", "git", "modify", "asset"), "high"],
		"a change of the organization": [_tool("state_change_nonprod", "asset", "modify", "organization"), "high"],
		"destruction": [_tool("state_change_nonprod", "asset", "destructive", "asset"), "high"],
		"destruction in the organization": [_tool("state_change_nonprod", "asset", "destructive", "organization"), "critical"],
		"a production change": [_tool("state_change_prod", "asset", "modify", "asset"), "critical"],
		"a contradiction": [_tool("read_only", "asset", "destructive", "asset"), "critical"],
	}
	session_call.level == case[1] with input as {"tool": case[0], "shell": null}
}
