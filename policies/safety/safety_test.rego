package countersign.safety_test

import data.countersign.safety
import data.countersign.testing_test

_targets(from, size) := [sprintf("web-%d", [from + index]) | some index in numbers.range(1, size)]

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
		"compensation_targets": [],
		"shell": null,
		"compensation_shell": null,
		"paths": null,
		"compensation_paths": null,
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
		[_phase(index, false, index * largest, size) |
			some index in numbers.range(1, ceil(distinct / largest) - 1)
			size := min({largest, distinct - (index * largest)})
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

_undo(call, targets) := object.union(call, {"compensation": "a_tool@1", "compensation_targets": targets})

_undone_by(phase, targets) := object.union(phase, {"batches": [{"index": 0, "calls": [_undo(phase.batches[0].calls[0], targets)]}]})

_rollout(undo) := array.concat(
	[_undone_by(_phase(0, true, 0, 1), undo)],
	[_phase(index, false, index, 1) | some index in numbers.range(1, 9)],
)

# T61: the compensation of a batch counts like the batch.
test_compensations_count if {
	_codes(_rollout(["web-0"]), _free) == set()
	_codes(_rollout(["web-0", "web-1", "web-2"]), _free) == {"safety.batch_too_large", "safety.canary_too_large"}
}

# T61: undoing one of ten over the whole environment is no batch and no canary.
test_undoing_everything_counts_as_everything[note] if {
	some note, phases in {
		"in the canary": _rollout([]),
		"in the last phase": array.concat(
			[_phase(index, index == 0, index, 1) | some index in numbers.range(0, 8)],
			[_undone_by(_phase(9, false, 9, 1), [])],
		),
		"of a single target": [_undone_by(_phase(0, true, 0, 1), [])],
	}
	"safety.batch_too_large" in _codes(phases, _free)
}

test_undoing_everything_is_no_canary if "safety.canary_too_large" in _codes(_rollout([]), _free)

# A change of the whole environment may be undone as a whole.
test_the_whole_is_undone_as_a_whole if {
	whole := _undone_by(_phase(0, true, 0, 1), [])
	call := object.union(whole.batches[0].calls[0], {"targets": []})
	_codes([object.union(whole, {"batches": [{"index": 0, "calls": [call]}]})], _free) == set()
}

# A compensation that only reads undoes nothing.
test_a_reading_compensation_counts_for_nothing if {
	undone := _undone_by(_phase(0, true, 0, 1), [])
	call := object.union(undone.batches[0].calls[0], {"compensation": "reads@1"})
	reasons := safety.reasons with input as {
		"autonomy": {"autonomy": {"mode": "full_auto"}},
		"environment": {"name": "production", "production": true},
		"tools": {
			"a_tool@1": testing_test.tool("a_tool", "state_change_prod"),
			"reads@1": testing_test.tool("reads", "read_only"),
		},
		"task": {"constraints": _free},
		"plan": {"phases": [object.union(undone, {"batches": [{"index": 0, "calls": [call]}]})]},
	}
	reasons == set()
}

_reading(path, line, named) := object.union(path, {"batches": [{"index": 0, "calls": [object.union(
	path.batches[0].calls[0],
	{"tool": "a_reader@1", "targets": [sprintf("file-%d", [path.index])], "shell": line, "paths": named},
)]}]})

_reads_two(line, named) := {reason.code | some reason in reasons} if {
	reasons := safety.reasons with input as {
		"autonomy": {"autonomy": {"mode": "full_auto"}},
		"environment": {"name": "production", "production": true},
		"tools": {"a_reader@1": testing_test.tool("a_reader", "read_only")},
		"task": {"constraints": _free},
		"plan": {"phases": [_reading(_phase(index, false, index, 1), line, named) | some index in [0, 1]]},
	}
}

# T52: reading two secrets asks people, and changes no target.
test_reads_of_secrets_change_no_target if {
	_reads_two(null, {"tier": 2, "class": "READ_ONLY"}) == set()
	_reads_two({"tier": 2, "class": "READ_ONLY"}, null) == set()
	"safety.canary_first" in _reads_two(null, {"tier": 2, "class": "UNKNOWN"})
	"safety.canary_first" in _reads_two({"tier": 2, "class": "WRITE"}, null)
	"safety.canary_first" in _reads_two({"tier": 2, "class": "READ_ONLY"}, {"tier": 2, "class": "UNKNOWN"})
}
