package countersign.tool_call_test

import data.countersign.testing_test
import data.countersign.tool_call

test_default_deny if {
	tool_call.decision.outcome == "deny" with input as {}
	tool_call.decision.reasons[0].code == "policy.default_deny" with input as {}
}

test_default_deny_of_anything_else[note] if {
	some note, anything in {"null": null, "text": "allow", "array": [], "number": 1, "allow": {"outcome": "allow"}}
	tool_call.decision.outcome == "deny" with input as anything
}

test_tool_call_fixtures[case.name] if {
	some case in data.fixtures.tool_call
	decision := tool_call.decision with input as case.input
	testing_test.as_expected(decision, case.expect)
}

_change(simulation, simulated_by) := object.union(
	testing_test.cell("state_change_nonprod", "staging", {"mode": "full_auto"}),
	{
		"tool": object.union(
			testing_test.tool("a_tool", "state_change_nonprod"),
			{"simulation": simulation, "simulated_by": simulated_by},
		),
		"actor": {"kind": "person", "id": "person", "scopes": ["run"], "via": "browser"},
		"session": null,
		"shell": null,
		"paths": null,
		"halts": [],
	},
)

_outcome_and_codes(asked) := [decision.outcome, [reason.code | some reason in decision.reasons]] if {
	decision := tool_call.decision with input as asked
}

test_leaving_the_simulation_out_is_no_looser_than_naming_it if {
	_outcome_and_codes(_change("not_applicable", null)) == ["allow", ["autonomy.executes"]]
	_outcome_and_codes(_change("required", "simulate")) == ["deny", ["simulation.required"]]
	_outcome_and_codes(_change("required", null)) == ["deny", ["simulation.not_declared"]]
}

test_there_are_fixtures if {
	count(data.fixtures.tool_call) > 0
}
