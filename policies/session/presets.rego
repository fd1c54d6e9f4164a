# METADATA
# title: The presets of sessions
# description: |
#   The calls that execute and the calls that ask a person, as data. Each preset is kept as its author wrote it. A missing cell asks.
package countersign.session_presets

# METADATA
# title: Tiers
# description: ADR-007 of shell commands. Tier 3 is denied before any preset.
tiers := {1: "auto", 2: "ask"}

# METADATA
# title: Levels
# description: The autonomy levels of an interactive session, by the risk of the call.
levels := {
	"FULL_AUTO": {"low": "auto", "medium": "auto", "high": "auto", "critical": "ask"},
	"SUPERVISED": {"low": "auto", "medium": "auto", "high": "ask", "critical": "ask"},
	"CAUTIOUS": {"low": "auto", "medium": "ask", "high": "ask", "critical": "ask"},
	"MANUAL": {"low": "ask", "medium": "ask", "high": "ask", "critical": "ask"},
}

# METADATA
# title: Modes
# description: |
#   The approval modes of an editor, by the category of the call. Terminal, network and audio are external to the workspace. In
#   ask-on-external a terminal asks even for a read, as its author wrote.
modes := {
	"always-ask": {},
	"ask-on-write": {"read": "auto", "git-read": "auto", "terminal-read": "auto"},
	"ask-on-external": {"read": "auto", "git-read": "auto", "workspace-write": "auto"},
	"allow-safe-readonly": {
		"read": "auto",
		"git-read": "auto",
		"terminal-read": "auto",
		"workspace-write": "auto",
		"network": "auto",
		"audio-input": "auto",
		"audio-output": "auto",
		"git-write": "ask",
		"terminal-write": "ask",
	},
}

# METADATA
# title: Cautious
# description: The cautious mode of interactive chat (ADR-003), by the effect of the call. A destructive call wants a typed word.
cautious := {"read": "auto", "modify": "ask", "destructive": "confirm"}
