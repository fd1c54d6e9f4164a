# METADATA
# title: Words for people
# description: |
#   States and lengths of time in messages, as libs/foundation/words says them on pages; a test holds both equal. Each function has
#   an answer for every value, since a reason without its message would be no reason.
package countersign.words

# Those that are more than their name without underscores.
_states := {
	"awaiting_approval": "awaiting approval",
	"consumed": "approved and started",
	"denied": "rejected",
	"superseded": "replaced by a newer revision",
	"validated": "valid",
	"voided": "no longer valid",
}

# METADATA
# title: A state
# description: Of a plan, request or run.
state(name) := object.get(_states, name, replace(name, "_", " "))

_units := [["day", 1440, 1000000], ["hour", 60, 24], ["minute", 1, 60]]

_counted(1, unit) := concat(" ", ["1", unit])

_counted(count, unit) := sprintf("%d %ss", [count, unit]) if count > 1

# METADATA
# title: A number of minutes
# description: A limit as people set it, such as `1 hour 30 minutes`.
minutes(total) := concat(" ", parts) if {
	parts := [_counted(count, unit[0]) |
		some unit in _units
		count := floor(total / unit[1]) % unit[2]
		count > 0
	]
	count(parts) > 0
} else := sprintf("%v minutes", [total])

# METADATA
# title: A scope that a credential lacks
# description: For tokens. In the browser and in Slack, roles give the scopes.
scope_missing(scope) := concat("", ["This credential does not hold the scope \"", scope, "\": use one that was issued with it"])
