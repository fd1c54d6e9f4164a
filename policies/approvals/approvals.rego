# METADATA
# title: The approvals that a plan needs
# description: |
#   allowed_approvers filters, require_two_approvers is a minimum of distinct people, quorum is conjunctive with one
#   distinct person a slot. Slots of one role set are counted together, so that role sets are unique.
package countersign.approvals

import data.countersign.effective
import data.countersign.session
import data.countersign.subject

# METADATA
# title: Tools that need a person
# description: The tools that need an approval.
person_tools contains tool if {
	some tool in subject.tools
	effective.needs_person(tool)
}

_roles(roles) := ["any"] if "any" in roles

else := sort({role | some role in roles})

_both(a, b) := b if a == ["any"]

else := a if b == ["any"]

else := sort({role | some role in a; role in b})

# The roles that may approve in this environment. A quorum without a filter names its roles itself.
_environment_filter := _roles(effective.setting("allowed_approvers")) if effective.named

else := ["any"] if {
	effective.named
	effective.setting("quorum")
}

_filter(name) := _both(_environment_filter, roles) if {
	roles := _roles(effective.override(name, "allowed_approvers"))
} else := _environment_filter if {
	_environment_filter
}

_summed(slots) := {{"roles": roles, "count": sum([slot.count | some slot in slots; slot.roles == roles])} |
	some roles in {slot.roles | some slot in slots}
}

_largest(slots) := {{"roles": roles, "count": max([slot.count | some slot in slots; slot.roles == roles])} |
	some roles in {slot.roles | some slot in slots}
}

_normalized(quorum) := _summed([{"roles": _roles(slot.roles), "count": slot.count} | some slot in quorum])

_environment_quorum := _normalized(quorum) if {
	quorum := effective.setting("quorum")
} else := set()

_override_quorum(name) := _normalized(quorum) if {
	quorum := effective.override(name, "quorum")
} else := set()

_people(slots) := sum([slot.count | some slot in slots])

_minimum(name) := 2 if effective.required(name, "require_two_approvers")

else := 1

# The people missing from a quorum that asks for fewer than the minimum.
_rest(slots, name, filter) := [{"roles": filter, "count": _minimum(name) - _people(slots)}] if {
	_people(slots) < _minimum(name)
} else := []

_slots(name) := _summed(array.concat(filtered, _rest(quorum, name, filter))) if {
	filter := _filter(name)
	quorum := _largest(_environment_quorum | _override_quorum(name))
	filtered := [{"roles": _both(filter, slot.roles), "count": slot.count} | some slot in quorum]
}

_fillable(slots) if {
	every slot in slots {
		count(slot.roles) > 0
	}
}

# METADATA
# title: Tools without approvers
# description: No approvers for the environment, or a slot that the filter leaves no role for.
without_approvers contains tool.name if {
	some tool in person_tools
	not _list_name(tool.name) in _approvable
}

# Tools without an override share one list, which no override has the name of.
_list_name(name) := name if effective.overridden(name)

else := ""

_named_lists := {name: _slots(name) | some name in {_list_name(tool.name) | some tool in person_tools}}

_approvable := {name | some name, list in _named_lists; _fillable(list)}

_lists := {list | some list in _named_lists}

# A list of one slot that another list's slots fill anyway needs no further person.
_implied(list) if {
	count(list) == 1
	some slot in list
	some other in _lists
	other != list
	_people([filling | some filling in other; _within(filling.roles, slot.roles)]) >= slot.count
}

_within(_, wider) if wider == ["any"]

_within(roles, wider) if count({role | some role in roles} - {role | some role in wider}) == 0

_union := _largest({slot |
	some list in _lists
	not _implied(list)
	some slot in list
})

# A session's question goes to one person, even in an environment that names no approvers.
_session_roles := _roles(roles) if {
	roles := effective.setting("allowed_approvers")
} else := ["any"]

# METADATA
# title: The slots to fill
# description: Every tool's slots together; a person fills one slot. If the session alone asks, one person is enough.
slots := [{"count": 1, "roles": _session_roles}] if {
	session.asks
	count(person_tools) == 0
} else := [{"count": slot[1], "roles": slot[0]} |
	some slot in sort([[slot.roles, slot.count] | some slot in _union; count(slot.roles) > 0])
]

# METADATA
# title: People
# description: How many distinct people the slots ask for.
people := _people(slots)

_covering(slot, approved) := {candidate | some candidate in _remaining(approved); _within(candidate.roles, slot.roles)}

_uncovered(slot, approved) if _people(_covering(slot, approved)) < slot.count

_uncovered(slot, approved) if {
	covering := _covering(slot, approved)
	_people(covering) < _people([other | some other in _unmatched(approved); _shares(other, covering)])
}

# METADATA
# title: More approvals than before
# description: |
#   True if the people who filled the approved slots may not fill today's. Equal slots on both sides are matched. The other slots
#   must be covered even if every overlapping slot draws on the same people. That errs on the side of asking again.
more_than(approved) if {
	some slot in _unmatched(approved)
	_uncovered(slot, approved)
}

_normal(list) := {{"roles": _roles(slot.roles), "count": slot.count} | some slot in list}

_unmatched(approved) := _normal(slots) - _normal(approved)

_remaining(approved) := _normal(approved) - _normal(slots)

_shares(other, covering) if {
	some candidate in covering
	_within(candidate.roles, other.roles)
}
