package countersign.effective_test

import data.countersign.effective
import data.countersign.testing_test

_modes := ["plan_only", "canary_only", "full_auto"]

# Every pair of modes: a tool override never makes the environment's mode milder.
test_overrides_only_tighten[note] if {
	some of_environment, mode in _modes
	some of_tool, override in _modes
	note := concat(" with override ", [mode, override])
	found := effective.mode with input as testing_test.cell("state_change_prod", "production", {
		"mode": "full_auto",
		"environments": {"production": {"mode": mode}},
		"tool_overrides": {"a_tool": {"mode": override}},
	})
	found.mode == _modes[min({of_environment, of_tool})]
}

test_a_false_setting_is_a_setting if {
	block := {"mode": "full_auto", "require_mfa": true, "environments": {"production": {"require_mfa": false}}}
	in_production := testing_test.cell("read_only", "production", block)
	effective.setting("require_mfa") == false with input as in_production
	not effective.required("a_tool", "require_mfa") with input as in_production
	effective.required("a_tool", "require_mfa") with input as testing_test.cell("read_only", "staging", block)
}

test_no_document_is_plan_only if {
	effective.mode == {"mode": "plan_only", "source": "default"} with input as {"autonomy": null}
	not effective.named with input as {"autonomy": null}
}
