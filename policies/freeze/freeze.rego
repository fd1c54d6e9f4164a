# METADATA
# title: Freezes
# description: |
#   Times of the tenant's autonomy document in which no state change starts. TypeScript works out calendars and time zones; the
#   input holds moments. A starter with a role that may pass starts all the same.
package countersign.freeze

import data.countersign.subject

_covers_environment(freeze) if freeze.environments == null

_covers_environment(freeze) if input.environment.name in freeze.environments

_covers_tools(freeze) if {
	freeze.tools == null
	count(subject.state_changes) > 0
}

_covers_tools(freeze) if {
	some tool in subject.state_changes
	tool.name in freeze.tools
}

_passes(freeze) if {
	some role in freeze.may_pass
	role in input.freeze.starter_roles
}

# METADATA
# title: A freeze applies
# description: One reason for every freeze in force that the starter may not pass, with its end.
reasons contains reason if {
	some freeze in input.freeze.active
	freeze.from <= input.now
	input.now < freeze.until
	_covers_environment(freeze)
	_covers_tools(freeze)
	not _passes(freeze)
	reason := {
		"code": "freeze.active",
		"message": sprintf("The freeze %s is in force until %s", [freeze.name, freeze.until_utc]),
		"rule": "countersign.freeze",
		"details": {"until": freeze.until_utc},
	}
}
