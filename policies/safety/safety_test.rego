package countersign.safety_test

import data.countersign.safety
import data.countersign.testing_test

_targets(from, size) := [sprintf("web-%d", [from + place]) | some place in numbers.range(1, size)]

_phase(index, canary, from, size) := {
	"index": index,
	"name": sprintf("phase-%d", [index]),
	"canary": canary,
	"has_rollback_condition": true,
	"batches": [{"index": 0, "calls": [{
		"seq": index,
		"tool": "a_tool@1",
		"targets": _targets(from, size),
		"compensation": null,
	}]}],
}

_codes(phases, constraints) := {reason.code | some reason in reasons} if {
	reasons := safety.reasons with input as {
		"autonomy": {"autonomy": {"mode": "full_auto"}},
		"environment": {"name": "production", "production": true},
		"tools": {"a_tool@1": testing_test.tool("a_tool", "state_change_prod")},
		"task": {"constraints": constraints},
		"plan": {"phases": phases},
	}
}

_free := {"canary_required": false, "max_batch_percent": null, "rollback_trigger": null}

# 20 percent: the largest batch that passes is a fifth, and never less than one target.
test_largest_batch[note] if {
	some distinct in [2, 4, 5, 9, 10, 11, 47]
	note := sprintf("%d targets", [distinct])
	largest := max({1, floor(distinct / 5)})
	passing := array.concat(
		[_phase(0, true, 0, largest)],
		[_phase(place, false, place * largest, size) |
			some place in numbers.range(1, ceil(distinct / largest) - 1)
			size := min({largest, distinct - (place * largest)})
		],
	)
	_codes(passing, _free) == set()
	failing := [_phase(0, true, 0, largest + 1), _phase(1, false, 100, distinct - largest)]
	"safety.batch_too_large" in _codes(failing, _free)
}

test_a_task_cannot_raise_the_limit if {
	phases := [_phase(0, true, 0, 1), _phase(1, false, 1, 9)]
	"safety.batch_too_large" in _codes(phases, object.union(_free, {"max_batch_percent": 100}))
}
