# METADATA
# title: Shared parts of tests
# description: Compares a decision with the expectation of a fixture. The same fixtures run through Wasm in jest.
package countersign.testing_test

# METADATA
# title: As expected
# description: Every member that the fixture names has the value it names.
as_expected(decision, expected) if {
	decision.outcome == expected.outcome
	count(decision.reasons) > 0
	found := object.union_n([decision.obligations, decision.effective, {
		"outcome": decision.outcome,
		"codes": sort({reason.code | some reason in decision.reasons}),
		"messages": sort([reason.message | some reason in decision.reasons]),
	}])
	every name, value in expected {
		found[name] == value
	}
}

# METADATA
# title: A tool
# description: Facts of a tool. A test replaces single members.
tool(name, risk) := {
	"name": name,
	"version": 1,
	"risk": risk,
	"idempotent": false,
	"scope": "environment",
	"effect": "modify",
	"surface": "asset",
	"requires_plan": false,
	"requires_hitl": "configurable",
	"simulated_by": null,
	"simulation": "not_applicable",
	"canary": true,
}

# METADATA
# title: A matrix cell
# description: The input of a tool in an environment under an autonomy block.
cell(risk, environment, block) := {
	"now": 1,
	"tenant_id": "tenant",
	"autonomy": {"autonomy": block},
	"tool": tool("a_tool", risk),
	"environment": {"id": environment, "name": environment, "production": environment == "production", "version": 1},
}

test_a_wrong_expectation_is_noticed if {
	decision := {
		"outcome": "allow",
		"reasons": [{"code": "a.b", "message": "m", "rule": "r"}],
		"obligations": {"mfa": false},
		"effective": {"mode": "full_auto"},
	}
	as_expected(decision, {"outcome": "allow", "mfa": false, "codes": ["a.b"]})
	not as_expected(decision, {"outcome": "deny"})
	not as_expected(decision, {"outcome": "allow", "mfa": true})
	not as_expected(decision, {"outcome": "allow", "unheard_of": 1})
}
