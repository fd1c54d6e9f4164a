/** The paths and documents of the API. `npm run references` generates them from its OpenAPI document. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface paths {
    "/.well-known/jwks.json": {
        /** The public keys that grants are signed with; a new one is published before it is used. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["JsonWebKeySet"];
                    };
                };
            };
        };
    };
    "/health/live": {
        /** The process runs. It checks no dependency, so that a broken database restarts nothing. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Health"];
                    };
                };
            };
        };
    };
    "/health/ready": {
        /** The process can do its work: send it requests. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Health"];
                    };
                };
            };
        };
    };
    "/hooks/{slug}/automations/{id}": {
        /** Takes a message of another system, signed as Standard Webhooks describes it. Each message starts at most one run. */
        post: {
            parameters: {
                path: {
                    id: string;
                    slug: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": string;
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["AutomationMessageAnswer"];
                    };
                };
            };
        };
    };
    "/sign-in": {
        /** Sends a browser to an issuer, which signs the person in and sends it back. */
        get: {
            parameters: {
                query?: {
                    issuer?: string;
                    prompt?: "login";
                    return_to?: string;
                    tenant?: string;
                };
            };
            responses: {
                303: {
                };
            };
        };
    };
    "/slack/commands": {
        /** Answers the command /countersign. */
        post: {
            requestBody: {
                content: {
                    "application/json": string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackCommandAnswer"];
                    };
                };
            };
        };
    };
    "/slack/events": {
        /** Takes events of Slack: a reply in the thread of a request is a comment on it. Gives a challenge back. */
        post: {
            requestBody: {
                content: {
                    "application/json": string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackEventAnswer"];
                    };
                };
            };
        };
    };
    "/slack/interactions": {
        /** Takes the action of a person in Slack. It is acknowledged at once, and carried out afterwards. */
        post: {
            requestBody: {
                content: {
                    "application/json": string;
                };
            };
            responses: {
                200: {
                };
            };
        };
    };
    "/slack/oauth/callback": {
        /** Slack sends the admin’s browser back here, with a code that is good once, or with an error. */
        get: {
            parameters: {
                query?: {
                    code?: string;
                    error?: string;
                    state?: string;
                };
            };
            responses: {
                303: {
                };
            };
        };
    };
    "/v1/absences": {
        /** Absences and the people who stand in, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AbsencePage"];
                    };
                };
            };
        };
        /** Hands the caller's reviewing roles to somebody for an absence. It counts on requests that open from then on, and both count as one. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAbsence"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Absence"];
                    };
                };
            };
        };
    };
    "/v1/absences/{id}": {
        /** Takes an absence back, by the person who is away or an admin. Approvals given with it that have not started are void. */
        delete: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/agent-errors": {
        /** Reports an error of the agent. Hooks of agent.error take it from the log; nothing is decided by it. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentError"];
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/agents": {
        /** The agents of the tenant. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AgentPage"];
                    };
                };
            };
        };
        /** Registers an agent with the person who answers for it. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAgent"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
            };
        };
    };
    "/v1/agents/{id}": {
        /** An agent. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
            };
        };
        /** Renames an agent, disables or enables it; handed to another accountable person, it waits for a second person. */
        patch: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentChange"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Agent"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/agents/{id}/delegations": {
        /** Issues a credential with which the agent acts on behalf of the caller, for at most 30 days. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewToken"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["MintedToken"];
                    };
                };
            };
        };
    };
    "/v1/agents/{id}/reviewers": {
        /** The people who could approve requests of the agent in production, one vote a seat, and whether they are enough. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AgentReviewers"];
                    };
                };
            };
        };
    };
    "/v1/agents/{id}/tokens": {
        /** Mints a token of the agent’s: by its owner, or a PlatformAdmin with the scope admin. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewToken"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["MintedToken"];
                    };
                };
            };
        };
    };
    "/v1/approval-requests": {
        /** Requests, newest first: for the caller, open, decided by the caller, or all; with `reviewable=true` the open ones that policy lets the caller approve now. */
        get: {
            parameters: {
                query?: {
                    agent_id?: string;
                    cursor?: string;
                    environment?: string;
                    from?: string;
                    limit?: number;
                    person_id?: string;
                    plan_id?: string;
                    reviewable?: "true" | "false";
                    search?: string;
                    state?: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
                    tab?: "for_me" | "open" | "decided_by_me" | "all";
                    target?: string;
                    task_id?: string;
                    tool?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApprovalRequestList"];
                    };
                };
            };
        };
    };
    "/v1/approval-requests/{id}": {
        /** A request with everything its approvers see, and its differences from the request that the caller approved before. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApprovalRequestDetail"];
                    };
                };
            };
        };
    };
    "/v1/approval-requests/{id}/claim": {
        /** Says for 15 minutes that the caller is looking at a request. Other people can still review it. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApprovalRequest"];
                    };
                };
            };
        };
        /** Takes the caller's claim back; if there is none, nothing changes. */
        delete: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/approval-requests/{id}/comments": {
        /** The comments on a request, oldest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CommentPage"];
                    };
                };
            };
        };
        /** Comments on a request without deciding on it. An agent comments on requests of its own plans, five times until a person answers. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewComment"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Comment"];
                    };
                };
            };
        };
    };
    "/v1/approval-requests/{id}/comments/read": {
        /** Marks the comments on a request as read, so that they leave the inbox of the caller. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/approval-requests/{id}/precedents": {
        /** The requests and runs of the past that are like a request, their approvers and their ends. */
        get: {
            parameters: {
                query?: {
                    limit?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PrecedentList"];
                    };
                };
            };
        };
    };
    "/v1/approval-requests/{id}/reviewers": {
        /** The people who could review an open request now: policy lets them approve, and their vote would count. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PossibleReviewers"];
                    };
                };
            };
        };
    };
    "/v1/approval-requests/{id}/reviews": {
        /** Every review of a request in order, those that were replaced too. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ReviewList"];
                    };
                };
            };
        };
        /** Approves, rejects or asks for changes. While the request is open, a second review of a person replaces the first. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubmitReview"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["ApprovalRequest"];
                    };
                };
            };
        };
    };
    "/v1/approval-requests/{id}/seen": {
        /** A screen shows the request to the caller. The first time is kept: it is from where their time to decide counts. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/approval-requests/{id}/withdraw": {
        /** Takes a request back, by somebody who may change its task. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApprovalRequest"];
                    };
                };
            };
        };
    };
    "/v1/approval-statistics": {
        /** Time to decision, approvals within five seconds of the first look, and overrides, by tool, by agent or by person. */
        get: {
            parameters: {
                query: {
                    by: "tool" | "agent" | "person";
                    from?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApprovalStatistics"];
                    };
                };
            };
        };
    };
    "/v1/approver-keys": {
        /** The public keys of people’s passkeys, as lines for `countersign verify --approver-keys`. Compare each with its person before you keep it. */
        get: {
            parameters: {
                query?: {
                    person_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApproverKeyList"];
                    };
                };
            };
        };
    };
    "/v1/audit": {
        /** Decisions on single tool calls, newest first, by session, agent, tool, tier and class of the command line, or decision. */
        get: {
            parameters: {
                query?: {
                    actor_id?: string;
                    agent_id?: string;
                    class?: "READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION";
                    command_lines?: "true";
                    cursor?: string;
                    decision?: "auto_approved" | "approved" | "rejected" | "trusted" | "timeout" | "denied" | "cancelled";
                    from?: string;
                    level?: "basic" | "detailed" | "full" | "full_with_evidence" | "critical";
                    limit?: number;
                    outcome?: "allow" | "require_approval" | "deny";
                    session_id?: string;
                    subject_id?: string;
                    tier?: number;
                    tool?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CallDecisionPage"];
                    };
                };
            };
        };
    };
    "/v1/audit/actions": {
        /** The actions that the log holds entries of, to choose from. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AuditActionList"];
                    };
                };
            };
        };
    };
    "/v1/audit/checkpoint": {
        /** The latest signed checkpoint. Keep one outside: a database that is restored or rewritten cannot match it. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Checkpoint"];
                    };
                };
            };
        };
    };
    "/v1/audit/consistency": {
        /** A proof that the log only grew between two sizes. */
        get: {
            parameters: {
                query: {
                    epoch: number;
                    first: number;
                    second?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ConsistencyProof"];
                    };
                };
            };
        };
    };
    "/v1/audit/entries": {
        /** Entries by time, actor, subject, action, level, tool, outcome of the decision, task, plan or session, newest first. */
        get: {
            parameters: {
                query?: {
                    action?: string;
                    actor_id?: string;
                    cursor?: string;
                    from?: string;
                    level?: "basic" | "detailed" | "full" | "full_with_evidence" | "critical";
                    limit?: number;
                    outcome?: "allow" | "require_approval" | "deny";
                    plan_id?: string;
                    run_id?: string;
                    session_id?: string;
                    subject_id?: string;
                    subject_type?: string;
                    task_id?: string;
                    tool?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AuditEntryPage"];
                    };
                };
            };
        };
    };
    "/v1/audit/entries/{id}": {
        /** One entry, with the proof that the log holds it. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ProvenAuditEntry"];
                    };
                };
            };
        };
    };
    "/v1/audit/epochs": {
        /** After a restore from a backup. Starts a new epoch of the log, refuses grants and approvals from before, and pauses runs. It waits for a second person; on the server, `countersign restored` does not. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StartEpoch"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["AuditEpoch"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/audit/export": {
        /** Every entry that the filters find, newest first, as CSV or as JSON, one a line; 100,000 at most. */
        get: {
            parameters: {
                query: {
                    action?: string;
                    actor_id?: string;
                    format: "csv" | "jsonl";
                    from?: string;
                    level?: "basic" | "detailed" | "full" | "full_with_evidence" | "critical";
                    outcome?: "allow" | "require_approval" | "deny";
                    plan_id?: string;
                    run_id?: string;
                    session_id?: string;
                    subject_id?: string;
                    subject_type?: string;
                    task_id?: string;
                    tool?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/x-ndjson": components["schemas"]["AuditEntry"];
                        "text/csv": string;
                    };
                };
            };
        };
    };
    "/v1/audit/keys": {
        /** The public keys that checkpoints are signed with, past ones too. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AuditKeyList"];
                    };
                };
            };
        };
        /** Puts a new signing key in place of the current one, which stays in the history; it waits for a second person. */
        post: {
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["AuditKeyRotated"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/audit/retention": {
        /** The time for which payloads are kept, by audit level. Headers and proofs stay for ever. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AuditRetention"];
                    };
                };
            };
        };
        /** Sets how long payloads are kept, by audit level. To keep one less long waits for a second person. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AuditRetention"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AuditRetentionSet"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/automation-runs/{id}/evidence": {
        /** The proof of a run of an automation: its steps, calls and decisions, as one file. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EvidenceRequest"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["EvidencePack"];
                    };
                };
            };
        };
    };
    "/v1/automation-safe-list": {
        /** The tools of the modify tier that automations may call, each at the version that was accepted. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SafeList"];
                    };
                };
            };
        };
    };
    "/v1/automation-safe-list/{name}": {
        /** Puts a tool on the list, at one version. It waits for a second person. */
        put: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AcceptTool"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SafeListEntry"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
        /** Takes a tool off the list, at once. */
        delete: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/automations": {
        /** Automations, newest first, each with its last run. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AutomationList"];
                    };
                };
            };
        };
        /** Proposes an automation. It does nothing before an admin enables it. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProposeAutomation"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["JudgedAutomation"];
                    };
                };
            };
        };
    };
    "/v1/automations/{id}": {
        /** An automation, with the source in force as it is read. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ReadAutomation"];
                    };
                };
            };
        };
        /** Puts another source in force, under the same name. */
        put: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeAutomation"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["JudgedAutomation"];
                    };
                };
            };
        };
    };
    "/v1/automations/{id}/disable": {
        /** Stops an automation. A run that goes on makes no further step. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Automation"];
                    };
                };
            };
        };
    };
    "/v1/automations/{id}/enable": {
        /** Lets an automation run, as an agent that you are accountable for. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnableAutomation"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Automation"];
                    };
                };
            };
        };
    };
    "/v1/automations/{id}/runs": {
        /** The runs of an automation, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AutomationRunList"];
                    };
                };
            };
        };
    };
    "/v1/automations/{id}/runs/{run}": {
        /** A run of an automation, with the outcome of each step. */
        get: {
            parameters: {
                path: {
                    id: string;
                    run: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SeenAutomationRun"];
                    };
                };
            };
        };
    };
    "/v1/automations/{id}/secret": {
        /** Makes the secret that signs messages to an automation, and shows it once. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RenewAutomationSecret"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["AutomationSecret"];
                    };
                };
            };
        };
    };
    "/v1/automations/{id}/trigger": {
        /** Starts a run of an automation that has an endpoint, with the inputs that it declares. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerAutomation"];
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["AutomationRun"];
                    };
                };
            };
        };
    };
    "/v1/automations/{id}/withdraw": {
        /** Withdraws an automation that you proposed, before an admin enables it. Its name is free again. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Automation"];
                    };
                };
            };
        };
    };
    "/v1/automations/preview": {
        /** Lists the occurrences on which an automation would have run in the last thirty days. Executes nothing. */
        post: {
            parameters: {
                query?: {
                    cursor?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewAutomation"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AutomationPreview"];
                    };
                };
            };
        };
    };
    "/v1/automations/safe-tools": {
        /** Every tool with its tier, and whether an automation may call it in an environment now. */
        get: {
            parameters: {
                query: {
                    environment: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SafeTools"];
                    };
                };
            };
        };
    };
    "/v1/automations/validate": {
        /** Checks an automation that is saved nowhere, and says which of its steps would be blocked now. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProposeAutomation"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["BlockedSteps"];
                    };
                };
            };
        };
    };
    "/v1/autonomy": {
        /** The autonomy document in force, byte for byte as it was put. Its ETag is the SHA-256 of those bytes. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/yaml": string;
                    };
                };
            };
        };
        /** Puts a document in force; one that loosens waits for a second person. Takes the ETag of the one it replaces as If-Match; dry_run=true only shows its changes. */
        put: {
            parameters: {
                query?: {
                    dry_run?: "true" | "false";
                };
            };
            requestBody: {
                content: {
                    "application/yaml": string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AutonomyChange"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/autonomy/matrix": {
        /** The mode of every tool in every environment, and the line of the document that sets it. */
        get: {
            parameters: {
                query?: {
                    environment?: string;
                    tool?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AutonomyMatrix"];
                    };
                };
            };
        };
    };
    "/v1/autonomy/revisions": {
        /** Every revision of the document, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AutonomyRevisionPage"];
                    };
                };
            };
        };
    };
    "/v1/autonomy/revisions/{number}": {
        /** One revision: its source, its author and how it differs from the one before it. */
        get: {
            parameters: {
                path: {
                    number: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AutonomyRevision"];
                    };
                };
            };
        };
    };
    "/v1/autonomy/schema": {
        /** The JSON Schema of the document, for editors. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["JsonSchema"];
                    };
                };
            };
        };
    };
    "/v1/bootstrap": {
        /** Founds a tenant and its first PlatformAdmin with the single-use token that the server’s operator holds. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BootstrapRequest"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["BootstrapAnswer"];
                    };
                };
            };
        };
    };
    "/v1/break-glass": {
        /** Executes a plan at once, past approval, autonomy mode, freezes and simulation, and opens an incident. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvokeBreakGlass"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["BreakGlassInvoked"];
                    };
                };
            };
        };
    };
    "/v1/break-glass/availability": {
        /** Whether the caller could break the glass for a plan now, with a second factor and a justification; why not. */
        get: {
            parameters: {
                query: {
                    plan_id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["BreakGlassAvailability"];
                    };
                };
            };
        };
        /** The same with the justification that would be given: before a second factor is spent on one that is refused. */
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        justification: string;
                        plan_id: string;
                    };
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["BreakGlassAvailability"];
                    };
                };
            };
        };
    };
    "/v1/browser-sessions": {
        /** The caller’s own browser sessions that are not over. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["BrowserSessionList"];
                    };
                };
            };
        };
    };
    "/v1/browser-sessions/{id}": {
        /** Ends a browser session of the caller’s own. */
        delete: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/browser-sessions/current": {
        /** The person who is signed in in this browser, and the data that a page needs to act for them. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CurrentBrowserSession"];
                    };
                };
            };
        };
    };
    "/v1/browser-sessions/current/sign-out": {
        /** Ends this browser session, and says where to sign out at the issuer. */
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SignedOut"];
                    };
                };
            };
        };
    };
    "/v1/change-requests": {
        /** Changes that loosen and wait for a second person, and the outcome of the others, newest first. */
        get: {
            parameters: {
                query?: {
                    confirmable?: "true" | "false";
                    cursor?: string;
                    kind?: components["schemas"]["ChangeKind"];
                    limit?: number;
                    state?: components["schemas"]["ChangeState"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequestPage"];
                    };
                };
            };
        };
    };
    "/v1/change-requests/{id}": {
        /** One change: its effect, the difference it makes, and the people who could confirm it. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/change-requests/{id}/comments": {
        /** The comments on a change, oldest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CommentPage"];
                    };
                };
            };
        };
        /** Comments on a change of a guardrail without deciding on it. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewComment"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Comment"];
                    };
                };
            };
        };
    };
    "/v1/change-requests/{id}/comments/read": {
        /** Marks the comments on a change as read, so that they leave the inbox of the caller. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/change-requests/{id}/confirm": {
        /** Confirms a change, and carries it out. Takes somebody who did not ask for it, and a step-up {kind: change_confirm}. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmChange"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/change-requests/{id}/evidence": {
        /** The proof of a change, its author, its confirmation and its actions, as one file. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EvidenceRequest"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["EvidencePack"];
                    };
                };
            };
        };
    };
    "/v1/change-requests/{id}/impact": {
        /** The impact that a change would have had on the decisions of the 30 days before the question. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ImpactReport"];
                    };
                };
            };
        };
    };
    "/v1/change-requests/{id}/reject": {
        /** Rejects a change of somebody else. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RejectChange"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/change-requests/{id}/withdraw": {
        /** Withdraws a change request of your own. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/configuration/{name}": {
        /** Tools, executors or environments as they stand, as the YAML that can be put again. */
        get: {
            parameters: {
                path: {
                    name: "environments" | "tools" | "executors";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/yaml": string;
                    };
                };
            };
        };
    };
    "/v1/configuration/check": {
        /** Checks the documents of a configuration, each as if the earlier ones were applied. Answers with the effects and the refusals, and changes nothing. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Configuration"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ConfigurationCheck"];
                    };
                };
            };
        };
    };
    "/v1/configuration/environments": {
        /** Adds and changes environments as a document says, YAML or JSON. Those that it leaves out stay. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnvironmentsDocument"] | string | unknown;
                    "application/yaml": components["schemas"]["EnvironmentsDocument"] | string | unknown;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ConfigurationChanges"];
                    };
                };
            };
        };
    };
    "/v1/configuration/executors": {
        /** Adds and changes executors as a document says, YAML or JSON. Those that it leaves out stay. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExecutorsDocument"] | string | unknown;
                    "application/yaml": components["schemas"]["ExecutorsDocument"] | string | unknown;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ConfigurationChanges"];
                    };
                };
            };
        };
    };
    "/v1/decision-log": {
        /** The same decisions as OPA logs its own, newest first, for tools that read decision logs. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    plan_id?: string;
                    request_id?: string;
                    run_id?: string;
                    task_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["OpaDecisionPage"];
                    };
                };
            };
        };
    };
    "/v1/decisions": {
        /** Recorded policy decisions about a task, plan, approval request or run, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    plan_id?: string;
                    request_id?: string;
                    run_id?: string;
                    task_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["LoggedDecisionPage"];
                    };
                };
            };
        };
    };
    "/v1/decisions/{id}": {
        /** One decision: the question, with every fact that it rests on, and the answer. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["LoggedDecision"];
                    };
                };
            };
        };
    };
    "/v1/embedder": {
        /** The embedder: the server that gives texts vectors of their meaning, to find precedents by meaning. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["EmbedderAtWork"];
                    };
                };
            };
        };
        /** Names the embedder; another address waits for a second person, and loses the token of the former one. Takes the ETag of the one it replaces as If-Match. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EmbedderSettings"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Embedder"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
        /** Removes the embedder with its token, at once. */
        delete: {
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/embedder/test": {
        /** Asks the embedder for the vector of a fixed sentence, and waits for the answer. */
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["EmbedderTest"];
                    };
                };
            };
        };
    };
    "/v1/embedder/token": {
        /** Sets the bearer token that the embedder is shown, or removes it. It is never shown again. Takes the ETag of the embedder as If-Match. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionToken"];
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/enrolment": {
        /** Exchanges a one-time enrolment token for a credential of one’s own; earlier credentials are revoked. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnrolmentExchange"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["MintedToken"];
                    };
                };
            };
        };
    };
    "/v1/enrolment/passkey": {
        /** Comes in by an invitation with a new passkey: sets the cookie of a browser session. For pages of Countersign alone. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AcceptInvitation"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["InvitationAccepted"];
                    };
                };
            };
        };
    };
    "/v1/enrolment/passkey/options": {
        /** The purpose of an invitation, and the options with which the browser makes a passkey. The invitation stays unused. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LookAtInvitation"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InvitationSeen"];
                    };
                };
            };
        };
    };
    "/v1/environments": {
        /** The environments of the tenant, by name. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["EnvironmentPage"];
                    };
                };
            };
        };
        /** Adds an environment. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewEnvironment"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Environment"];
                    };
                };
            };
        };
    };
    "/v1/environments/{environment}/executors": {
        /** The executors of an environment, by its name. */
        get: {
            parameters: {
                path: {
                    environment: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ExecutorList"];
                    };
                };
            };
        };
    };
    "/v1/environments/{environment}/executors/{name}": {
        /** One executor of an environment. */
        get: {
            parameters: {
                path: {
                    environment: string;
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Executor"];
                    };
                };
            };
        };
        /** Sets the executors of tools in an environment. A changed address voids approvals given for the old one. */
        put: {
            parameters: {
                path: {
                    environment: string;
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExecutorDocument"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Executor"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/environments/{id}": {
        /** An environment; its ETag is its version. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Environment"];
                    };
                };
            };
        };
        /** Switches whether an environment counts as production; clearing it waits for a second person. Takes its ETag as If-Match. */
        patch: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnvironmentChange"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Environment"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/events": {
        /** Changes in the tenant, as server-sent events of type `change` while the connection lasts; after `missed`, or when connecting again, read everything on the screen anew. */
        get: {
            responses: {
                200: {
                    content: {
                        "text/event-stream": string;
                    };
                };
            };
        };
    };
    "/v1/executor-kinds": {
        /** The kinds that an executor can be of, and the settings of each. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ExecutorKindList"];
                    };
                };
            };
        };
    };
    "/v1/factors": {
        /** The second factors of the caller. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["FactorList"];
                    };
                };
            };
        };
    };
    "/v1/factors/{id}": {
        /** Removes a factor. Needs a step-up; with the last factor the recovery codes go too. */
        delete: {
            parameters: {
                query?: {
                    step_up_id?: string;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/factors/passkeys": {
        /** Registers the passkey that answered. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RegisterPasskey"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["FactorEnrolled"];
                    };
                };
            };
        };
    };
    "/v1/factors/passkeys/options": {
        /** Begins to register a passkey. Answers with the options for the browser, good for one answer within five minutes. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasskeyOptionsRequest"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["PasskeyRegistrationOptions"];
                    };
                };
            };
        };
    };
    "/v1/factors/recovery-codes": {
        /** Ten new recovery codes in place of those that are left. Needs a step-up. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RenewRecoveryCodes"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["RecoveryCodes"];
                    };
                };
            };
        };
    };
    "/v1/factors/totp": {
        /** Offers a secret for an authenticator app. It counts once a code of it was confirmed. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnrolTotp"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["TotpOffer"];
                    };
                };
            };
        };
    };
    "/v1/factors/totp/{id}/confirm": {
        /** Confirms an authenticator app with a code of it; it takes the place of a former one. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmTotp"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["FactorEnrolled"];
                    };
                };
            };
        };
    };
    "/v1/grants/redeem": {
        /** Uses a grant up, for the tool server that received it; the grant itself is the credential. Succeeds exactly once. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RedeemGrant"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RedeemedGrant"];
                    };
                };
            };
        };
    };
    "/v1/halts": {
        /** Halts, newest first; with `active` only those in force, or only those lifted. */
        get: {
            parameters: {
                query?: {
                    active?: "true" | "false";
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["HaltList"];
                    };
                };
            };
        };
        /** Stops the tenant, an environment, an agent or a tool at once. Answers with the calls that had already left. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CreateHalt"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Halt"];
                    };
                };
            };
        };
    };
    "/v1/halts/{id}": {
        /** A halt, and the work that it found when it was set. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Halt"];
                    };
                };
            };
        };
    };
    "/v1/halts/{id}/lift": {
        /** Lifts a halt. Runs that it paused stay paused until somebody resumes them. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LiftHalt"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Halt"];
                    };
                };
            };
        };
    };
    "/v1/impact-reports": {
        /** Takes the decisions of the last days again as if a configuration had been in force. A worker does it: read the report until it is done. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AskImpact"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["ImpactReport"];
                    };
                };
            };
        };
    };
    "/v1/impact-reports/{id}": {
        /** One impact report, also while it is at work. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ImpactReport"];
                    };
                };
            };
        };
    };
    "/v1/impact-reports/{id}/cells": {
        /** The cells that the change of a report loosens: those in force first, then by tool, environment and mode. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ImpactCellPage"];
                    };
                };
            };
        };
    };
    "/v1/inbox": {
        /** Everything that waits for the caller: requests to review, approved plans to start by hand, incidents, and changes to confirm. Critical items in production come first, then the oldest. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Inbox"];
                    };
                };
            };
        };
    };
    "/v1/incident-destinations": {
        /** The destinations of incidents, with the last test message to each address. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["IncidentDestinationList"];
                    };
                };
            };
        };
    };
    "/v1/incident-destinations/tests": {
        /** Sends every address of every destination a test message now, and answers with the results. */
        post: {
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["IncidentDestinationList"];
                    };
                };
            };
        };
    };
    "/v1/incident-pages": {
        /** Events that PagerDuty did not take, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["IncidentPageList"];
                    };
                };
            };
        };
    };
    "/v1/incident-pages/{id}/retry": {
        /** Sends PagerDuty again the alerts that were given up, and all that followed them. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["IncidentPage"];
                    };
                };
            };
        };
    };
    "/v1/incident-settings": {
        /** The destinations of incidents, the time for a review, and the PagerDuty integration. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["IncidentSettings"];
                    };
                };
            };
        };
        /** Sets them. The routing key is a secret of the tenant, named here. A change that notifies fewer people waits for a second person. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["IncidentSettingsInput"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["IncidentSettingsSet"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/incidents": {
        /** Incidents, newest first. */
        get: {
            parameters: {
                query?: {
                    agent_id?: string;
                    cursor?: string;
                    environment?: string;
                    from?: string;
                    limit?: number;
                    overdue?: "true";
                    person_id?: string;
                    plan_id?: string;
                    search?: string;
                    state?: "open" | "acknowledged" | "resolved" | "reviewed";
                    target?: string;
                    tool?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["IncidentList"];
                    };
                };
            };
        };
    };
    "/v1/incidents/{id}": {
        /** An incident with its timeline and its events for PagerDuty. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["IncidentDetail"];
                    };
                };
            };
        };
    };
    "/v1/incidents/{id}/acknowledge": {
        /** Acknowledges an incident. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AcknowledgeIncident"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Incident"];
                    };
                };
            };
        };
    };
    "/v1/incidents/{id}/notes": {
        /** Adds a note to the timeline. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoteIncident"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Incident"];
                    };
                };
            };
        };
    };
    "/v1/incidents/{id}/resolve": {
        /** Resolves an incident with a post-mortem, once its run has ended. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResolveIncident"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Incident"];
                    };
                };
            };
        };
    };
    "/v1/incidents/{id}/review": {
        /** Reviews a post-mortem. The person who broke the glass cannot. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReviewIncident"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Incident"];
                    };
                };
            };
        };
    };
    "/v1/invitations": {
        /** The invitations that are valid and unused. Their secrets are not kept. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["OpenInvitations"];
                    };
                };
            };
        };
        /** Invites somebody. Adds them with these roles, and makes the link by which they come in, good once and for a day. With roles it waits for a second person. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Invitation"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["WaitingInvitation"];
                    };
                };
            };
        };
    };
    "/v1/invitations/mailed": {
        /** Invites a person by a mailed link that is shown to nobody else. The person has a vote of their own. With roles it waits for a second person. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["MailedInvitation"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["WaitingMailedInvitation"];
                    };
                };
            };
        };
    };
    "/v1/issuers": {
        /** The issuers by which people sign in, and the addresses to register there. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SignInSettings"];
                    };
                };
            };
        };
        /** Replaces the issuers. If it lets other people sign in, it waits for a second person. An issuer that is left out is out of service. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WantedSignInSettings"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SignInSettings"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/issuers/{name}/confirm": {
        /** Confirms an issuer that one hand put in force alone. People who sign in there are known by it from then on. For an admin of another hand, with a step-up {kind: issuer_confirm}. */
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmIssuer"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SignInSettings"];
                    };
                };
            };
        };
    };
    "/v1/issuers/{name}/test": {
        /** Reads the description and the keys of an issuer in force, and says whether people could sign in there. */
        post: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["IssuerTest"];
                    };
                };
            };
        };
    };
    "/v1/lifecycle-hooks": {
        /** The lifecycle hooks, each with its latest execution. Their ETag is that of the document. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["LifecycleHooks"];
                    };
                };
            };
        };
        /** Puts the lifecycle hooks in force; a command hook that is new, changed or switched on waits for a second person. Takes the ETag of those it replaces as If-Match. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PutLifecycleHooks"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["LifecycleHooks"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/lifecycle-hooks/{name}/enabled": {
        /** Switches a hook on or off. A command hook that is switched on waits for a second person. */
        put: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SwitchLifecycleHook"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["LifecycleHookInForce"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/lifecycle-hooks/executions": {
        /** The executions of hooks for thirty days, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    hook?: string;
                    limit?: number;
                    state?: "pending" | "sent" | "succeeded" | "failed" | "refused" | "expired";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["HookExecutionList"];
                    };
                };
            };
        };
    };
    "/v1/lifecycle-hooks/validate": {
        /** Checks hooks that are saved nowhere, and says which of their commands would wait for a second person. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PutLifecycleHooks"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CheckedLifecycleHooks"];
                    };
                };
            };
        };
    };
    "/v1/mcp-servers": {
        /** The upstream MCP servers, which are executors of kind mcp, with the tools that each lists. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["McpServerList"];
                    };
                };
            };
        };
    };
    "/v1/mcp-servers/{environment}/{name}": {
        /** One upstream MCP server, with each definition beside the accepted one. */
        get: {
            parameters: {
                path: {
                    environment: string;
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["McpServer"];
                    };
                };
            };
        };
    };
    "/v1/mcp-servers/{environment}/{name}/look": {
        /** Reads the tools of an upstream MCP server now. It is also done every five minutes. */
        post: {
            parameters: {
                path: {
                    environment: string;
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["McpServer"];
                    };
                };
            };
        };
    };
    "/v1/mcp-servers/{environment}/{name}/tools/{tool}/accept": {
        /** Accepts the definition of a tool, with the risk that you assign. It waits for a second person. */
        post: {
            parameters: {
                path: {
                    environment: string;
                    name: string;
                    tool: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["McpAcceptance"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolChangePlan"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/me": {
        /** The owner of the credential, their tenant, and the scopes of the credential. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
    };
    "/v1/notification-channels": {
        /** The ways in which messages can reach people. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["NotificationChannelList"];
                    };
                };
            };
        };
    };
    "/v1/notification-preferences": {
        /** The kinds of messages that the caller gets on each channel of their own; all of them by default. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["NotificationPreferences"];
                    };
                };
            };
        };
        /** Sets the channels that are named; the others stay as they are. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NotificationPreferencesInput"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["NotificationPreferences"];
                    };
                };
            };
        };
    };
    "/v1/outbox": {
        /** Messages to people, newest first: by default those that could not be delivered. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    state?: "pending" | "delivered" | "failed";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["OutboxPage"];
                    };
                };
            };
        };
    };
    "/v1/outbox/{id}/retry": {
        /** Sends a message again that was given up. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["OutboxMessage"];
                    };
                };
            };
        };
    };
    "/v1/overview": {
        /** Waiting requests, live runs, the time that approvals took, and decisions day by day. */
        get: {
            parameters: {
                query?: {
                    days?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Overview"];
                    };
                };
            };
        };
    };
    "/v1/people": {
        /** The people of the tenant, with their roles; to an agent without their addresses. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    without_issuer?: "true" | "false";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PersonPage"];
                    };
                };
            };
        };
        /** Adds a person to the tenant. They enrol before they can do anything. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPerson"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Person"];
                    };
                };
            };
        };
    };
    "/v1/people/{id}": {
        /** A person, with their roles; to an agent without their address. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Person"];
                    };
                };
            };
        };
        /** Renames, disables or enables a person. Disabling revokes every token of theirs at once. Enabling a person who holds roles waits for a second person. */
        patch: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PersonChange"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Person"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/people/{id}/enrolment": {
        /** Makes the one-time token by which the person gets their own credential. It waits for a second person if the person enrolled before, holds a role, or gets one that waits. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Enrolment"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["WaitingEnrolment"];
                    };
                };
            };
        };
        /** Withdraws an unused invitation, at once. */
        delete: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/people/{id}/enrolment/mailed": {
        /** Mails a first invitation to a person who has not enrolled yet. The link is shown to nobody else. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["MailedInvitation"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["WaitingMailedInvitation"];
                    };
                };
            };
        };
    };
    "/v1/people/{id}/factors/reset": {
        /** Removes every factor and recovery code of a person who lost them. It waits for a second person. You cannot reset your own. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResetFactors"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["FactorsReset"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/people/{id}/roles": {
        /** Assigns a role. It waits for a second person, and voids an unused enrolment token of theirs. You cannot assign one to yourself. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRole"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Person"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/people/{id}/roles/{role}": {
        /** Takes a role away, at once. The last PlatformAdmin keeps theirs. */
        delete: {
            parameters: {
                path: {
                    id: string;
                    role: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/people/{id}/vouch": {
        /** Vouches for a person: they have a vote of their own on requests that open later. The passkey that was compared stays, and everything else that was made in their name ends. Only an admin of another hand can, with a step-up {kind: vouch}. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Vouch"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["VouchedPerson"];
                    };
                };
            };
        };
    };
    "/v1/plans": {
        /** The plans of the tenant, newest first. */
        get: {
            parameters: {
                query?: {
                    agent_id?: string;
                    cursor?: string;
                    environment?: string;
                    from?: string;
                    limit?: number;
                    person_id?: string;
                    search?: string;
                    status?: "draft" | "invalid" | "validated" | "simulated" | "awaiting_approval" | "approved" | "rejected" | "changes_requested" | "expired" | "executing" | "executed" | "superseded" | "withdrawn";
                    target?: string;
                    tool?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PlanPage"];
                    };
                };
            };
        };
    };
    "/v1/plans/{id}": {
        /** A plan: as it was written, as it would be executed, its status, and the reasons for it. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Plan"];
                    };
                };
            };
        };
    };
    "/v1/plans/{id}/approval-requests": {
        /** Asks people to approve a plan. The same question asked again answers with the request that stands. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OpenApprovalRequest"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApprovalRequest"];
                    };
                };
                201: {
                    content: {
                        "application/json": components["schemas"]["ApprovalRequest"];
                    };
                };
            };
        };
    };
    "/v1/plans/{id}/diff": {
        /** The differences of a revision from another of the same task, or from the last executed plan of its kind. */
        get: {
            parameters: {
                query: {
                    against: string | "last_executed";
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PlanDiff"];
                    };
                };
            };
        };
    };
    "/v1/plans/{id}/evidence": {
        /** The proof of the plan, its decisions, approvals and calls, as one file that is checked offline. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EvidenceRequest"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["EvidencePack"];
                    };
                };
            };
        };
    };
    "/v1/plans/{id}/runs": {
        /** Starts a run of a plan that is approved or needs no approval. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
            };
        };
    };
    "/v1/plans/{id}/simulations": {
        /** The simulations of a plan, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SimulationPage"];
                    };
                };
            };
        };
        /** Asks for a prediction of the effects of a plan. Read the simulation until it has a result. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["ExplainedSimulation"];
                    };
                };
            };
        };
    };
    "/v1/plans/{id}/withdraw": {
        /** Takes a plan back; its requests and approvals are voided. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Plan"];
                    };
                };
            };
        };
    };
    "/v1/precedents": {
        /** Searches precedents by words, ids, tools and targets: for agents before they plan, and for people. */
        get: {
            parameters: {
                query?: {
                    argument_keys?: string;
                    environment?: string;
                    limit?: number;
                    targets?: string;
                    text?: string;
                    tools?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PrecedentList"];
                    };
                };
            };
        };
    };
    "/v1/push-subscriptions": {
        /** The push subscriptions of the caller’s browsers. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PushSubscriptionList"];
                    };
                };
            };
        };
        /** Subscribes a browser of the caller to push messages. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PushSubscriptionRequest"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["PushSubscription"];
                    };
                };
            };
        };
    };
    "/v1/push-subscriptions/{id}": {
        /** Ends a push subscription of the caller. */
        delete: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/push-subscriptions/key": {
        /** The public key with which a browser subscribes. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PushKey"];
                    };
                };
            };
        };
    };
    "/v1/queue": {
        /** The open requests that policy lets the caller approve now, and that the caller has not reviewed. Riskiest first, then by number of targets and time left. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Queue"];
                    };
                };
            };
        };
    };
    "/v1/reports/production-changes": {
        /** Every run in production of a period, oldest first, its exceptions, and counts over the same rows; also as CSV. */
        get: {
            parameters: {
                query: {
                    cursor?: string;
                    format?: "json" | "csv";
                    from: string;
                    limit?: number;
                    until: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ProductionChangeReport"];
                        "text/csv": string;
                    };
                };
            };
        };
    };
    "/v1/reports/production-changes/packs": {
        /** An evidence pack for every plan executed in production in a period: one a line (NDJSON), each byte for byte. */
        get: {
            parameters: {
                query: {
                    from: string;
                    until: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/x-ndjson": components["schemas"]["PeriodPackLine"];
                    };
                };
            };
        };
    };
    "/v1/roles": {
        /** The roles of the tenant, each with its sources. With `name`, a warning if that role has no source. */
        get: {
            parameters: {
                query?: {
                    name?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["KnownRoles"];
                    };
                };
            };
        };
    };
    "/v1/runner-calls": {
        /** The calls of a run, or of a single call, that runners fetch; at most 500, in the order of their offers. */
        get: {
            parameters: {
                query: {
                    source_id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RunnerCallList"];
                    };
                };
            };
        };
    };
    "/v1/runner-calls/{id}/output": {
        /** The output of a call on a runner, while it arrives and afterwards. */
        get: {
            parameters: {
                query?: {
                    after?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SeenOutput"];
                    };
                };
            };
        };
    };
    "/v1/runner/dispatches/{id}/output": {
        /** Adds output of a call that the runner took, in order. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunnerOutput"];
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/runner/dispatches/{id}/result": {
        /** Ends a call that the runner took, with its answer. A repetition changes nothing. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunnerResult"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RunnerCallState"];
                    };
                };
            };
        };
    };
    "/v1/runner/dispatches/take": {
        /** Takes the next call of the pool, and waits for one. No other runner gets it. */
        post: {
            parameters: {
                query?: {
                    wait_seconds?: number;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TakeRunnerCall"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RunnerCall"];
                    };
                };
            };
        };
    };
    "/v1/runner/enrol": {
        /** Makes the machine a runner, with the public key that it brings. The one-time token is the credential. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EnrolRunner"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["EnrolledRunner"];
                    };
                };
            };
        };
    };
    "/v1/runner/goodbye": {
        /** Tells that the runner ends: it is offline at once, until it calls again. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunnerGoodbye"];
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/runner/hello": {
        /** Tells the version of the runner, its environments, and the names and schemas of its tools. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunnerHello"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["GreetedRunner"];
                    };
                };
            };
        };
    };
    "/v1/runner/keys": {
        /** Registers a new key of the runner. The proof of this request is signed with the old one. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRunnerKey"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["RunnerKey"];
                    };
                };
            };
        };
    };
    "/v1/runners": {
        /** The runners of the tenant, newest first and at most 500, with the tools that they advertise. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RunnerList"];
                    };
                };
            };
        };
        /** Adds a runner to a pool, with the one-time token that makes a machine this runner. It waits for a second person. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewRunner"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["AddedRunner"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["WaitingRunner"];
                    };
                };
            };
        };
    };
    "/v1/runners/{id}/revoke": {
        /** Revokes a runner and its keys, at once. The calls that it has taken count as unknown. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Runner"];
                    };
                };
            };
        };
    };
    "/v1/runs": {
        /** Runs, newest first. */
        get: {
            parameters: {
                query?: {
                    agent_id?: string;
                    cursor?: string;
                    environment?: string;
                    from?: string;
                    limit?: number;
                    person_id?: string;
                    plan_id?: string;
                    search?: string;
                    state?: "queued" | "executing" | "paused" | "rolling_back" | "completed" | "failed" | "cancelled" | "rolled_back" | "rollback_failed";
                    target?: string;
                    task_id?: string;
                    tool?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RunPage"];
                    };
                };
            };
        };
    };
    "/v1/runs/{id}": {
        /** A run, its steps and attempts, the reason for any wait, and the decision and autonomy line behind it. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RunDetail"];
                    };
                };
            };
        };
    };
    "/v1/runs/{id}/attempts/{attemptId}/report": {
        /** Reports the result of a call that the agent carried out itself; shown as unverified. */
        post: {
            parameters: {
                path: {
                    attemptId: string;
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReportAttempt"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
            };
        };
    };
    "/v1/runs/{id}/cancel": {
        /** Asks a run to end now, without rolling back. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ControlRun"];
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
            };
        };
    };
    "/v1/runs/{id}/events": {
        /** The events of a run in order; with Accept: text/event-stream as they happen, from Last-Event-ID on. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RunEventPage"];
                        "text/event-stream": string;
                    };
                };
            };
        };
    };
    "/v1/runs/{id}/pause": {
        /** Asks a run to pause before its next step. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ControlRun"];
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
            };
        };
    };
    "/v1/runs/{id}/resume": {
        /** Lets a paused run go on; policy is asked again before its next step. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ControlRun"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
            };
        };
    };
    "/v1/runs/{id}/roll-back": {
        /** Asks a run to undo its steps, the last one first. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ControlRun"];
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
            };
        };
    };
    "/v1/runs/{id}/steps/{stepId}/resolve": {
        /** Records the outcome that a person found out about a step with an unknown effect. */
        post: {
            parameters: {
                path: {
                    id: string;
                    stepId: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResolveUnknown"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Run"];
                    };
                };
            };
        };
    };
    "/v1/runs/{id}/work": {
        /** The calls that the agent which submitted the plan carries out itself, each with its grant. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RunWork"];
                    };
                };
            };
        };
    };
    "/v1/schemas/{name}": {
        /** The JSON Schema of a document that people and agents write, for editors. */
        get: {
            parameters: {
                path: {
                    name: "task" | "plan" | "autonomy" | "tool-catalog" | "environments" | "executors" | "automation" | "lifecycle-hooks";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/schema+json": components["schemas"]["JsonSchema"];
                    };
                };
            };
        };
    };
    "/v1/search": {
        /** Finds people, agents, tools and work of every kind by a word, a name or a part of an id. */
        get: {
            parameters: {
                query: {
                    limit?: number;
                    text: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["FindingList"];
                    };
                };
            };
        };
    };
    "/v1/secrets": {
        /** The secrets of the tenant by name and version with their bindings, without their values. For people only. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SecretPage"];
                    };
                };
            };
        };
    };
    "/v1/secrets/{name}": {
        /** Stores the next version of a secret. Older versions stay, for documents that name them. */
        put: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecretValue"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Secret"];
                    };
                };
            };
        };
    };
    "/v1/secrets/{name}/binding": {
        /** Sets the destinations of a secret, for all its versions. A wider binding waits for a second person. */
        put: {
            parameters: {
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BindSecret"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["BoundSecret"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/secrets/rotation": {
        /** Encrypts the tenant’s secrets anew under the current master key, after the operator has made one. */
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SecretRotation"];
                    };
                };
            };
        };
    };
    "/v1/sessions": {
        /** Sessions, newest first: an agent’s own, for people those of the tenant. */
        get: {
            parameters: {
                query?: {
                    agent_id?: string;
                    cursor?: string;
                    limit?: number;
                    state?: "open" | "ended";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SessionList"];
                    };
                };
            };
        };
        /** Opens a session: agents call one tool after another in it, each call decided by itself. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OpenSession"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    "/v1/sessions/{id}": {
        /** A session. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        /** Changes preset, level, mode or budget of calls. A token only tightens; a person loosens in a browser or in Slack. */
        patch: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChangeSession"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    "/v1/sessions/{id}/end": {
        /** Ends a session. Its pending calls are denied. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EndSession"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    "/v1/sessions/{id}/evidence": {
        /** The proof of a session of agents: its calls, decisions and answers, as one file. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EvidenceRequest"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["EvidencePack"];
                    };
                };
            };
        };
    };
    "/v1/sessions/{id}/tool-calls": {
        /** The calls of a session that policies were asked about, newest first, each with its outcome. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    state?: "pending";
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SessionCallList"];
                    };
                };
            };
        };
        /** Asks to make one tool call in a session, under its preset. Answers 201 with the outcome, a deny included. */
        post: {
            parameters: {
                query?: {
                    wait_seconds?: number;
                };
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubmitSessionToolCall"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["ToolCall"];
                    };
                };
            };
        };
    };
    "/v1/sessions/{id}/trusts": {
        /** The trusts of a session, newest first: a person said "always" to calls like these. Those taken back are among them. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SessionTrustList"];
                    };
                };
            };
        };
    };
    "/v1/sessions/{id}/trusts/{trust}": {
        /** Takes an "always" back; the next call asks again. */
        delete: {
            parameters: {
                path: {
                    id: string;
                    trust: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/sessions/{id}/ws": {
        /** A WebSocket that tells of the session as it goes on, from its beginning or after your cursor. It takes commands, too. Pages use their cookie, programs the Authorization header. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": {
                            agentId: string | null;
                            alwaysCovers: {
                                [key: string]: Json;
                            } | null;
                            arguments: {
                                [key: string]: Json;
                            };
                            category: string;
                            class: ("READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION") | null;
                            confirmWord: string | null;
                            cursor?: string;
                            expiresAt: string;
                            id: string;
                            impact: string;
                            reason: string | null;
                            requestId: string;
                            risk: ("low" | "medium" | "high" | "critical") | null;
                            sessionId: string;
                            summary: string;
                            tier: (1 | 2 | 3) | null;
                            timestamp: string;
                            toolCallId: string;
                            toolName: string;
                            /** @enum {string} */
                            type: "tool_approve_request";
                            /** @enum {number} */
                            v: 1;
                        } | {
                            agentId: string | null;
                            class: ("READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION") | null;
                            cursor?: string;
                            decision: ("auto_approved" | "approved" | "rejected" | "trusted" | "timeout" | "denied" | "cancelled") | null;
                            id: string;
                            risk: ("low" | "medium" | "high" | "critical") | null;
                            sessionId: string;
                            summary: string;
                            tier: (1 | 2 | 3) | null;
                            timestamp: string;
                            toolCallId: string;
                            toolName: string | null;
                            /** @enum {string} */
                            type: "audit_entry";
                            /** @enum {number} */
                            v: 1;
                        } | {
                            seq: number;
                            sessionId: string;
                            /** @enum {string} */
                            stream: "stdout" | "stderr";
                            text: string;
                            toolCallId: string;
                            /** @enum {string} */
                            type: "output";
                            /** @enum {number} */
                            v: 1;
                        } | {
                            cursor?: string;
                            id: string;
                            /** @enum {string} */
                            level: "FULL_AUTO" | "SUPERVISED" | "CAUTIOUS" | "MANUAL";
                            /** @enum {string} */
                            mode: "always-ask" | "ask-on-write" | "ask-on-external" | "allow-safe-readonly";
                            preset: ("tiers" | "levels" | "modes" | "cautious") | null;
                            sessionId: string;
                            timestamp: string;
                            /** @enum {string} */
                            type: "autonomy_changed";
                            /** @enum {number} */
                            v: 1;
                        } | {
                            cursor?: string;
                            id: string;
                            reason: ("closed" | "cancelled" | "idle") | null;
                            sessionId: string;
                            timestamp: string;
                            /** @enum {string} */
                            type: "session_ended";
                            /** @enum {number} */
                            v: 1;
                        } | {
                            action: string;
                            code: string;
                            /** @enum {string} */
                            error: "PROTOCOL_MISMATCH" | "INVALID_MESSAGE" | "REFUSED" | "UNAVAILABLE" | "APPROVAL_TIMEOUT";
                            message: string;
                            sessionId: string;
                            supported?: number[];
                            toolCallId?: string;
                            /** @enum {string} */
                            type: "error";
                            /** @enum {number} */
                            v: 1;
                        };
                    };
                };
            };
        };
    };
    "/v1/set-up": {
        /** The steps that a new tenant needs before a change can be approved and executed, each with its state. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SetUp"];
                    };
                };
            };
        };
    };
    "/v1/shell/classify": {
        /** The verdict on a command line: its tier, its class, and each part with its reasons and its place. Executes nothing. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClassifyShell"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ShellVerdict"];
                    };
                };
            };
        };
    };
    "/v1/siem-collector": {
        /** The SIEM collector: the address that the events of the audit log are sent to as OCSF lines. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SiemCollectorDetail"];
                    };
                };
            };
        };
        /** Names the SIEM collector; another address waits for a second person, and loses the token of the former one. Takes the ETag of the one it replaces as If-Match. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SiemCollectorSettings"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SiemCollector"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
        /** Removes the SIEM collector with its token, at once. */
        delete: {
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/siem-collector/file": {
        /** The progress of the export of the log to a file of the operator. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SiemFile"];
                    };
                };
            };
        };
    };
    "/v1/siem-collector/test": {
        /** Sends a test event to the SIEM collector, after those that wait. After a failure it is tried at once. */
        post: {
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/siem-collector/token": {
        /** Sets the bearer token that the SIEM collector is shown, or removes it. It is never shown again. Takes the ETag of the SIEM collector as If-Match. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionToken"];
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/sign-in/options": {
        /** The ways in which the people of a tenant sign in. A missing tenant has no issuers. */
        get: {
            parameters: {
                query?: {
                    tenant?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SignInOptions"];
                    };
                };
            };
        };
    };
    "/v1/sign-in/passkey": {
        /** Signs in the owner of the passkey, and sets the cookie of a browser session. For pages of Countersign alone. */
        post: {
            parameters: {
                query?: {
                    tenant?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasskeySignIn"];
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/sign-in/passkey/options": {
        /** Begins to sign in with a passkey. Answers with the options for the browser, good for one answer within five minutes. */
        post: {
            parameters: {
                query?: {
                    tenant?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PasskeySignInOptions"];
                    };
                };
            };
        };
    };
    "/v1/simulations/{id}": {
        /** A simulation, its prediction, and the decision that allowed it. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ExplainedSimulation"];
                    };
                };
            };
        };
    };
    "/v1/simulations/accuracy": {
        /** Predictions beside actual results, by tool. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SimulationAccuracy"];
                    };
                };
            };
        };
    };
    "/v1/slack": {
        /** The tenant’s Slack app, workspace, channels and people on duty; no secret is shown. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackSettings"];
                    };
                };
            };
        };
    };
    "/v1/slack/app": {
        /** Enters the credentials of the Slack app that was made from docs/slack-app-manifest.yaml; it waits for a second person. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SlackApp"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackSettings"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/slack/install": {
        /** Begins the installation into a workspace: where to send the admin’s browser, once and within ten minutes. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackInstall"];
                    };
                };
            };
        };
    };
    "/v1/slack/installation": {
        /** Forgets the workspace and the bot’s token. */
        delete: {
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/slack/link": {
        /** Confirms that the Slack user who asked for this link is you. From then on they review as you. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SlackLinkCode"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["SlackLink"];
                    };
                };
            };
        };
    };
    "/v1/slack/link/preview": {
        /** The Slack user that a link would give you, for a look before you confirm it. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SlackLinkCode"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackUser"];
                    };
                };
            };
        };
    };
    "/v1/slack/links": {
        /** The Slack users that are you. Revoke a link’s credential to end it. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackLinkList"];
                    };
                };
            };
        };
    };
    "/v1/slack/routes": {
        /** Sets the channel of each environment and the people on duty; it waits for a second person if somebody is told no longer. */
        put: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SlackRoutes"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackSettings"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/slack/test": {
        /** Asks Slack whether the bot’s token is good and whether it can post in each channel; it posts nothing. */
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SlackTest"];
                    };
                };
            };
        };
    };
    "/v1/step-ups": {
        /** Begins to prove a second factor for one operation. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StartStepUp"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["StepUp"];
                    };
                };
            };
        };
    };
    "/v1/step-ups/{id}/proof": {
        /** Proves a second factor for one operation. The proof counts once, within five minutes. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProveStepUp"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["StepUpProof"];
                    };
                };
            };
        };
    };
    "/v1/tasks": {
        /** The tasks of the tenant, newest first. */
        get: {
            parameters: {
                query?: {
                    agent_id?: string;
                    cursor?: string;
                    environment?: string;
                    from?: string;
                    limit?: number;
                    person_id?: string;
                    search?: string;
                    state?: "created" | "planned" | "executing" | "completed" | "failed" | "cancelled";
                    target?: string;
                    tool?: string;
                    until?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TaskPage"];
                    };
                };
            };
        };
        /** Submits a task: a goal in one environment. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TaskSpecInput"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
    };
    "/v1/tasks/{id}": {
        /** A task, and the latest decision about it. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ExplainedTask"];
                    };
                };
            };
        };
    };
    "/v1/tasks/{id}/cancel": {
        /** Gives a task up before any of it is executed; its live plan is withdrawn, and its requests are voided. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Task"];
                    };
                };
            };
        };
    };
    "/v1/tasks/{id}/changes-asked": {
        /** The changes that people requested of the revisions of a task, the earliest first. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ChangesAskedList"];
                    };
                };
            };
        };
    };
    "/v1/tasks/{id}/plans": {
        /** The revisions of a task, newest first. */
        get: {
            parameters: {
                query?: {
                    agent_id?: string;
                    cursor?: string;
                    environment?: string;
                    from?: string;
                    limit?: number;
                    person_id?: string;
                    search?: string;
                    status?: "draft" | "invalid" | "validated" | "simulated" | "awaiting_approval" | "approved" | "rejected" | "changes_requested" | "expired" | "executing" | "executed" | "superseded" | "withdrawn";
                    target?: string;
                    tool?: string;
                    until?: string;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PlanPage"];
                    };
                };
            };
        };
        /** Submits a revision of how a task is to be done. A valid one takes the place of the one before, and voids its approval. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PlanDocumentInput"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Plan"];
                    };
                };
            };
        };
    };
    "/v1/tokens": {
        /** One’s own tokens, those of one’s agents, and the delegations one issued; a PlatformAdmin with the scope admin sees all. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TokenPage"];
                    };
                };
            };
        };
        /** Mints a further token for oneself: no wider than the credential in use, nor than one’s roles. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewToken"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["MintedToken"];
                    };
                };
            };
        };
    };
    "/v1/tokens/{id}": {
        /** Revokes a token; it opens nothing from then on. */
        delete: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/tool-calls": {
        /** Asks to make one tool call now, without a plan. Answers 201 with the outcome, a deny included. */
        post: {
            parameters: {
                query?: {
                    wait_seconds?: number;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubmitToolCall"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["ToolCall"];
                    };
                };
            };
        };
    };
    "/v1/tool-calls/{id}": {
        /** One call with its answer, or its outcome. */
        get: {
            parameters: {
                query?: {
                    wait_seconds?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolCall"];
                    };
                };
            };
        };
    };
    "/v1/tool-calls/{id}/cancel": {
        /** Takes a call back that is pending, or allowed and not taken up. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolCall"];
                    };
                };
            };
        };
    };
    "/v1/tool-calls/{id}/output": {
        /** The output of a call on a runner or with its agent, while it arrives and afterwards. */
        get: {
            parameters: {
                query?: {
                    after?: number;
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CallOutput"];
                    };
                };
            };
        };
        /** Appends output of a call that the agent makes itself. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AppendCallOutput"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["KeptOutput"];
                    };
                };
            };
        };
    };
    "/v1/tool-calls/{id}/resolve": {
        /** Records the outcome that a person found out about an unknown call. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResolveToolCall"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolCall"];
                    };
                };
            };
        };
    };
    "/v1/tool-calls/{id}/result": {
        /** Reports the result of a call that the agent made itself; shown as unverified. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ReportAttempt"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolCall"];
                    };
                };
            };
        };
    };
    "/v1/tools": {
        /** Every tool that counts now, with its definition. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolList"];
                    };
                };
            };
        };
        /** Makes the tools of the tenant exactly those of a catalog, as YAML or JSON; tools that it leaves out are removed. */
        put: {
            parameters: {
                query?: {
                    dry_run?: "true" | "false";
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ToolCatalog"] | string | unknown;
                    "application/yaml": components["schemas"]["ToolCatalog"] | string | unknown;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolChangePlan"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/tools/{name}": {
        /** A tool with every version it had, newest first. */
        get: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolHistory"];
                    };
                };
            };
        };
        /** Registers a tool, or a new version of it. Refused if it loosens a tool that live plans hold. */
        put: {
            parameters: {
                query?: {
                    dry_run?: "true" | "false";
                };
                path: {
                    name: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ToolDocument"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolChangePlan"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
        /** Removes a tool; its versions stay for plans and evidence. Refused while live plans hold it. */
        delete: {
            parameters: {
                path: {
                    name: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ToolChangePlan"];
                    };
                };
            };
        };
    };
    "/v1/unread-comments": {
        /** Comments that concern the caller and that no page has shown to them, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["UnreadCommentPage"];
                    };
                };
            };
        };
    };
    "/v1/webhooks": {
        /** The webhooks: addresses that events are sent to. */
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookList"];
                    };
                };
            };
        };
        /** Adds a webhook; it waits for a second person. Nothing is sent before POST /v1/webhooks/{id}/secret has shown its secret. */
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookSettings"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
    };
    "/v1/webhooks/{id}": {
        /** One webhook; its ETag is that of its settings. */
        get: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookDetail"];
                    };
                };
            };
        };
        /** Changes a webhook, or switches it on or off; a change that sends events further waits for a second person. Takes its ETag as If-Match. */
        put: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookSettings"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
                202: {
                    content: {
                        "application/json": components["schemas"]["ChangeRequest"];
                    };
                };
            };
        };
        /** Removes a webhook, with its secrets and its delivery log. */
        delete: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                204: {
                };
            };
        };
    };
    "/v1/webhooks/{id}/deliveries": {
        /** The delivery log of a webhook for thirty days, newest first. */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    event?: string;
                    limit?: number;
                    state?: "pending" | "delivered" | "failed";
                };
                path: {
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookDeliveryList"];
                    };
                };
            };
        };
    };
    "/v1/webhooks/{id}/deliveries/{delivery}": {
        /** One delivery, with its attempts and its body. */
        get: {
            parameters: {
                path: {
                    delivery: string;
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    "/v1/webhooks/{id}/deliveries/{delivery}/resend": {
        /** Sends a delivery again, under the same webhook-id. */
        post: {
            parameters: {
                path: {
                    delivery: string;
                    id: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
    "/v1/webhooks/{id}/secret": {
        /** Makes a new secret and shows it once. The last two earlier ones sign beside it for a day; end_earlier=true ends them at once. */
        post: {
            parameters: {
                query?: {
                    end_earlier?: "true" | "false";
                };
                path: {
                    id: string;
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["WebhookSecret"];
                    };
                };
            };
        };
    };
    "/v1/webhooks/{id}/test": {
        /** Sends a tool.test event. */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["WebhookDelivery"];
                    };
                };
            };
        };
    };
}
export interface components {
    schemas: {
        Absence: {
            created_at: string;
            delegate: {
                display_name: string;
                id: string;
            };
            ended_at: string | null;
            from: string;
            id: string;
            in_force: boolean;
            person: {
                display_name: string;
                id: string;
            };
            roles: string[];
            until: string;
        };
        AbsencePage: {
            items: components["schemas"]["Absence"][];
            next_cursor: string | null;
        };
        AcceptInvitation: {
            enrolment_token: string;
            name: string;
            proof?: {
                code: string;
                /** @enum {string} */
                method: "totp" | "recovery_code";
            };
            registration: {
                [key: string]: Json;
            };
        };
        AcceptTool: {
            version: number;
        };
        AcknowledgeIncident: {
            note?: string;
        };
        Actor: {
            credential_id: string | null;
            display_name: string;
            id: string;
            /** @enum {string} */
            kind: "person" | "agent" | "system";
            on_behalf_of: string | null;
        };
        AddedRunner: {
            created_at: string;
            enrolled_at: string | null;
            enrolment_token: string;
            environments: string[];
            expires_at: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            hooks: string[];
            id: string;
            last_seen_at: string | null;
            mcp_servers: {
                name: string;
                problem: string | null;
                tools: number;
            }[];
            name: string;
            no_way_back: string | null;
            pool: string;
            revoked_at: string | null;
            role_warnings?: string[];
            /** @enum {string} */
            state: "invited" | "online" | "offline" | "revoked";
            tools: components["schemas"]["AdvertisedTool"][];
            version: string | null;
            works_in: string[] | null;
        };
        AdvertisedMcpServer: {
            name: string;
            problem: string | null;
            tools: {
                definition: {
                    [key: string]: Json;
                } | null;
                digest: string | null;
                problem: string | null;
                tool: string;
            }[];
        };
        AdvertisedTool: {
            name: string;
            parameters: {
                [key: string]: Json;
            };
        };
        Agent: {
            created_at: string;
            description: string;
            disabled_at: string | null;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            id: string;
            name: string;
            name_note: string | null;
            owner_id: string;
            role_warnings?: string[];
        };
        AgentChange: {
            description?: string;
            disabled?: boolean;
            name?: string;
            owner_id?: string;
        };
        AgentError: {
            error: string;
            tool?: string;
        };
        AgentPage: {
            items: components["schemas"]["Agent"][];
            next_cursor: string | null;
        };
        AgentReviewers: {
            items: {
                enough: boolean;
                environment: string;
                missing: {
                    count: number;
                    roles: string[];
                }[];
                needed: {
                    count: number;
                    roles: string[];
                }[];
                people: {
                    display_name: string;
                    id: string;
                }[];
                second_factor: boolean;
                tool: string | null;
                warning: string | null;
            }[];
        };
        AppendCallOutput: {
            chunks: {
                /** @enum {string} */
                stream: "stdout" | "stderr";
                text: string;
            }[];
            first_seq: number;
        };
        ApprovalBinding: {
            environment: string;
            executors: {
                [key: string]: string;
            };
            subject: {
                plan: string;
                simulation: string | null;
                task: string;
            } | {
                tool_call: string;
            };
            tools: {
                [key: string]: string;
            };
        };
        ApprovalRequest: {
            approval_expires_at: string | null;
            approved_at: string | null;
            autonomy_line: components["schemas"]["AutonomyLine"] | null;
            autonomy_revision_id: string | null;
            binding: components["schemas"]["ApprovalBinding"];
            binding_digest: string;
            bundle_revision: string;
            claim: components["schemas"]["Claim"] | null;
            closed_at: string | null;
            closed_reason: {
                code: string;
                details?: {
                    [key: string]: string | string[];
                };
                message: string;
            } | null;
            decision: components["schemas"]["Decision"];
            decision_id: string;
            excluded: {
                person_id: string;
                shares_with?: string;
                /** @enum {string} */
                why: "submitter" | "on_behalf_of" | "owner" | "changed" | "same_hand";
            }[];
            expires_at: string;
            headline: string;
            id: string;
            opened_at: string;
            quorum: components["schemas"]["Quorum"];
            requester: {
                id: string;
                /** @enum {string} */
                kind: "agent" | "person";
                on_behalf_of: string | null;
            };
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            seconds_left: number | null;
            /** @enum {string} */
            start: "on_approval" | "manual" | "at";
            start_after: string | null;
            start_at: string | null;
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            subject: components["schemas"]["AskedSubject"];
        };
        ApprovalRequestDetail: components["schemas"]["PlanRequestDetail"] | components["schemas"]["CallRequestDetail"];
        ApprovalRequestList: {
            items: components["schemas"]["ListedRequest"][];
            next_cursor: string | null;
        };
        ApprovalSlot: {
            count: number;
            roles: string[];
        };
        ApprovalStatistics: {
            /** @enum {string} */
            by: "tool" | "agent" | "person";
            from: string;
            items: {
                approvals: number;
                approvals_after_first_look: number;
                approvals_in_slack: number;
                approved_in_slack_within_five_seconds_of_message: number;
                approved_under_five_seconds: number;
                decided: number;
                key: string;
                median_seconds_to_decision: number | null;
                name: string;
                overridden: number;
                override_rate: number | null;
                p90_seconds_to_decision: number | null;
                reject_rate: number | null;
                rejected: number;
                requests: number;
                share_under_five_seconds: number | null;
            }[];
            until: string;
        };
        ApproverKey: {
            credential_id: string;
            enrolled_at: string;
            factor_id: string;
            fingerprint: string;
            line: string;
            name: string;
            person: {
                display_name: string;
                id: string;
            };
        };
        ApproverKeyList: {
            items: components["schemas"]["ApproverKey"][];
        };
        AskedCall: {
            digest: string;
            id: string;
            session_id: string | null;
            /** @enum {string} */
            type: "tool_call";
        };
        AskedPlan: {
            digest: string;
            id: string;
            /** @enum {string} */
            phases: "all" | "canary" | "promotion";
            simulation_id: string | null;
            task_id: string;
            /** @enum {string} */
            type: "plan";
        };
        AskedSubject: components["schemas"]["AskedPlan"] | components["schemas"]["AskedCall"];
        AskImpact: {
            configuration: components["schemas"]["Configuration"];
            since_days?: number;
        };
        AuditActionList: {
            items: string[];
        };
        AuditEntry: {
            header: components["schemas"]["AuditEntryHeader"];
            payload?: Json;
        };
        AuditEntryHeader: {
            action: string;
            actor: components["schemas"]["Actor"];
            decision_id: string | null;
            evidence: {
                digest: string;
                id: string;
                kind: string;
            }[];
            format: string;
            id: string;
            level: string;
            occurred_at: string;
            payload_digest: string;
            subject: components["schemas"]["SubjectRef"];
            tenant_id: string;
            within: components["schemas"]["SubjectRef"][];
        };
        AuditEntryPage: {
            items: components["schemas"]["AuditEntry"][];
            next_cursor: string | null;
        };
        AuditEpoch: {
            epoch: number;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            role_warnings?: string[];
        };
        AuditKey: {
            key: string;
            name: string;
            valid_from: string;
            valid_to: string | null;
        };
        AuditKeyList: {
            items: components["schemas"]["AuditKey"][];
        };
        AuditKeyRotated: {
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            key: string;
            name: string;
            role_warnings?: string[];
            valid_from: string;
            valid_to: string | null;
        };
        AuditRetention: {
            keep_days: {
                basic: number | null;
                critical: number | null;
                detailed: number | null;
                full: number | null;
                full_with_evidence: number | null;
            };
        };
        AuditRetentionSet: {
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            keep_days: {
                basic: number | null;
                critical: number | null;
                detailed: number | null;
                full: number | null;
                full_with_evidence: number | null;
            };
            role_warnings?: string[];
        };
        Automation: {
            agent_id: string | null;
            author: components["schemas"]["Actor"];
            environment: {
                id: string;
                name: string;
            };
            failures: number;
            id: string;
            name: string;
            next_at: string | null;
            owner_id: string | null;
            proposed_at: string;
            revision: number;
            source: string;
            source_sha256: string;
            /** @enum {string} */
            state: "proposed" | "enabled" | "paused" | "disabled";
        };
        AutomationList: {
            items: components["schemas"]["ListedAutomation"][];
            next_cursor: string | null;
        };
        AutomationMessageAnswer: {
            run_id: string | null;
            state: ("queued" | "executing" | "completed" | "failed" | "skipped") | null;
        };
        AutomationPreview: {
            items: {
                at: string;
                audit_entry_id: string | null;
                blocked: {
                    code: string;
                    message: string;
                    step: string;
                    tool: string;
                }[] | null;
                errors: {
                    input: string;
                    message: string;
                }[];
                event: string | null;
                inputs: {
                    [key: string]: string | number | boolean;
                } | null;
                /** @enum {string} */
                trigger: "cron" | "event";
            }[];
            next_cursor: string | null;
        };
        AutomationReading: {
            description: string | null;
            inputs: {
                [key: string]: {
                    [key: string]: Json;
                };
            };
            most_per_hour: number;
            on_blocked: string;
            overlap: string;
            pause_after: number;
            steps: {
                [key: string]: Json;
            }[];
            triggers: {
                [key: string]: Json;
            }[];
        };
        AutomationRun: {
            created_at: string;
            due_at: string;
            error: {
                code: string;
                message: string;
            } | null;
            finished_at: string | null;
            id: string;
            inputs: {
                [key: string]: string | number | boolean;
            };
            occurrence: string;
            revision: number;
            /** @enum {string} */
            state: "queued" | "executing" | "completed" | "failed" | "skipped";
        };
        AutomationRunList: {
            items: components["schemas"]["AutomationRun"][];
            next_cursor: string | null;
        };
        AutomationSecret: {
            earlier_until: string;
            secret: string;
        };
        AutonomyCell: {
            decision: components["schemas"]["Decision"];
            environment: string;
            level: string;
            production: boolean;
            risk: string;
            source: {
                column: number;
                line: number;
            } | null;
            tool: string;
            tool_version: number;
        };
        AutonomyChange: {
            cells: {
                after: components["schemas"]["Decision"];
                before: components["schemas"]["Decision"];
                /** @enum {string} */
                change: "loosens" | "tightens" | "mixed";
                environment: string;
                tool: string;
                what: string[];
            }[];
            changed: boolean;
            diff: string;
            dry_run: boolean;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            loosening: string[];
            loosens: number;
            revision: number | null;
            role_warnings?: string[];
            tightens: number;
            warnings: {
                code: string;
                column?: number;
                line?: number;
                message: string;
                pointer: string;
                suggestion?: string;
            }[];
        };
        AutonomyLine: {
            column: number;
            line: number;
            revision: number;
        };
        AutonomyMatrix: {
            bundle_revision: string;
            cells: components["schemas"]["AutonomyCell"][];
            freezes: components["schemas"]["FreezeView"][];
            revision: number | null;
        };
        AutonomyRevision: {
            created_at: string;
            created_by: {
                display_name: string;
                id: string;
            };
            diff: string;
            digest: string;
            etag: string;
            id: string;
            in_force: boolean;
            number: number;
            source: string;
        };
        AutonomyRevisionPage: {
            items: components["schemas"]["AutonomyRevisionSummary"][];
            next_cursor: string | null;
        };
        AutonomyRevisionSummary: {
            created_at: string;
            created_by: {
                display_name: string;
                id: string;
            };
            digest: string;
            id: string;
            in_force: boolean;
            number: number;
        };
        BindSecret: {
            binding: components["schemas"]["SecretBinding"] | null;
        };
        BlockedSteps: {
            blocked: {
                code: string;
                message: string;
                step: string;
                tool: string;
            }[];
        };
        BootstrapAnswer: {
            enrolment: components["schemas"]["Enrolment"];
            person_id: string;
            tenant_id: string;
        };
        BootstrapRequest: {
            admin: {
                display_name: string;
                email: string;
            };
            bootstrap_token: string;
            tenant: {
                name: string;
                slug: string;
            };
        };
        BoundSecret: {
            binding: {
                environments: string[];
                executors: string[];
                /** @enum {string} */
                purpose: "tool_arguments" | "executor_token" | "sign_in" | "incidents";
                tools: string[];
            } | null;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            name: string;
            role_warnings?: string[];
        };
        BreakGlassAvailability: {
            allowed_roles: string[];
            available: boolean;
            enabled: boolean;
            notified: {
                destinations: components["schemas"]["IncidentDestination"][];
                people: {
                    count: number;
                    reached: number;
                };
            };
            notifies: string[];
            plan_digest: string;
            plan_id: string;
            /** @enum {string} */
            plan_status: "draft" | "invalid" | "validated" | "simulated" | "awaiting_approval" | "approved" | "rejected" | "changes_requested" | "expired" | "executing" | "executed" | "superseded" | "withdrawn";
            reasons: components["schemas"]["Reason"][];
            second_factor_enrolled: boolean;
        };
        BreakGlassInvoked: {
            incident_id: string;
            run_id: string;
        };
        BrowserSession: {
            address: string;
            authenticated_at: string;
            created_at: string;
            current: boolean;
            expires_at: string;
            id: string;
            issuer: string | null;
            last_used_at: string | null;
            passkey: string | null;
            user_agent: string;
        };
        BrowserSessionList: {
            items: components["schemas"]["BrowserSession"][];
        };
        CallDecision: {
            actor: components["schemas"]["Actor"];
            agent_id: string | null;
            class: ("READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION") | null;
            command: string | null;
            decision: ("auto_approved" | "approved" | "rejected" | "trusted" | "timeout" | "denied" | "cancelled") | null;
            environment: string | null;
            id: string;
            occurred_at: string;
            risk: ("low" | "medium" | "high" | "critical") | null;
            session_id: string | null;
            summary: string;
            tier: (1 | 2 | 3) | null;
            tool: string | null;
            tool_call_id: string;
        };
        CallDecisionPage: {
            items: components["schemas"]["CallDecision"][];
            next_cursor: string | null;
        };
        CallOutput: {
            chunks: {
                seq: number;
                /** @enum {string} */
                stream: "stdout" | "stderr";
                text: string;
            }[];
            cut: boolean;
            open: boolean;
        };
        CallRequestDetail: {
            approval_expires_at: string | null;
            approved_at: string | null;
            autonomy_line: components["schemas"]["AutonomyLine"] | null;
            autonomy_revision_id: string | null;
            binding: components["schemas"]["ApprovalBinding"];
            binding_digest: string;
            bundle_revision: string;
            call: {
                always_covers: {
                    [key: string]: Json;
                } | null;
                arguments: {
                    [key: string]: unknown;
                };
                category: string;
                executor: string | null;
                impact: string;
                said_by_the_requester: {
                    reason: string;
                } | null;
                shell: components["schemas"]["ShownLine"] | null;
                targets: string[];
                tool: string;
                version: number;
            };
            changed_since_opened: {
                member: string;
                names: string[];
            }[];
            claim: components["schemas"]["Claim"] | null;
            closed_at: string | null;
            closed_reason: {
                code: string;
                details?: {
                    [key: string]: string | string[];
                };
                message: string;
            } | null;
            could_approve: components["schemas"]["ReviewerCount"] | null;
            decision: components["schemas"]["Decision"];
            decision_id: string;
            environment: {
                id: string;
                name: string;
                production: boolean;
            };
            excluded: {
                person_id: string;
                shares_with?: string;
                /** @enum {string} */
                why: "submitter" | "on_behalf_of" | "owner" | "changed" | "same_hand";
            }[];
            expires_at: string;
            headline: string;
            id: string;
            may_review: {
                action: string | null;
                /** @enum {string} */
                outcome: "allow" | "deny";
                reasons: components["schemas"]["Reason"][];
                shares_vote_with: {
                    display_name: string;
                    id: string;
                }[];
            };
            opened_at: string;
            quorum: components["schemas"]["Quorum"];
            requester: {
                id: string;
                /** @enum {string} */
                kind: "agent" | "person";
                on_behalf_of: string | null;
            };
            reviews: components["schemas"]["Review"][];
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            seconds_left: number | null;
            /** @enum {string} */
            start: "on_approval" | "manual" | "at";
            start_after: string | null;
            start_at: string | null;
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            subject: components["schemas"]["AskedCall"];
            ways_to_a_vote: string | null;
        };
        ChangeAutomation: {
            source: string;
            source_sha256: string;
        };
        ChangeDetail: {
            cells?: {
                after: string;
                before: string;
                /** @enum {string} */
                change: "loosens" | "tightens" | "mixed";
                environment: string;
                tool: string;
                what: string[];
            }[];
            cells_changed?: number;
            diff?: string;
        } & {
            [key: string]: unknown;
        };
        ChangeInWords: {
            after: string | null;
            before: string | null;
            what: string;
            where: string;
        };
        /** @enum {string} */
        ChangeKind: "autonomy" | "tool_catalog" | "role_assignment" | "executor" | "environment" | "factor_reset" | "sign_in" | "enrolment" | "person_enabled" | "agent_owner" | "incident_settings" | "slack_app" | "slack_workspace" | "slack_routes" | "audit_retention" | "audit_epoch" | "audit_key" | "secret_binding" | "runner" | "automation_safe_tool" | "webhook" | "lifecycle_hook" | "siem_collector" | "embedder";
        ChangeRequest: {
            change: {
                [key: string]: unknown;
            };
            change_digest: string;
            closed_at: string | null;
            closed_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            } | null;
            closed_reason: string | null;
            confirmers: {
                display_name: string;
                id: string;
                known_by?: string[];
            }[];
            detail: components["schemas"]["ChangeDetail"];
            expires_at: string;
            id: string;
            kind: components["schemas"]["ChangeKind"];
            loosens: string[];
            mfa_method: ("passkey" | "totp" | "recovery_code") | null;
            opened_at: string;
            reason: string;
            requested_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            };
            required_role: string;
            role_warnings?: string[];
            state: components["schemas"]["ChangeState"];
            subject: {
                id: string;
                type: string;
            };
            what: string;
            you: {
                may_confirm: boolean;
                why_not: {
                    action?: string;
                    code: string;
                    message: string;
                } | null;
            };
        };
        ChangeRequestPage: {
            items: components["schemas"]["ChangeRequest"][];
            next_cursor: string | null;
        };
        ChangesAsked: {
            comment: string;
            created_at: string;
            person: {
                display_name: string;
                id: string;
            };
            plan_id: string;
            request_id: string;
            revision: number;
        };
        ChangesAskedList: {
            items: components["schemas"]["ChangesAsked"][];
        };
        ChangeSession: {
            call_budget?: number;
            /** @enum {string} */
            level?: "FULL_AUTO" | "SUPERVISED" | "CAUTIOUS" | "MANUAL";
            /** @enum {string} */
            mode?: "always-ask" | "ask-on-write" | "ask-on-external" | "allow-safe-readonly";
            preset?: ("tiers" | "levels" | "modes" | "cautious") | null;
        };
        /** @enum {string} */
        ChangeState: "open" | "applied" | "rejected" | "withdrawn" | "expired" | "voided";
        CheckedLifecycleHooks: {
            loosens: string[];
        };
        Checkpoint: {
            epoch: number;
            key_name: string;
            note: string;
            published_at: string | null;
            published_outside: boolean;
            root_hash: string;
            signed_at: string;
            tree_size: number;
        };
        Claim: {
            claimed_at: string;
            expires_at: string;
            person: {
                display_name: string;
                id: string;
            };
        };
        ClassifyShell: {
            command: string;
            /** @enum {string} */
            shell?: "bash" | "sh" | "zsh" | "unknown";
        };
        Comment: {
            about: {
                id: string;
                /** @enum {string} */
                type: "approval_request" | "change_request";
            };
            author: {
                display_name: string;
                id: string;
                /** @enum {string} */
                kind: "person" | "agent";
            };
            body: string;
            created_at: string;
            id: string;
            on_behalf_of: string | null;
            /** @enum {string} */
            via: "api" | "slack";
        };
        CommentPage: {
            items: components["schemas"]["Comment"][];
            next_cursor: string | null;
        };
        Compensation: {
            arguments: components["schemas"]["ToolArguments"];
            tool: string;
        };
        Configuration: {
            autonomy?: string;
            environments?: string;
            executors?: string;
            tools?: string;
        };
        ConfigurationChange: {
            /** @enum {string} */
            change: "create" | "update" | "unchanged";
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            name: string;
            role_warnings?: string[];
            waits?: components["schemas"]["ChangeRequest"];
            what: string;
        };
        ConfigurationChanges: {
            changes: components["schemas"]["ConfigurationChange"][];
        };
        ConfigurationCheck: {
            autonomy: components["schemas"]["AutonomyChange"] | null;
            environments: components["schemas"]["ConfigurationChange"][] | null;
            executors: components["schemas"]["ConfigurationChange"][] | null;
            loosens: {
                /** @enum {string} */
                part: "environments" | "tools" | "executors" | "autonomy";
                what: string;
            }[];
            refused: {
                /** @enum {string} */
                part: "environments" | "tools" | "executors" | "autonomy";
                problem: components["schemas"]["Problem"];
            } | null;
            tools: components["schemas"]["ToolChangePlan"] | null;
        };
        ConfirmChange: {
            change_digest: string;
            step_up_id?: string;
        };
        ConfirmIssuer: {
            settings_revision: number;
            step_up_id?: string;
        };
        ConfirmTotp: {
            code: string;
        };
        ConnectionToken: {
            token: string | null;
        };
        ConsistencyProof: {
            epoch: number;
            first: number;
            proof: string[];
            second: number;
        };
        ControlRun: {
            note?: string;
        };
        CreateHalt: {
            /** @enum {string} */
            kind: "tenant";
            reason: string;
        } | {
            environment: string;
            /** @enum {string} */
            kind: "environment";
            reason: string;
        } | {
            agent_id: string;
            /** @enum {string} */
            kind: "agent";
            reason: string;
        } | {
            /** @enum {string} */
            kind: "tool";
            reason: string;
            tool: string;
        };
        CurrentBrowserSession: components["schemas"]["SignedInBrowserSession"] | {
            /** @enum {boolean} */
            signed_in: false;
        };
        Decision: {
            effective: components["schemas"]["EffectiveAutonomy"];
            obligations: components["schemas"]["Obligations"];
            outcome: components["schemas"]["Outcome"];
            reasons: components["schemas"]["Reason"][];
        };
        EffectiveAutonomy: {
            /** @enum {string} */
            mode: "plan_only" | "canary_only" | "full_auto";
            source: string;
        };
        Embedder: {
            answered_at: string | null;
            ca: string | null;
            created_at: string;
            created_by: string;
            dimensions: number | null;
            error: string | null;
            error_at: string | null;
            etag: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            has_token: boolean;
            id: string;
            model: string;
            role_warnings?: string[];
            url: string;
        };
        EmbedderAtWork: {
            answered_at: string | null;
            ca: string | null;
            created_at: string;
            created_by: string;
            dimensions: number | null;
            error: string | null;
            error_at: string | null;
            etag: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            has_token: boolean;
            id: string;
            model: string;
            next_try_at: string | null;
            role_warnings?: string[];
            url: string;
            waiting: number;
        };
        EmbedderSettings: {
            ca?: string | null;
            dimensions?: number | null;
            model: string;
            url: string;
        };
        EmbedderTest: {
            dimensions: number | null;
            error: string | null;
        };
        EnableAutomation: {
            source_sha256: string;
        };
        EndSession: {
            /** @enum {string} */
            reason?: "closed" | "cancelled";
        };
        EnrolledRunner: {
            key_id: string;
            name: string;
            pool: string;
            runner_id: string;
            tenant_id: string;
        };
        Enrolment: {
            enrolment_token: string;
            expires_at: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            invitation_url: string;
            role_warnings?: string[];
        };
        EnrolmentExchange: {
            enrolment_token: string;
            expires_in_days?: number;
            name: string;
            scopes?: components["schemas"]["Scope"][];
        };
        EnrolRunner: {
            public_key: string;
            token: string;
            version: string;
        };
        EnrolTotp: {
            name?: string;
            step_up_id?: string;
        };
        Environment: {
            created_at: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            id: string;
            name: string;
            production: boolean;
            role_warnings?: string[];
            updated_at: string;
            version: number;
        };
        EnvironmentChange: {
            production: boolean;
        };
        EnvironmentPage: {
            items: components["schemas"]["Environment"][];
            next_cursor: string | null;
        };
        EnvironmentsDocument: {
            environments: {
                [key: string]: components["schemas"]["EnvironmentChange"];
            };
        };
        EvidencePack: {
            format: string;
        } & {
            [key: string]: unknown;
        };
        EvidenceRequest: {
            held?: string[];
        };
        Executor: {
            audience: string;
            destination: string;
            digest: string;
            environment: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            id: string;
            kind: string;
            name: string;
            role_warnings?: string[];
            secret: string | null;
            settings: {
                [key: string]: string | number | boolean;
            };
            shared_audience: boolean;
            updated_at: string;
            url: string | null;
            version: number;
        };
        ExecutorDocument: {
            audience?: string;
            kind: string;
            secret?: string | null;
            shared_audience?: boolean;
            url?: string;
        } & {
            [key: string]: (string | number | boolean) | null;
        };
        ExecutorKind: {
            /** @enum {string} */
            answered_by: "executor" | "agent";
            kind: string;
            settings: {
                properties: {
                    [key: string]: {
                        description?: string;
                        title?: string;
                        type?: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
                required: string[];
            } & {
                [key: string]: unknown;
            };
            title: string;
        };
        ExecutorKindList: {
            items: components["schemas"]["ExecutorKind"][];
        };
        ExecutorList: {
            executors: components["schemas"]["Executor"][];
        };
        ExecutorsDocument: {
            executors: {
                [key: string]: {
                    [key: string]: components["schemas"]["ExecutorDocument"];
                };
            };
        };
        ExpandedPlan: {
            distinct_targets: string[];
            environment: {
                digest: string;
                id: string;
                name: string;
            };
            /** @enum {string} */
            format: "countersign.plan/v1";
            phases: {
                batches: {
                    calls: {
                        compensate_with: {
                            arguments: {
                                [key: string]: Json;
                            };
                            arguments_digest: string;
                            executor: {
                                digest: string;
                                name: string;
                            };
                            paths?: {
                                /** @enum {string} */
                                class: "READ_ONLY" | "WRITE" | "UNKNOWN";
                                reads: string[];
                                /** @enum {string} */
                                risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
                                /** @enum {number} */
                                tier: 1 | 2;
                                writes: string[];
                            };
                            shell?: {
                                argument: string;
                                /** @enum {string} */
                                class: "READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION";
                                /** @enum {string} */
                                risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
                                /** @enum {string} */
                                shell: "bash" | "sh" | "zsh" | "unknown";
                                /** @enum {number} */
                                tier: 1 | 2;
                                tree: string;
                            };
                            targets: string[];
                            tool: {
                                digest: string;
                                name: string;
                                version: number;
                            };
                        } | null;
                        invocation: {
                            arguments: {
                                [key: string]: Json;
                            };
                            arguments_digest: string;
                            executor: {
                                digest: string;
                                name: string;
                            };
                            paths?: {
                                /** @enum {string} */
                                class: "READ_ONLY" | "WRITE" | "UNKNOWN";
                                reads: string[];
                                /** @enum {string} */
                                risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
                                /** @enum {number} */
                                tier: 1 | 2;
                                writes: string[];
                            };
                            shell?: {
                                argument: string;
                                /** @enum {string} */
                                class: "READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION";
                                /** @enum {string} */
                                risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
                                /** @enum {string} */
                                shell: "bash" | "sh" | "zsh" | "unknown";
                                /** @enum {number} */
                                tier: 1 | 2;
                                tree: string;
                            };
                            targets: string[];
                            tool: {
                                digest: string;
                                name: string;
                                version: number;
                            };
                        };
                        /** @enum {string} */
                        on_failure: "pause" | "rollback" | "retry";
                        seq: number;
                        step_id: string;
                    }[];
                    health_checks: {
                        invocation: {
                            arguments: {
                                [key: string]: Json;
                            };
                            arguments_digest: string;
                            executor: {
                                digest: string;
                                name: string;
                            };
                            paths?: {
                                /** @enum {string} */
                                class: "READ_ONLY" | "WRITE" | "UNKNOWN";
                                reads: string[];
                                /** @enum {string} */
                                risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
                                /** @enum {number} */
                                tier: 1 | 2;
                                writes: string[];
                            };
                            shell?: {
                                argument: string;
                                /** @enum {string} */
                                class: "READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION";
                                /** @enum {string} */
                                risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
                                /** @enum {string} */
                                shell: "bash" | "sh" | "zsh" | "unknown";
                                /** @enum {number} */
                                tier: 1 | 2;
                                tree: string;
                            };
                            targets: string[];
                            tool: {
                                digest: string;
                                name: string;
                                version: number;
                            };
                        };
                        name: string;
                    }[];
                    index: number;
                    targets: string[];
                }[];
                canary: boolean;
                index: number;
                name: string;
                rollback_if: string | null;
                wait_seconds: number;
            }[];
            revision: number;
            task_id: string;
        };
        ExplainedSimulation: {
            created_at: string;
            digest: string | null;
            expires_at: string | null;
            explanation: components["schemas"]["Explanation"] | null;
            failure: {
                code: string;
                message: string;
            } | null;
            finished_at: string | null;
            id: string;
            plan_digest: string;
            plan_id: string;
            requested_by: components["schemas"]["Submitter"];
            result: components["schemas"]["PlanSimulationResult"] | null;
            stale_reason: {
                code: string;
                details?: {
                    run_id: string;
                };
                message: string;
            } | null;
            started_at: string | null;
            /** @enum {string} */
            state: "pending" | "running" | "succeeded" | "failed" | "stale";
        };
        ExplainedTask: {
            created_at: string;
            digest: string;
            explanation: components["schemas"]["Explanation"] | null;
            headline: string | null;
            id: string;
            plan_risk: ("low" | "medium" | "high" | "critical") | null;
            spec: components["schemas"]["TaskSpec"];
            /** @enum {string} */
            state: "created" | "planned" | "executing" | "completed" | "failed" | "cancelled";
            submitted_by: components["schemas"]["Submitter"];
            updated_at: string;
        };
        Explanation: {
            autonomy_line: components["schemas"]["AutonomyLine"] | null;
            bundle_revision: string;
            decided_at: string;
            decision: components["schemas"]["Decision"];
            decision_id: string;
        };
        Factor: {
            confirmed_at: string | null;
            created_at: string;
            id: string;
            /** @enum {string} */
            kind: "totp" | "passkey";
            last_used_at: string | null;
            name: string;
            /** @enum {string} */
            state: "pending" | "active";
            synchronised: boolean;
        };
        FactorEnrolled: {
            factor: components["schemas"]["Factor"];
            recovery_codes: string[] | null;
        };
        FactorList: {
            items: components["schemas"]["Factor"][];
            recovery_codes_left: number;
        };
        FactorsReset: {
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            removed: number;
            role_warnings?: string[];
        };
        Finding: {
            at: string;
            environment: {
                name: string;
                production: boolean;
            } | null;
            id: string;
            /** @enum {string} */
            kind: "person" | "agent" | "tool" | "request" | "run" | "plan" | "task" | "incident";
            said: string | null;
            state: string | null;
            title: string;
        };
        FindingList: {
            items: components["schemas"]["Finding"][];
        };
        FreezeView: {
            active: boolean;
            environments: string[] | null;
            from: string | null;
            may_pass: string[];
            name: string;
            source: {
                column: number;
                line: number;
            } | null;
            time_zone: string;
            tools: string[] | null;
            until: string | null;
        };
        GrantClaims: {
            arguments_digest: string;
            attempt: number;
            aud: string;
            /** @enum {string} */
            basis: "approval" | "policy" | "break_glass" | "simulation" | "rollback" | "health_check";
            environment: string;
            exp: number;
            iat: number;
            iss: string;
            jti: string;
            mcp?: {
                digest: string;
                server: string;
                tool: string;
            };
            plan_digest: string | null;
            session?: string;
            shell: {
                /** @enum {string} */
                shell: "bash" | "sh" | "zsh" | "unknown";
                /** @enum {number} */
                tier: 1 | 2;
                tree: string;
            } | null;
            source: {
                id: string;
                /** @enum {string} */
                type: "run" | "simulation" | "tool_call" | "lifecycle_hook";
            };
            step: string;
            tenant: string;
            tool: string;
            tool_version: number;
        };
        GreetedRunner: {
            ended_sessions: string[];
            environments: string[];
        };
        Halt: {
            active: boolean;
            agent_id: string | null;
            created_at: string;
            created_by: components["schemas"]["Actor"];
            effect: {
                denied_calls: string[];
                in_flight: components["schemas"]["InFlightCall"][];
                paused_runs: string[];
                revoked_grants: number;
            };
            environment: {
                id: string;
                name: string;
            } | null;
            id: string;
            /** @enum {string} */
            kind: "tenant" | "environment" | "agent" | "tool";
            lift_note: string | null;
            lifted_at: string | null;
            lifted_by: components["schemas"]["Actor"] | null;
            reason: string;
            tool: string | null;
        };
        HaltList: {
            items: components["schemas"]["Halt"][];
            next_cursor: string | null;
        };
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        HealthCheck: {
            arguments: components["schemas"]["ToolArguments"];
            name: string;
            tool: string;
        };
        HookExecution: {
            attempts: number;
            call: {
                arguments: string[];
                program: string;
                timeout_seconds: number;
                variables: {
                    [key: string]: string;
                };
            } | null;
            created_at: string;
            entry_id: string;
            environment: string | null;
            event: string;
            exit_status: number | null;
            fault: {
                code: string;
                message: string;
            } | null;
            hook: string;
            id: string;
            /** @enum {string} */
            kind: "log" | "command";
            output: string | null;
            pool: string | null;
            settled_at: string | null;
            /** @enum {string} */
            state: "pending" | "sent" | "succeeded" | "failed" | "refused" | "expired";
        };
        HookExecutionList: {
            items: components["schemas"]["HookExecution"][];
            next_cursor: string | null;
        };
        ImpactCell: {
            environment: string;
            from: components["schemas"]["Outcome"];
            gains: ("looser" | "never_satisfiable" | "always_allowed")[];
            in_force: boolean;
            /** @enum {string} */
            mode: "plan_only" | "canary_only" | "full_auto";
            to: components["schemas"]["Outcome"];
            tool: string;
            what: string[];
        };
        ImpactCellPage: {
            items: components["schemas"]["ImpactCell"][];
            next_cursor: string | null;
        };
        ImpactGroup: {
            agent: {
                id: string;
                name: string;
            } | null;
            /** @enum {string} */
            change: "loosens" | "tightens" | "mixed";
            count: number;
            entrypoint: string;
            environment: string | null;
            estimate: number;
            examples: {
                decided_at: string;
                decision_id: string;
                page: {
                    name: string;
                    path: string;
                };
                subject: {
                    id: string;
                    type: string;
                };
                within: {
                    id: string;
                    type: string;
                }[];
            }[];
            from: components["schemas"]["Outcome"];
            rules_come: {
                code: string;
                rule: string;
            }[];
            rules_go: {
                code: string;
                rule: string;
            }[];
            rules_otherwise: {
                /** @enum {string} */
                asks: "approvals" | "mfa" | "phases" | "valid_minutes" | "confirm_word" | "audit_level";
                rule: string;
            }[];
            stage: string | null;
            to: components["schemas"]["Outcome"];
            tools: string[];
            what: string[];
        };
        ImpactReport: {
            beyond_cells: string[];
            bundle_revision: string | null;
            by: {
                agent: {
                    changed: number;
                    changed_estimate: number;
                    looser: number;
                    looser_estimate: number;
                    name: string;
                }[];
                environment: {
                    changed: number;
                    changed_estimate: number;
                    looser: number;
                    looser_estimate: number;
                    name: string;
                }[];
                tool: {
                    changed: number;
                    changed_estimate: number;
                    looser: number;
                    looser_estimate: number;
                    name: string;
                }[];
            };
            cell_counts: {
                found: number;
                looser: number;
            };
            cells: components["schemas"]["ImpactCell"][];
            change_id: string | null;
            created_at: string;
            decisions: {
                changed: number;
                looser: number;
                not_put: number;
                otherwise_today: number;
                same: number;
                total: number;
                uncounted: number;
                uncounted_looser: number;
                ungrouped: number;
                ungrouped_looser: number;
                untouched: number;
            };
            estimates: {
                changed: number;
                looser: number;
                not_put: number;
                otherwise_today: number;
                same: number;
                uncounted: number;
                uncounted_looser: number;
                ungrouped: number;
                ungrouped_looser: number;
                untouched: number;
            };
            failure: {
                action: string;
                code: string;
                message: string;
            } | null;
            finished_at: string | null;
            group_count: number;
            groups: components["schemas"]["ImpactGroup"][];
            id: string;
            left_out: {
                agent: number;
                environment: number;
                tool: number;
            };
            looser: boolean;
            months_away: string[];
            not_put: {
                count: number;
                estimate: number;
                examples: {
                    decided_at: string;
                    decision_id: string;
                    page: {
                        name: string;
                        path: string;
                    };
                    subject: {
                        id: string;
                        type: string;
                    };
                    within: {
                        id: string;
                        type: string;
                    }[];
                }[];
                what: string;
                /** @enum {string} */
                why: "arguments_needed" | "masked" | "altered" | "malformed" | "invalid_input";
            }[];
            outdated: boolean;
            /** @enum {string} */
            phase: "waiting" | "working" | "outdated" | "done" | "cancelled" | "failed";
            progress: {
                looked: number;
                to_look_at: number;
            };
            renewals: number;
            sample: {
                chosen: number;
                entrypoint: string;
                outcome: string;
                total: number;
            }[] | null;
            since: string;
            summary: string;
            until: string;
        };
        Inbox: {
            count: number;
            items: components["schemas"]["InboxItem"][];
            more: boolean;
            standing_in: components["schemas"]["Absence"][];
        };
        InboxItem: {
            /** @enum {string} */
            kind: "request";
            request: components["schemas"]["QueuedRequest"];
        } | {
            /** @enum {string} */
            kind: "start";
            request: components["schemas"]["ListedPlanRequest"];
        } | {
            /** @enum {string} */
            duty: "acknowledge" | "resolve" | "review";
            incident: components["schemas"]["Incident"];
            /** @enum {string} */
            kind: "incident";
        } | {
            change: components["schemas"]["ChangeRequest"];
            /** @enum {string} */
            kind: "change";
        };
        Incident: {
            acknowledged_at: string | null;
            acknowledged_by: {
                display_name: string;
                id: string;
            } | null;
            decision_id: string;
            environment: {
                id: string;
                name: string;
                production: boolean;
            };
            headline: string | null;
            id: string;
            invoked_by: {
                display_name: string;
                id: string;
            };
            justification: string;
            notifies: string[];
            opened_at: string;
            overdue: boolean;
            plan_digest: string;
            plan_id: string;
            plan_risk: ("low" | "medium" | "high" | "critical") | null;
            post_mortem: string | null;
            resolved_at: string | null;
            resolved_by: {
                display_name: string;
                id: string;
            } | null;
            review_comment: string | null;
            review_due_at: string;
            reviewed_at: string | null;
            reviewed_by: {
                display_name: string;
                id: string;
            } | null;
            run_id: string;
            /** @enum {string} */
            run_state: "queued" | "executing" | "paused" | "rolling_back" | "completed" | "failed" | "cancelled" | "rolled_back" | "rollback_failed";
            second_factor: {
                /** @enum {string} */
                method: "passkey" | "totp" | "recovery_code";
                proved_at: string;
            };
            /** @enum {string} */
            state: "open" | "acknowledged" | "resolved" | "reviewed";
            task_id: string;
        };
        IncidentDestination: {
            addresses: {
                address: string;
                answered_at: string | null;
                channel: string | null;
                error: string | null;
                tested_at: string | null;
            }[];
            name: string;
            /** @enum {string} */
            reach: "answers" | "silent" | "untested" | "unmapped";
        };
        IncidentDestinationList: {
            items: components["schemas"]["IncidentDestination"][];
        };
        IncidentDetail: {
            acknowledged_at: string | null;
            acknowledged_by: {
                display_name: string;
                id: string;
            } | null;
            decision_id: string;
            environment: {
                id: string;
                name: string;
                production: boolean;
            };
            headline: string | null;
            id: string;
            invoked_by: {
                display_name: string;
                id: string;
            };
            justification: string;
            notified: {
                by: string[];
                display_name: string;
                id: string;
            }[];
            notifies: string[];
            opened_at: string;
            overdue: boolean;
            pages: {
                /** @enum {string} */
                action: "trigger" | "acknowledge" | "resolve";
                attempts: number;
                last_error: string | null;
                /** @enum {string} */
                state: "pending" | "sent" | "failed";
            }[];
            plan_digest: string;
            plan_id: string;
            plan_risk: ("low" | "medium" | "high" | "critical") | null;
            post_mortem: string | null;
            resolved_at: string | null;
            resolved_by: {
                display_name: string;
                id: string;
            } | null;
            review_comment: string | null;
            review_due_at: string;
            reviewed_at: string | null;
            reviewed_by: {
                display_name: string;
                id: string;
            } | null;
            run_id: string;
            /** @enum {string} */
            run_state: "queued" | "executing" | "paused" | "rolling_back" | "completed" | "failed" | "cancelled" | "rolled_back" | "rollback_failed";
            second_factor: {
                /** @enum {string} */
                method: "passkey" | "totp" | "recovery_code";
                proved_at: string;
            };
            /** @enum {string} */
            state: "open" | "acknowledged" | "resolved" | "reviewed";
            task_id: string;
            timeline: components["schemas"]["IncidentEvent"][];
            why_not_review: {
                action?: string;
                code: string;
                message: string;
            } | null;
            you_may_review: boolean;
        };
        IncidentEvent: {
            actor: components["schemas"]["Actor"];
            at: string;
            data: Json;
            /** @enum {string} */
            kind: "opened" | "run" | "acknowledged" | "note" | "resolved" | "reviewed" | "overdue" | "page_failed";
            seq: number;
            text: string;
        };
        IncidentList: {
            items: components["schemas"]["Incident"][];
            next_cursor: string | null;
        };
        IncidentPage: {
            /** @enum {string} */
            action: "trigger" | "acknowledge" | "resolve";
            attempts: number;
            created_at: string;
            id: string;
            incident_id: string;
            last_error: string | null;
            /** @enum {string} */
            state: "pending" | "sent" | "failed";
        };
        IncidentPageList: {
            items: components["schemas"]["IncidentPage"][];
            next_cursor: string | null;
        };
        IncidentSettings: {
            destinations: {
                [key: string]: string[];
            };
            pagerduty: {
                routing_key: {
                    $secret: string;
                };
                url?: string;
            } | null;
            review_days: number;
        };
        IncidentSettingsInput: {
            destinations: {
                [key: string]: string[];
            };
            pagerduty?: {
                routing_key: {
                    $secret: string;
                };
                url?: string;
            } | null;
            review_days?: number;
        };
        IncidentSettingsSet: {
            destinations: {
                [key: string]: string[];
            };
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            pagerduty: {
                routing_key: {
                    $secret: string;
                };
                url?: string;
            } | null;
            review_days: number;
            role_warnings?: string[];
        };
        InFlightCall: {
            attempt: number;
            dispatched_at: string;
            run_id: string;
            state: string;
            step_id: string;
            targets: string[];
            tool: string;
        } | {
            attempt: number;
            dispatched_at: string;
            state: string;
            targets: string[];
            tool: string;
            tool_call_id: string;
        };
        Invitation: {
            enrolment_token: string;
            expires_at: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            invitation_url: string;
            person_id: string;
            role_warnings?: string[];
        };
        InvitationAccepted: {
            recovery_codes: string[] | null;
        };
        InvitationSeen: {
            display_name: string;
            email: string;
            expires_at: string;
            options: {
                [key: string]: Json;
            };
            organisation: string;
            proof_required: boolean;
            roles: string[];
        };
        InvokeBreakGlass: {
            justification: string;
            plan_digest: string;
            plan_id: string;
            step_up_id?: string;
        };
        IssuerDescription: {
            algorithms?: ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519")[];
            bearer_scopes?: components["schemas"]["Scope"][];
            client_id: string;
            client_secret?: string | null;
            display_name: string;
            extra_scopes?: string[];
            issuer_url: string;
            link_by_verified_email?: boolean;
            name: string;
            /** @enum {string} */
            provision?: "mapped" | "anybody" | "nobody";
            role_mappings?: {
                role: string;
                value: string;
            }[];
            roles_claim?: string;
        };
        IssuerStanding: {
            /** @enum {string} */
            how: "alone" | "two_people" | "confirmed";
            person: {
                display_name: string;
                id: string;
            };
            words: string;
            you: {
                may_confirm: boolean;
                why_not: {
                    action?: string;
                    code: string;
                    message: string;
                } | null;
            };
        } | null;
        IssuerTest: {
            issuer_url: string;
            keys: number | null;
            problem: string | null;
        };
        JsonSchema: {
            $schema: string;
        } & {
            [key: string]: unknown;
        };
        JsonWebKeySet: {
            keys: {
                /** @enum {string} */
                alg: "EdDSA";
                crv: string;
                kid: string;
                kty: string;
                /** @enum {string} */
                use: "sig";
                x: string;
            }[];
        };
        JudgedAutomation: {
            agent_id: string | null;
            author: components["schemas"]["Actor"];
            blocked: {
                code: string;
                message: string;
                step: string;
                tool: string;
            }[];
            environment: {
                id: string;
                name: string;
            };
            failures: number;
            id: string;
            name: string;
            next_at: string | null;
            owner_id: string | null;
            proposed_at: string;
            revision: number;
            source: string;
            source_sha256: string;
            /** @enum {string} */
            state: "proposed" | "enabled" | "paused" | "disabled";
        };
        KeptOutput: {
            cut: boolean;
            seq: number;
        };
        KnownRoles: {
            items: {
                by: ("standard" | "autonomy" | "issuer" | "held")[];
                role: string;
            }[];
            warnings: string[];
        };
        LifecycleHookInForce: {
            action: {
                message: string;
                /** @enum {string} */
                type: "log";
            } | {
                command: string[];
                runner: {
                    environment: string;
                    pool: string;
                };
                timeout_seconds: number;
                /** @enum {string} */
                type: "command";
                variables: {
                    [key: string]: string;
                };
            };
            created_at: string;
            created_by: string;
            enabled: boolean;
            event: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            latest: components["schemas"]["HookExecution"] | null;
            matcher: string;
            name: string;
            role_warnings?: string[];
        };
        LifecycleHooks: {
            etag: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            items: components["schemas"]["LifecycleHookInForce"][];
            role_warnings?: string[];
            source: string;
        };
        LiftHalt: {
            note: string;
        };
        ListedAutomation: {
            agent_id: string | null;
            author: components["schemas"]["Actor"];
            environment: {
                id: string;
                name: string;
            };
            failures: number;
            id: string;
            last_run: components["schemas"]["AutomationRun"] | null;
            name: string;
            next_at: string | null;
            owner_id: string | null;
            proposed_at: string;
            revision: number;
            source: string;
            source_sha256: string;
            /** @enum {string} */
            state: "proposed" | "enabled" | "paused" | "disabled";
        };
        ListedCallRequest: {
            approval_expires_at: string | null;
            approved_at: string | null;
            autonomy_line: components["schemas"]["AutonomyLine"] | null;
            autonomy_revision_id: string | null;
            binding: components["schemas"]["ApprovalBinding"];
            binding_digest: string;
            bundle_revision: string;
            call: {
                category: string;
                impact: string;
                said_by_the_requester: {
                    reason: string;
                } | null;
                tool: string;
            };
            claim: components["schemas"]["Claim"] | null;
            closed_at: string | null;
            closed_reason: {
                code: string;
                details?: {
                    [key: string]: string | string[];
                };
                message: string;
            } | null;
            decision: components["schemas"]["Decision"];
            decision_id: string;
            environment: {
                id: string;
                name: string;
                production: boolean;
            };
            excluded: {
                person_id: string;
                shares_with?: string;
                /** @enum {string} */
                why: "submitter" | "on_behalf_of" | "owner" | "changed" | "same_hand";
            }[];
            expires_at: string;
            headline: string;
            id: string;
            opened_at: string;
            quorum: components["schemas"]["Quorum"];
            requester: {
                id: string;
                /** @enum {string} */
                kind: "agent" | "person";
                on_behalf_of: string | null;
            };
            reviews: {
                created_at: string;
                person: {
                    display_name: string;
                    id: string;
                };
                /** @enum {string} */
                verdict: "approve" | "reject" | "request_changes";
            }[];
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            seconds_left: number | null;
            /** @enum {string} */
            start: "on_approval" | "manual" | "at";
            start_after: string | null;
            start_at: string | null;
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            subject: components["schemas"]["AskedCall"];
        };
        ListedPlanRequest: {
            approval_expires_at: string | null;
            approved_at: string | null;
            autonomy_line: components["schemas"]["AutonomyLine"] | null;
            autonomy_revision_id: string | null;
            binding: components["schemas"]["ApprovalBinding"];
            binding_digest: string;
            bundle_revision: string;
            claim: components["schemas"]["Claim"] | null;
            closed_at: string | null;
            closed_reason: {
                code: string;
                details?: {
                    [key: string]: string | string[];
                };
                message: string;
            } | null;
            decision: components["schemas"]["Decision"];
            decision_id: string;
            environment: {
                id: string;
                name: string;
                production: boolean;
            };
            excluded: {
                person_id: string;
                shares_with?: string;
                /** @enum {string} */
                why: "submitter" | "on_behalf_of" | "owner" | "changed" | "same_hand";
            }[];
            expires_at: string;
            headline: string;
            id: string;
            opened_at: string;
            quorum: components["schemas"]["Quorum"];
            requester: {
                id: string;
                /** @enum {string} */
                kind: "agent" | "person";
                on_behalf_of: string | null;
            };
            reviews: {
                created_at: string;
                person: {
                    display_name: string;
                    id: string;
                };
                /** @enum {string} */
                verdict: "approve" | "reject" | "request_changes";
            }[];
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            said_by_the_requester: {
                goal: string;
            };
            seconds_left: number | null;
            /** @enum {string} */
            start: "on_approval" | "manual" | "at";
            start_after: string | null;
            start_at: string | null;
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            subject: components["schemas"]["AskedPlan"];
        };
        ListedRequest: components["schemas"]["ListedPlanRequest"] | components["schemas"]["ListedCallRequest"];
        LoggedDecision: {
            bundle_revision: string;
            decided_at: string;
            decision: components["schemas"]["Decision"];
            entrypoint: string;
            id: string;
            input: Json;
            input_digest: string;
            subject: components["schemas"]["SubjectRef"];
            within: components["schemas"]["SubjectRef"][];
        };
        LoggedDecisionPage: {
            items: components["schemas"]["LoggedDecision"][];
            next_cursor: string | null;
        };
        LoggedWebhookDelivery: {
            attempts: number;
            created_at: string;
            event: string;
            id: string;
            next_attempt_at: string | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            tries: {
                answer: string | null;
                at: string;
                error: string | null;
                status: number | null;
            }[];
        };
        LookAtInvitation: {
            enrolment_token: string;
        };
        MailedInvitation: {
            expires_at: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            mailed_to: string;
            person_id: string;
            role_warnings?: string[];
        };
        McpAcceptance: {
            canary?: boolean;
            description?: string;
            digest: string;
            /** @enum {string} */
            effect?: "read" | "modify" | "destructive";
            idempotent: boolean;
            identity_fields?: string[];
            path_arguments?: {
                reads?: string[];
                writes?: string[];
            };
            /** @enum {string} */
            requires_hitl?: "never" | "configurable" | "always";
            requires_plan?: boolean;
            /** @enum {string} */
            risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
            /** @enum {string} */
            scope: "asset" | "environment" | "organization";
            shell?: {
                argument: string;
                /** @enum {string} */
                shell?: "bash" | "sh" | "zsh" | "unknown";
            };
            simulated_by?: string | null;
            /** @enum {string} */
            simulation?: "required" | "not_applicable";
            simulation_secrets?: boolean;
            /** @enum {string} */
            surface?: "asset" | "workspace" | "git" | "terminal" | "network" | "audio";
            time_limit_seconds?: number;
        };
        McpServer: {
            environment: string;
            looked_at: string | null;
            name: string;
            pool: string | null;
            problem: string | null;
            server: string | null;
            tools: {
                accepted_definition: {
                    [key: string]: Json;
                } | null;
                accepted_digest: string | null;
                definition: {
                    [key: string]: Json;
                } | null;
                differs: string[];
                digest: string | null;
                name: string;
                problem: string | null;
                /** @enum {string} */
                standing: "unassigned" | "accepted" | "changed" | "gone" | "unusable";
                tool: string;
                waiting: {
                    change_request_id: string;
                    digest: string;
                } | null;
            }[];
            /** @enum {string} */
            transport: "http" | "stdio";
            url: string | null;
        };
        McpServerList: {
            items: components["schemas"]["McpServer"][];
        };
        Me: {
            credential_id: string;
            display_name: string;
            id: string;
            /** @enum {string} */
            kind: "person" | "agent";
            on_behalf_of: string | null;
            owner_id: string | null;
            roles: {
                counts_from: string;
                role: string;
            }[];
            scopes: components["schemas"]["Scope"][];
            tenant_id: string;
            tenant_slug: string;
        };
        MintedToken: {
            agent_id: string | null;
            created_at: string;
            created_by: string | null;
            expires_at: string;
            id: string;
            /** @enum {string} */
            kind: "person_token" | "agent_token" | "delegation" | "browser_session" | "issuer_token" | "slack_link" | "automation";
            last_used_at: string | null;
            name: string;
            on_behalf_of: string | null;
            person_id: string | null;
            prefix: string;
            revoked_at: string | null;
            scopes: components["schemas"]["Scope"][];
            token: string;
        };
        NewAbsence: {
            delegate_id: string;
            from?: string;
            roles?: string[];
            until: string;
        };
        NewAgent: {
            description?: string;
            name: string;
            owner_id: string;
        };
        NewComment: {
            body: string;
        };
        NewEnvironment: {
            name: string;
            production: boolean;
        };
        NewInvitation: {
            display_name: string;
            email: string;
            roles?: string[];
        };
        NewPerson: {
            display_name: string;
            email: string;
        };
        NewRole: {
            role: string;
        };
        NewRunner: {
            environments: string[];
            name: string;
            pool: string;
        };
        NewRunnerKey: {
            public_key: string;
        };
        NewToken: {
            expires_in_days?: number;
            name: string;
            scopes?: components["schemas"]["Scope"][];
        };
        NoteIncident: {
            text: string;
        };
        NotificationChannelList: {
            items: {
                addresses: string | null;
                missing: string | null;
                name: string;
                title: string;
            }[];
        };
        NotificationPreferences: {
            [key: string]: {
                comments: boolean;
                reminders: boolean;
                requests: boolean;
            };
        };
        NotificationPreferencesInput: {
            [key: string]: {
                comments?: boolean;
                reminders: boolean;
                requests: boolean;
            };
        };
        Obligations: {
            approvals: components["schemas"]["ApprovalSlot"][];
            /** @enum {string} */
            audit_level: "basic" | "detailed" | "full" | "full_with_evidence" | "critical";
            /** @enum {string} */
            confirm_word?: "CONFIRM";
            mfa: boolean;
            /** @enum {string} */
            phases: "all" | "canary";
            valid_minutes: number;
        };
        OpaDecision: {
            bundles: {
                [key: string]: {
                    revision: string;
                };
            };
            decision_id: string;
            input: unknown;
            labels: {
                [key: string]: string;
            };
            path: string;
            result: components["schemas"]["Decision"];
            timestamp: string;
        };
        OpaDecisionPage: {
            items: components["schemas"]["OpaDecision"][];
            next_cursor: string | null;
        };
        OpenApprovalRequest: {
            /** @enum {string} */
            start?: "on_approval" | "manual" | "at";
            start_at?: string;
        };
        OpenInvitations: {
            can_mail: boolean;
            items: {
                /** @enum {string} */
                channel: "shown" | "mailed" | "operator" | "bootstrap";
                created_at: string;
                expires_at: string;
                invited_by: {
                    display_name: string;
                    id: string;
                } | null;
                person: {
                    display_name: string;
                    email: string;
                    id: string;
                };
            }[];
        };
        OpenSession: {
            agent_ids?: string[];
            approval_seconds?: number;
            call_budget?: number;
            calls_per_turn?: number;
            environment: string;
            idle_seconds?: number;
            /** @enum {string} */
            level?: "FULL_AUTO" | "SUPERVISED" | "CAUTIOUS" | "MANUAL";
            /** @enum {string} */
            mode?: "always-ask" | "ask-on-write" | "ask-on-external" | "allow-safe-readonly";
            model?: string;
            preset?: ("tiers" | "levels" | "modes" | "cautious") | null;
        };
        OutboxMessage: {
            attempts: number;
            created_at: string;
            delivered_at: string | null;
            destination: string | null;
            id: string;
            last_error: string | null;
            next_attempt_at: string | null;
            payload: {
                [key: string]: string;
            };
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            topic: string;
        };
        OutboxPage: {
            items: components["schemas"]["OutboxMessage"][];
            next_cursor: string | null;
        };
        /** @enum {string} */
        Outcome: "allow" | "require_approval" | "deny";
        Overview: {
            active_halts: number;
            approval_times: {
                approved: number;
                day: string;
                p50_seconds: number | null;
                p90_seconds: number | null;
            }[];
            decisions: {
                allow: number;
                day: string;
                deny: number;
                require_approval: number;
            }[];
            incidents: {
                open: number;
                overdue: number;
            };
            months_away: string[];
            running: {
                runs: {
                    created_at: string;
                    environment: string;
                    goal: string;
                    headline: string | null;
                    id: string;
                    production: boolean;
                    /** @enum {string} */
                    state: "queued" | "executing" | "paused" | "rolling_back" | "completed" | "failed" | "cancelled" | "rolled_back" | "rollback_failed";
                }[];
                total: number;
            };
            waiting: {
                approvals: number;
                next_expiry: string | null;
                paused_runs: number;
                starts: number;
                unknown_effects: number;
            };
        };
        PasskeyOptionsRequest: {
            step_up_id?: string;
        };
        PasskeyRegistrationOptions: {
            options: {
                [key: string]: Json;
            };
        };
        PasskeySignIn: {
            assertion: {
                id: string;
                response: {
                    clientDataJSON: string;
                    userHandle?: string;
                } & {
                    [key: string]: unknown;
                };
            } & {
                [key: string]: unknown;
            };
        };
        PasskeySignInOptions: {
            options: {
                [key: string]: Json;
            };
        };
        PathVerdict: {
            /** @enum {string} */
            class: "READ_ONLY" | "WRITE" | "UNKNOWN";
            reasons: {
                code: string;
                message: string;
            }[];
            /** @enum {number} */
            tier: 1 | 2;
        };
        PeriodPackLine: {
            format: string;
        } & {
            [key: string]: unknown;
        };
        Person: {
            came_in_at: string | null;
            created_at: string;
            disabled_at: string | null;
            display_name: string;
            email: string | null;
            enrolled_at: string | null;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            id: string;
            name_note: string | null;
            role_warnings?: string[];
            roles: components["schemas"]["RoleAssignment"][];
            standing?: components["schemas"]["Standing"];
        };
        PersonChange: {
            disabled?: boolean;
            display_name?: string;
        };
        PersonPage: {
            items: components["schemas"]["Person"][];
            next_cursor: string | null;
        };
        Plan: {
            created_at: string;
            description: components["schemas"]["PlanDescription"] | null;
            digest: string | null;
            document: components["schemas"]["PlanDocument"];
            errors: {
                code: string;
                column?: number;
                line?: number;
                message: string;
                pointer: string;
                suggestion?: string;
            }[];
            expanded: components["schemas"]["ExpandedPlan"] | null;
            explanation: components["schemas"]["Explanation"] | null;
            headline: string | null;
            id: string;
            plan_risk: ("low" | "medium" | "high" | "critical") | null;
            revision: number;
            /** @enum {string} */
            state: "draft" | "invalid" | "validated" | "superseded" | "withdrawn";
            /** @enum {string} */
            status: "draft" | "invalid" | "validated" | "simulated" | "awaiting_approval" | "approved" | "rejected" | "changes_requested" | "expired" | "executing" | "executed" | "superseded" | "withdrawn";
            submitted_by: components["schemas"]["Submitter"];
            task_id: string;
            updated_at: string;
            words: string[];
        };
        PlanDescription: {
            environment: string;
            headline: string;
            phases: components["schemas"]["ShownPhase"][];
            revision: number;
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            targets: string[];
        };
        PlanDiff: {
            after: {
                digest: string | null;
                id: string;
                revision: number;
            };
            before: {
                digest: string | null;
                id: string;
                revision: number;
            };
            calls: {
                changes: components["schemas"]["ValueChange"][];
                /** @enum {string} */
                kind: "added" | "removed" | "changed";
                phase: string;
                seq_after: number | null;
                seq_before: number | null;
                step_id: string;
                targets: string[];
            }[] | null;
            document: components["schemas"]["ValueChange"][];
            in_words: components["schemas"]["ChangeInWords"][];
            targets: {
                added: string[];
                removed: string[];
            };
        };
        PlanDocument: {
            phases: components["schemas"]["PlanPhase"][];
            summary?: string;
        };
        PlanDocumentInput: {
            phases: components["schemas"]["PlanPhaseInput"][];
            summary?: string;
        };
        PlanPage: {
            items: components["schemas"]["PlanSummary"][];
            next_cursor: string | null;
        };
        PlanPhase: {
            batch_percent: number;
            canary: boolean;
            health_checks: components["schemas"]["HealthCheck"][];
            name: string;
            rollback_if?: string;
            steps: components["schemas"]["PlanStep"][];
            targets: string[];
            wait_seconds: number;
        };
        PlanPhaseInput: {
            batch_percent?: number;
            canary?: boolean;
            health_checks?: components["schemas"]["HealthCheck"][];
            name: string;
            rollback_if?: string;
            steps: components["schemas"]["PlanStepInput"][];
            targets: string[];
            wait_seconds?: number;
        };
        PlanRequestDetail: {
            approval_expires_at: string | null;
            approved_at: string | null;
            autonomy_line: components["schemas"]["AutonomyLine"] | null;
            autonomy_revision_id: string | null;
            binding: components["schemas"]["ApprovalBinding"];
            binding_digest: string;
            bundle_revision: string;
            changed_since_opened: {
                member: string;
                names: string[];
            }[];
            changes_asked: components["schemas"]["ChangesAsked"][];
            changes_since_my_review: {
                approved_at: string;
                bound: {
                    member: string;
                    names: string[];
                }[];
                calls: {
                    changes: components["schemas"]["ValueChange"][];
                    /** @enum {string} */
                    kind: "added" | "removed" | "changed";
                    phase: string;
                    seq_after: number | null;
                    seq_before: number | null;
                    step_id: string;
                    targets: string[];
                }[] | null;
                document: components["schemas"]["ValueChange"][];
                in_words: components["schemas"]["ChangeInWords"][];
                request_id: string;
                targets: {
                    added: string[];
                    removed: string[];
                };
            } | null;
            claim: components["schemas"]["Claim"] | null;
            closed_at: string | null;
            closed_reason: {
                code: string;
                details?: {
                    [key: string]: string | string[];
                };
                message: string;
            } | null;
            could_approve: components["schemas"]["ReviewerCount"] | null;
            decision: components["schemas"]["Decision"];
            decision_id: string;
            description: components["schemas"]["PlanDescription"];
            environment: {
                id: string;
                name: string;
                production: boolean;
            };
            escalation: {
                at: string;
                roles: string[];
                told: boolean;
            } | null;
            excluded: {
                person_id: string;
                shares_with?: string;
                /** @enum {string} */
                why: "submitter" | "on_behalf_of" | "owner" | "changed" | "same_hand";
            }[];
            expires_at: string;
            headline: string;
            id: string;
            may_review: {
                action: string | null;
                /** @enum {string} */
                outcome: "allow" | "deny";
                reasons: components["schemas"]["Reason"][];
                shares_vote_with: {
                    display_name: string;
                    id: string;
                }[];
            };
            opened_at: string;
            plan: components["schemas"]["ExpandedPlan"];
            quorum: components["schemas"]["Quorum"];
            replaced_by: {
                request_id: string;
                revision: number;
                /** @enum {string} */
                state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            } | null;
            replaces: {
                request_id: string;
                revision: number;
                /** @enum {string} */
                state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            } | null;
            requester: {
                id: string;
                /** @enum {string} */
                kind: "agent" | "person";
                on_behalf_of: string | null;
            };
            reviews: components["schemas"]["Review"][];
            revision: number;
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            said_by_the_requester: {
                goal: string;
                words: string[];
            };
            seconds_left: number | null;
            simulation: {
                digest: string;
                id: string;
                result: components["schemas"]["PlanSimulationResult"];
                /** @enum {string} */
                state: "pending" | "running" | "succeeded" | "failed" | "stale";
            } | null;
            /** @enum {string} */
            start: "on_approval" | "manual" | "at";
            start_after: string | null;
            start_at: string | null;
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            subject: components["schemas"]["AskedPlan"];
            ways_to_a_vote: string | null;
        };
        PlanSimulationResult: {
            affected_assets: number;
            details: components["schemas"]["SimulationDetails"];
            estimated_duration_minutes: number;
            health_check_points: string[];
            /** @enum {string} */
            predicted_risk: "low" | "medium" | "high" | "critical";
        };
        PlanStep: {
            arguments: components["schemas"]["ToolArguments"];
            compensate_with?: components["schemas"]["Compensation"];
            id: string;
            /** @enum {string} */
            on_failure: "pause" | "rollback" | "retry";
            tool: string;
        };
        PlanStepInput: {
            arguments: components["schemas"]["ToolArguments"];
            compensate_with?: components["schemas"]["Compensation"];
            id: string;
            /** @enum {string} */
            on_failure?: "pause" | "rollback" | "retry";
            tool: string;
        };
        PlanSummary: {
            created_at: string;
            digest: string | null;
            headline: string | null;
            id: string;
            plan_risk: ("low" | "medium" | "high" | "critical") | null;
            revision: number;
            /** @enum {string} */
            state: "draft" | "invalid" | "validated" | "superseded" | "withdrawn";
            /** @enum {string} */
            status: "draft" | "invalid" | "validated" | "simulated" | "awaiting_approval" | "approved" | "rejected" | "changes_requested" | "expired" | "executing" | "executed" | "superseded" | "withdrawn";
            submitted_by: components["schemas"]["Submitter"];
            task_id: string;
            updated_at: string;
        };
        PossibleReviewers: {
            items: {
                display_name: string;
                id: string;
                known_by: string[];
            }[];
            more: number;
        };
        Precedent: {
            approved_by: {
                display_name: string;
                id: string;
            }[];
            argument_keys: string[];
            because: string | null;
            different: string[];
            ended_as: string;
            ended_at: string;
            /** @enum {string} */
            ending: "good" | "bad" | "refused" | "lapsed";
            environment: {
                id: string;
                name: string;
            };
            equal: string[];
            erased: boolean;
            goal: string | null;
            headline: string | null;
            id: string | null;
            incident_id: string | null;
            opened_at: string;
            phases: ("all" | "canary" | "promotion") | null;
            ranks: {
                meaning: number | null;
                near: number | null;
                structure: number | null;
                words: number | null;
            };
            request_id: string | null;
            run_id: string | null;
            subject: {
                id: string | null;
                /** @enum {string} */
                type: "plan" | "tool_call";
            };
            submitted_by: string | null;
            target_count: number;
            targets: string[];
            task_id: string | null;
            tools: string[];
            unknown_effects: number;
        };
        PrecedentList: {
            items: components["schemas"]["Precedent"][];
            line: string | null;
            searched_by: string;
        };
        PreviewAutomation: {
            automation_id?: string;
            source: string;
        };
        Problem: {
            action?: string;
            code: string;
            detail: string;
            details?: components["schemas"]["ProblemDetails"];
            errors?: {
                code: string;
                column?: number;
                line?: number;
                message: string;
                pointer: string;
                suggestion?: string;
            }[];
            instance: string;
            reasons?: {
                code: string;
                details?: {
                    until: string;
                };
                message: string;
                rule: string;
            }[];
            status: number;
            title: string;
            type: string;
        };
        ProblemDetails: {
            done?: components["schemas"]["ConfigurationChange"][];
            loosens?: string[];
            plans?: string[];
            route?: string;
            tool_call_id?: string;
            what?: string;
        } & {
            [key: string]: unknown;
        };
        ProductionChange: {
            approval_request_id: string | null;
            approvers: {
                at: string;
                id: string;
                name: string;
            }[];
            changing_calls: number;
            environment: string;
            exceptions: ("break_glass" | "without_approval" | "rolled_back" | "failed" | "unknown_effect" | "voided_approval")[];
            finished_at: string | null;
            goal: string;
            headline: string | null;
            incident_id: string | null;
            occurred_at: string;
            on_behalf_of: string | null;
            plan_digest: string;
            plan_id: string;
            requester: {
                id: string;
                /** @enum {string} */
                kind: "agent" | "person";
                name: string;
            };
            run_id: string;
            /** @enum {string} */
            scope: "all" | "canary" | "promotion";
            started_at: string | null;
            /** @enum {string} */
            state: "queued" | "executing" | "paused" | "rolling_back" | "completed" | "failed" | "cancelled" | "rolled_back" | "rollback_failed";
            targets: number;
            task_id: string;
            tools: string[];
        };
        ProductionChangeReport: {
            from: string;
            items: components["schemas"]["ProductionChange"][];
            next_cursor: string | null;
            totals: {
                by_exception: {
                    /** @enum {string} */
                    exception: "break_glass" | "without_approval" | "rolled_back" | "failed" | "unknown_effect" | "voided_approval";
                    runs: number;
                }[];
                by_state: {
                    runs: number;
                    /** @enum {string} */
                    state: "queued" | "executing" | "paused" | "rolling_back" | "completed" | "failed" | "cancelled" | "rolled_back" | "rollback_failed";
                }[];
                changing_calls: number;
                exceptional: number;
                ordinary: number;
                runs: number;
            };
            until: string;
        };
        ProposeAutomation: {
            source: string;
        };
        ProvenAuditEntry: {
            header: components["schemas"]["AuditEntryHeader"];
            payload?: Json;
            proof: {
                checkpoint: components["schemas"]["Checkpoint"];
                epoch: number;
                inclusion: string[];
                leaf_index: number;
            } | null;
            salt: string | null;
        };
        ProveStepUp: {
            code: string;
            /** @enum {string} */
            method: "totp";
        } | {
            code: string;
            /** @enum {string} */
            method: "recovery_code";
        } | {
            assertion: {
                authenticatorAttachment?: string | null;
                clientExtensionResults?: {
                    [key: string]: Json;
                };
                id: string;
                rawId: string;
                response: {
                    authenticatorData: string;
                    clientDataJSON: string;
                    signature: string;
                    userHandle?: string | null;
                };
                /** @enum {string} */
                type: "public-key";
            };
            /** @enum {string} */
            method: "passkey";
        };
        PushKey: {
            public_key: string;
        };
        PushSubscription: {
            created_at: string;
            host: string;
            id: string;
        };
        PushSubscriptionList: {
            items: components["schemas"]["PushSubscription"][];
        };
        PushSubscriptionRequest: {
            endpoint: string;
            keys: {
                auth: string;
                p256dh: string;
            };
        };
        PutLifecycleHooks: {
            source: string;
        };
        Queue: {
            items: components["schemas"]["QueuedRequest"][];
            next_cursor: string | null;
        };
        QueuedCallRequest: {
            approval_expires_at: string | null;
            approved_at: string | null;
            autonomy_line: components["schemas"]["AutonomyLine"] | null;
            autonomy_revision_id: string | null;
            binding: components["schemas"]["ApprovalBinding"];
            binding_digest: string;
            bundle_revision: string;
            call: {
                category: string;
                impact: string;
                said_by_the_requester: {
                    reason: string;
                } | null;
                tool: string;
            };
            claim: components["schemas"]["Claim"] | null;
            closed_at: string | null;
            closed_reason: {
                code: string;
                details?: {
                    [key: string]: string | string[];
                };
                message: string;
            } | null;
            decision: components["schemas"]["Decision"];
            decision_id: string;
            environment: {
                id: string;
                name: string;
                production: boolean;
            };
            excluded: {
                person_id: string;
                shares_with?: string;
                /** @enum {string} */
                why: "submitter" | "on_behalf_of" | "owner" | "changed" | "same_hand";
            }[];
            expires_at: string;
            headline: string;
            id: string;
            opened_at: string;
            quorum: components["schemas"]["Quorum"];
            requester: {
                id: string;
                /** @enum {string} */
                kind: "agent" | "person";
                on_behalf_of: string | null;
            };
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            seconds_left: number | null;
            /** @enum {string} */
            start: "on_approval" | "manual" | "at";
            start_after: string | null;
            start_at: string | null;
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            subject: components["schemas"]["AskedCall"];
        };
        QueuedPlanRequest: {
            approval_expires_at: string | null;
            approved_at: string | null;
            autonomy_line: components["schemas"]["AutonomyLine"] | null;
            autonomy_revision_id: string | null;
            binding: components["schemas"]["ApprovalBinding"];
            binding_digest: string;
            bundle_revision: string;
            claim: components["schemas"]["Claim"] | null;
            closed_at: string | null;
            closed_reason: {
                code: string;
                details?: {
                    [key: string]: string | string[];
                };
                message: string;
            } | null;
            decision: components["schemas"]["Decision"];
            decision_id: string;
            environment: {
                id: string;
                name: string;
                production: boolean;
            };
            excluded: {
                person_id: string;
                shares_with?: string;
                /** @enum {string} */
                why: "submitter" | "on_behalf_of" | "owner" | "changed" | "same_hand";
            }[];
            expires_at: string;
            headline: string;
            id: string;
            opened_at: string;
            quorum: components["schemas"]["Quorum"];
            requester: {
                id: string;
                /** @enum {string} */
                kind: "agent" | "person";
                on_behalf_of: string | null;
            };
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            said_by_the_requester: {
                goal: string;
            };
            seconds_left: number | null;
            /** @enum {string} */
            start: "on_approval" | "manual" | "at";
            start_after: string | null;
            start_at: string | null;
            /** @enum {string} */
            state: "open" | "approved" | "denied" | "changes_requested" | "expired" | "voided" | "consumed";
            subject: components["schemas"]["AskedPlan"];
        };
        QueuedRequest: components["schemas"]["QueuedPlanRequest"] | components["schemas"]["QueuedCallRequest"];
        Quorum: {
            complete: boolean;
            filled: {
                as: string[];
                person: {
                    display_name: string;
                    id: string;
                };
                roles: string[];
                slot: number;
            }[];
            open: {
                count: number;
                roles: string[];
                slot: number;
            }[];
        };
        ReadAutomation: {
            agent_id: string | null;
            author: components["schemas"]["Actor"];
            environment: {
                id: string;
                name: string;
            };
            failures: number;
            id: string;
            name: string;
            next_at: string | null;
            owner_id: string | null;
            proposed_at: string;
            reading: components["schemas"]["AutomationReading"] | null;
            revision: number;
            source: string;
            source_sha256: string;
            /** @enum {string} */
            state: "proposed" | "enabled" | "paused" | "disabled";
        };
        Reason: {
            code: string;
            details?: {
                until: string;
            };
            message: string;
            rule: string;
        };
        RecoveryCodes: {
            recovery_codes: string[];
        };
        RedeemedGrant: {
            claims: components["schemas"]["GrantClaims"];
        };
        RedeemGrant: {
            audience: string;
            environment: string;
            grant: string;
        };
        RegisterPasskey: {
            name?: string;
            registration: {
                authenticatorAttachment?: string | null;
                clientExtensionResults?: {
                    [key: string]: Json;
                };
                id: string;
                rawId: string;
                response: {
                    attestationObject: string;
                    clientDataJSON: string;
                    transports?: string[];
                };
                /** @enum {string} */
                type: "public-key";
            };
        };
        RejectChange: {
            comment: string;
        };
        RenewAutomationSecret: {
            revoke_earlier?: boolean;
        };
        RenewRecoveryCodes: {
            step_up_id?: string;
        };
        ReportAttempt: {
            arguments_digest: string;
            jti: string;
            /** @enum {string} */
            outcome: "succeeded";
            result: Json;
        } | {
            arguments_digest: string;
            /** @enum {string} */
            effect: "not_started" | "done";
            error: {
                code: string;
                message: string;
            };
            jti: string;
            /** @enum {string} */
            outcome: "failed";
        } | {
            arguments_digest: string;
            error: {
                code: string;
                message: string;
            };
            jti: string;
            /** @enum {string} */
            outcome: "unknown";
        };
        ResetFactors: {
            reason: string;
        };
        ResolveIncident: {
            post_mortem: string;
        };
        ResolveToolCall: {
            note: string;
            /** @enum {string} */
            outcome: "succeeded" | "failed";
        };
        ResolveUnknown: {
            /** @enum {string} */
            effect: "happened" | "did_not" | "retry";
            note: string;
        };
        Review: {
            always: boolean;
            comment: string;
            confirm_word: "CONFIRM" | null;
            created_at: string;
            decision_id: string;
            id: string;
            known_by: string[];
            mfa_method: ("passkey" | "totp" | "recovery_code") | null;
            person: {
                display_name: string;
                id: string;
            };
            replaced_at: string | null;
            request_id: string;
            roles: string[];
            shares_vote_with: {
                display_name: string;
                id: string;
            }[];
            stands_in_for: {
                display_name: string;
                id: string;
            } | null;
            subject_digest: string;
            /** @enum {string} */
            verdict: "approve" | "reject" | "request_changes";
        };
        ReviewerCount: {
            enough: boolean;
            missing: {
                count: number;
                roles: string[];
            }[];
            needed: {
                count: number;
                roles: string[];
            }[];
            people: {
                display_name: string;
                id: string;
            }[];
            second_factor: boolean;
            warning: string | null;
        };
        ReviewIncident: {
            comment: string;
        };
        ReviewList: {
            items: components["schemas"]["Review"][];
        };
        RoleAssignment: {
            assigned_at: string;
            assigned_by: string | null;
            assigned_by_issuer: string | null;
            role: string;
        };
        Run: {
            approval_request_id: string | null;
            created_at: string;
            environment_id: string;
            finished_at: string | null;
            headline: string | null;
            id: string;
            incident_id: string | null;
            outcome: {
                affected_assets: number;
                calls: {
                    compensated: number;
                    failed: number;
                    not_started: number;
                    succeeded: number;
                };
                duration_minutes: number;
                not_undone: {
                    seq: number;
                    step_id: string;
                    tool: string;
                    /** @enum {string} */
                    why: "no_compensation" | "compensation_failed" | "failed_halfway" | "not_rolled_back";
                }[];
            } | null;
            pause_by: string | null;
            plan_digest: string;
            plan_id: string;
            plan_risk: ("low" | "medium" | "high" | "critical") | null;
            reason: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                reasons?: {
                    code: string;
                    details?: {
                        until: string;
                    };
                    message: string;
                    rule: string;
                }[];
            } | null;
            requested: ("pause" | "cancel" | "roll_back") | null;
            rollback_reason: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                reasons?: {
                    code: string;
                    details?: {
                        until: string;
                    };
                    message: string;
                    rule: string;
                }[];
            } | null;
            /** @enum {string} */
            scope: "all" | "canary" | "promotion";
            simulation_id: string | null;
            started_at: string | null;
            started_by: components["schemas"]["Actor"];
            /** @enum {string} */
            state: "queued" | "executing" | "paused" | "rolling_back" | "completed" | "failed" | "cancelled" | "rolled_back" | "rollback_failed";
            task_id: string;
            wait_until: string | null;
            waiting_on: {
                run_id: string;
                target: string;
            } | null;
        };
        RunDetail: {
            approval_request_id: string | null;
            autonomy: components["schemas"]["EffectiveAutonomy"];
            created_at: string;
            environment: string;
            environment_id: string;
            explanation: components["schemas"]["Explanation"] | null;
            finished_at: string | null;
            headline: string | null;
            health: {
                batch_index: number;
                condition: string | null;
                evaluated_at: string;
                explanation: string;
                health_round: number;
                metrics: {
                    [key: string]: number;
                };
                phase_index: number;
                /** @enum {string} */
                verdict: "healthy" | "roll_back" | "unclear";
            }[];
            id: string;
            incident_id: string | null;
            outcome: {
                affected_assets: number;
                calls: {
                    compensated: number;
                    failed: number;
                    not_started: number;
                    succeeded: number;
                };
                duration_minutes: number;
                not_undone: {
                    seq: number;
                    step_id: string;
                    tool: string;
                    /** @enum {string} */
                    why: "no_compensation" | "compensation_failed" | "failed_halfway" | "not_rolled_back";
                }[];
            } | null;
            pause_by: string | null;
            plan_digest: string;
            plan_id: string;
            plan_risk: ("low" | "medium" | "high" | "critical") | null;
            predicted: {
                affected_assets: number;
                estimated_duration_minutes: number;
                predicted_risk: string;
            } | null;
            reason: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                reasons?: {
                    code: string;
                    details?: {
                        until: string;
                    };
                    message: string;
                    rule: string;
                }[];
            } | null;
            requested: ("pause" | "cancel" | "roll_back") | null;
            resume_refused: {
                action: string | null;
                code: string;
                message: string;
            } | null;
            rollback_reason: {
                code: string;
                details?: {
                    [key: string]: unknown;
                };
                message: string;
                reasons?: {
                    code: string;
                    details?: {
                        until: string;
                    };
                    message: string;
                    rule: string;
                }[];
            } | null;
            /** @enum {string} */
            scope: "all" | "canary" | "promotion";
            simulation_id: string | null;
            started_at: string | null;
            started_by: components["schemas"]["Actor"];
            /** @enum {string} */
            state: "queued" | "executing" | "paused" | "rolling_back" | "completed" | "failed" | "cancelled" | "rolled_back" | "rollback_failed";
            steps: components["schemas"]["RunStep"][];
            task_id: string;
            wait_until: string | null;
            waiting_on: {
                run_id: string;
                target: string;
            } | null;
        };
        RunEvent: {
            actor: components["schemas"]["Actor"];
            at: string;
            data: {
                [key: string]: Json;
            };
            seq: number;
            type: string;
        };
        RunEventPage: {
            items: components["schemas"]["RunEvent"][];
            next_cursor: string | null;
        };
        Runner: {
            created_at: string;
            enrolled_at: string | null;
            environments: string[];
            hooks: string[];
            id: string;
            last_seen_at: string | null;
            mcp_servers: {
                name: string;
                problem: string | null;
                tools: number;
            }[];
            name: string;
            no_way_back: string | null;
            pool: string;
            revoked_at: string | null;
            /** @enum {string} */
            state: "invited" | "online" | "offline" | "revoked";
            tools: components["schemas"]["AdvertisedTool"][];
            version: string | null;
            works_in: string[] | null;
        };
        RunnerCall: {
            call: {
                answer_within_ms: number;
                grant: string;
                id: string;
                request: components["schemas"]["ToolCallRequest"];
            } | null;
        };
        RunnerCallList: {
            items: components["schemas"]["SeenRunnerCall"][];
        };
        RunnerCallState: {
            /** @enum {string} */
            state: "waiting" | "taken" | "answered" | "lost" | "answered_late" | "withdrawn";
        };
        RunnerGoodbye: Record<string, never>;
        RunnerHello: {
            hooks?: string[];
            mcp_servers?: components["schemas"]["AdvertisedMcpServer"][];
            no_way_back?: string | null;
            sessions?: string[];
            tools: components["schemas"]["AdvertisedTool"][];
            version: string;
            works_in: string[];
        };
        RunnerKey: {
            key_id: string;
        };
        RunnerList: {
            items: components["schemas"]["Runner"][];
        };
        RunnerOutput: {
            chunks: {
                /** @enum {string} */
                stream: "stdout" | "stderr";
                text: string;
            }[];
            first_seq: number;
        };
        RunnerResult: {
            answer: components["schemas"]["ToolCallResponse"];
        };
        RunPage: {
            items: components["schemas"]["Run"][];
            next_cursor: string | null;
        };
        RunStep: {
            attempts: components["schemas"]["StepAttempt"][];
            batch_index: number;
            compensable: boolean;
            error: {
                code: string;
                message: string;
            } | null;
            health_round: number;
            id: string;
            idempotent: boolean;
            /** @enum {string} */
            kind: "call" | "health_check";
            /** @enum {string} */
            on_failure: "pause" | "rollback" | "retry";
            phase_index: number;
            resolved_as: ("happened" | "did_not") | null;
            seq: number;
            /** @enum {string} */
            state: "pending" | "dispatched" | "succeeded" | "failed" | "unknown" | "compensating" | "compensated" | "compensation_failed";
            step_id: string;
            tool: string;
            unknown_of: ("call" | "compensation") | null;
        };
        RunWork: {
            items: {
                arguments: {
                    [key: string]: Json;
                };
                arguments_digest: string;
                attempt_id: string;
                grant: string;
                grant_expires_at: string;
                idempotency_key: string;
                lease_until: string;
                number: number;
                /** @enum {string} */
                purpose: "call" | "compensation";
                run_step_id: string;
                step_id: string;
                targets: string[];
                tool: string;
            }[];
        };
        SafeList: {
            items: components["schemas"]["SafeListEntry"][];
        };
        SafeListEntry: {
            added_at: string;
            added_by: string;
            counts: boolean;
            digest: string;
            /** @enum {string} */
            effect: "read" | "modify" | "destructive";
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            id: string;
            /** @enum {string} */
            risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
            role_warnings?: string[];
            tool: string;
            version: number;
        };
        SafeTools: {
            environment: string;
            items: components["schemas"]["TieredTool"][];
        };
        /** @enum {string} */
        Scope: "read" | "submit" | "run" | "review" | "halt" | "audit" | "admin";
        Secret: {
            binding: {
                environments: string[];
                executors: string[];
                /** @enum {string} */
                purpose: "tool_arguments" | "executor_token" | "sign_in" | "incidents";
                tools: string[];
            } | null;
            created_at: string;
            created_by: string;
            key_id: string;
            name: string;
            reference: string;
            version: number;
        };
        SecretBinding: {
            environments?: string[];
            executors?: string[];
            /** @enum {string} */
            purpose: "tool_arguments" | "executor_token" | "sign_in" | "incidents";
            tools?: string[];
        };
        SecretPage: {
            items: components["schemas"]["Secret"][];
            next_cursor: string | null;
        };
        SecretRotation: {
            reencrypted: number;
        };
        SecretValue: {
            binding?: components["schemas"]["SecretBinding"];
            value: string;
        };
        SeenAutomationRun: {
            created_at: string;
            due_at: string;
            error: {
                code: string;
                message: string;
            } | null;
            finished_at: string | null;
            id: string;
            inputs: {
                [key: string]: string | number | boolean;
            };
            occurrence: string;
            revision: number;
            /** @enum {string} */
            state: "queued" | "executing" | "completed" | "failed" | "skipped";
            steps: {
                blocked: boolean;
                error: {
                    code: string;
                    message: string;
                } | null;
                finished_at: string | null;
                started_at: string;
                /** @enum {string} */
                state: "calling" | "succeeded" | "not_met" | "failed" | "blocked" | "skipped";
                step: string;
                tool_call_id: string | null;
                /** @enum {string} */
                type: "tool_action" | "condition" | "notify";
            }[];
        };
        SeenOutput: {
            chunks: {
                seq: number;
                /** @enum {string} */
                stream: "stdout" | "stderr";
                text: string;
            }[];
            cut: boolean;
            open: boolean;
        };
        SeenRunnerCall: {
            answer: components["schemas"]["ToolCallResponse"] | null;
            attempt: number;
            ended_at: string | null;
            id: string;
            offered_at: string;
            pool: string;
            runner_id: string | null;
            source: {
                id: string;
                type: string;
            };
            /** @enum {string} */
            state: "waiting" | "taken" | "answered" | "lost" | "answered_late" | "withdrawn";
            step: string;
            taken_at: string | null;
            tool: string;
        };
        Session: {
            agent_ids: string[];
            approval_seconds: number;
            call_budget: number;
            calls_made: number;
            calls_per_turn: number;
            ended_at: string | null;
            ended_reason: ("closed" | "cancelled" | "idle") | null;
            environment: {
                id: string;
                name: string;
            };
            id: string;
            idle_at: string;
            idle_seconds: number;
            last_used_at: string;
            /** @enum {string} */
            level: "FULL_AUTO" | "SUPERVISED" | "CAUTIOUS" | "MANUAL";
            /** @enum {string} */
            mode: "always-ask" | "ask-on-write" | "ask-on-external" | "allow-safe-readonly";
            model: string | null;
            opened_at: string;
            opened_by: components["schemas"]["Submitter"];
            preset: ("tiers" | "levels" | "modes" | "cautious") | null;
            revision: number;
            /** @enum {string} */
            state: "open" | "ended";
        };
        SessionCall: {
            answer_by: string | null;
            arguments: {
                [key: string]: Json;
            };
            asked_at: string;
            category: string;
            client_call_id: string | null;
            command: string | null;
            decided_at: string | null;
            decision: ("auto_approved" | "approved" | "rejected" | "trusted" | "timeout" | "denied" | "cancelled") | null;
            decision_id: string;
            denial: {
                code: string;
                message: string;
            } | null;
            error: {
                code: string;
                message: string;
            } | null;
            executor: string | null;
            finished_at: string | null;
            id: string;
            impact: string;
            paths: components["schemas"]["PathVerdict"] | null;
            reason: string | null;
            request_id: string | null;
            result: Json | null;
            /** @enum {string} */
            risk: "low" | "medium" | "high" | "critical";
            shell: components["schemas"]["ShellVerdict"] | null;
            /** @enum {string} */
            state: "pending" | "allowed" | "denied" | "executing" | "succeeded" | "failed" | "unknown" | "expired";
            submitter: components["schemas"]["Submitter"];
            targets: string[];
            tool: string;
            tool_version: number;
            turn_id: string | null;
        };
        SessionCallList: {
            items: components["schemas"]["SessionCall"][];
            next_cursor: string | null;
        };
        SessionList: {
            items: components["schemas"]["Session"][];
            next_cursor: string | null;
        };
        SessionTrust: {
            id: string;
            made_at: string;
            made_by: string;
            revoked_at: string | null;
            revoked_by: components["schemas"]["Actor"] | null;
            shape: Json;
            tool: string;
        };
        SessionTrustList: {
            items: components["schemas"]["SessionTrust"][];
            next_cursor: string | null;
        };
        SetUp: {
            complete: boolean;
            steps: {
                command: string | null;
                detail: string;
                done: boolean;
                needed: boolean;
                path: string;
                /** @enum {string} */
                step: "second_admin" | "second_factor" | "tools" | "executor" | "first_call" | "autonomy" | "agent" | "reviewers" | "break_glass" | "slack" | "checkpoint";
                title: string;
            }[];
        };
        ShellVerdict: {
            /** @enum {string} */
            allow_listed: "allowed" | "after_approval" | "blocked";
            /** @enum {string} */
            class: "READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION";
            network: boolean;
            parts: {
                /** @enum {string} */
                class: "READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION";
                end: number;
                program: string | null;
                reasons: {
                    code: string;
                    end: number;
                    message: string;
                    start: number;
                }[];
                start: number;
                /** @enum {number} */
                tier: 1 | 2 | 3;
            }[];
            /** @enum {string} */
            shell: "bash" | "sh" | "zsh" | "unknown";
            /** @enum {number} */
            tier: 1 | 2 | 3;
        };
        ShownArgument: {
            name: string;
            value: Json;
        };
        ShownHealthCheck: {
            call: {
                arguments: components["schemas"]["ShownArgument"][];
                paths: components["schemas"]["PathVerdict"] | null;
                shell: components["schemas"]["ShownLine"] | null;
                targets_as: string[];
                tool: components["schemas"]["ShownTool"];
            };
            checks: {
                arguments: components["schemas"]["ShownArgument"][];
                batch: number;
                targets: string[];
            }[];
            name: string;
        };
        ShownLine: {
            argument: string;
            /** @enum {string} */
            class: "READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION";
            command: string;
            parts: {
                /** @enum {string} */
                class: "READ_ONLY" | "BUILD_TEST" | "WRITE" | "NETWORK" | "UNKNOWN" | "DESTRUCTIVE" | "ESCALATION";
                end: number;
                program: string | null;
                reasons: {
                    code: string;
                    end: number;
                    message: string;
                    start: number;
                }[];
                start: number;
                /** @enum {number} */
                tier: 1 | 2 | 3;
            }[];
            /** @enum {string} */
            shell: "bash" | "sh" | "zsh" | "unknown";
            /** @enum {number} */
            tier: 1 | 2 | 3;
        };
        ShownPhase: {
            batches: {
                number: number;
                targets: string[];
            }[];
            canary: boolean;
            health_checks: components["schemas"]["ShownHealthCheck"][];
            name: string;
            number: number;
            rollback_if: string | null;
            steps: components["schemas"]["ShownStep"][];
            wait_seconds: number;
        };
        ShownStep: {
            call: {
                arguments: components["schemas"]["ShownArgument"][];
                paths: components["schemas"]["PathVerdict"] | null;
                shell: components["schemas"]["ShownLine"] | null;
                targets_as: string[];
                tool: components["schemas"]["ShownTool"];
            };
            calls: {
                arguments: components["schemas"]["ShownArgument"][];
                batch: number;
                seq: number;
                targets: string[];
                undo_arguments: components["schemas"]["ShownArgument"][];
                undo_targets: string[] | null;
            }[];
            /** @enum {string} */
            on_failure: "pause" | "rollback" | "retry";
            /** @enum {string} */
            spread: "environment" | "batch" | "target" | "listed";
            step_id: string;
            undo: {
                arguments: components["schemas"]["ShownArgument"][];
                paths: components["schemas"]["PathVerdict"] | null;
                shell: components["schemas"]["ShownLine"] | null;
                targets_as: string[];
                tool: components["schemas"]["ShownTool"];
            } | null;
        };
        ShownTool: {
            effect: string;
            executor: string;
            idempotent: boolean;
            name: string;
            risk: string;
            version: number;
        };
        SiemCollector: {
            ca: string | null;
            created_at: string;
            created_by: string;
            error: string | null;
            error_at: string | null;
            etag: string;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            has_token: boolean;
            id: string;
            role_warnings?: string[];
            sent_at: string | null;
            url: string;
        };
        SiemCollectorDetail: {
            behind_since: string | null;
            ca: string | null;
            created_at: string;
            created_by: string;
            entries_behind: number;
            error: string | null;
            error_at: string | null;
            etag: string;
            failures: number;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            has_token: boolean;
            id: string;
            retry_at: string | null;
            role_warnings?: string[];
            sent_at: string | null;
            url: string;
        };
        SiemCollectorSettings: {
            ca?: string | null;
            url: string;
        };
        SiemFile: {
            behind_since: string | null;
            entries_behind: number;
            exported: boolean;
            failures: number;
            retry_at: string | null;
        };
        SignedInBrowserSession: {
            csrf_token: string;
            expires_at: string;
            mfa: {
                passkeys: number;
                totp: boolean;
            };
            person: {
                display_name: string;
                email: string;
                id: string;
                roles: string[];
            };
            /** @enum {boolean} */
            signed_in: true;
            signed_in_at: string | null;
            /** @enum {string} */
            signed_in_by: "issuer" | "passkey";
            tenant: {
                name: string;
                slug: string;
            };
        };
        SignedOut: {
            redirect_to: string | null;
        };
        SignInOptions: {
            founded: boolean;
            issuers: {
                display_name: string;
                name: string;
            }[];
            passkeys: boolean;
        };
        SignInSettings: {
            api_audience: string;
            browser_session_idle_minutes: number;
            browser_session_minutes: number;
            dormant_after_days: number;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            issuers: {
                algorithms: ("RS256" | "RS384" | "RS512" | "PS256" | "PS384" | "PS512" | "ES256" | "ES384" | "ES512" | "EdDSA" | "Ed25519")[];
                bearer_scopes: components["schemas"]["Scope"][];
                client_id: string;
                client_secret: string | null;
                display_name: string;
                extra_scopes: string[];
                id: string;
                issuer_url: string;
                link_by_verified_email: boolean;
                name: string;
                /** @enum {string} */
                provision: "mapped" | "anybody" | "nobody";
                role_mappings: {
                    role: string;
                    value: string;
                }[];
                roles_claim: string;
                standing: components["schemas"]["IssuerStanding"];
            }[];
            post_logout_redirect_uri: string;
            reauthenticate_after_minutes: number;
            redirect_uri: string;
            revision: number;
            role_warnings?: string[];
            sign_in_required: boolean;
        };
        SimulatedCall: {
            affected_assets: number | null;
            details: Json;
            estimated_duration_minutes: number | null;
            /** @enum {string} */
            predicted_risk: "low" | "medium" | "high" | "critical";
            seq: number;
            simulated_by: {
                digest: string;
                name: string;
                version: number;
            } | null;
            /** @enum {string} */
            simulation: "done" | "not_applicable";
            step_id: string;
            targets: string[];
            tool: string;
            tool_version: number;
        };
        Simulation: {
            created_at: string;
            digest: string | null;
            expires_at: string | null;
            failure: {
                code: string;
                message: string;
            } | null;
            finished_at: string | null;
            id: string;
            plan_digest: string;
            plan_id: string;
            requested_by: components["schemas"]["Submitter"];
            result: components["schemas"]["PlanSimulationResult"] | null;
            stale_reason: {
                code: string;
                details?: {
                    run_id: string;
                };
                message: string;
            } | null;
            started_at: string | null;
            /** @enum {string} */
            state: "pending" | "running" | "succeeded" | "failed" | "stale";
        };
        SimulationAccuracy: {
            tools: {
                actual_assets: number;
                actual_minutes: number;
                calls: number;
                exact_runs: number;
                failed_calls: number;
                predicted_assets: number;
                predicted_minutes: number;
                runs: number;
                tool: string;
            }[];
        };
        SimulationDetails: {
            calls: components["schemas"]["SimulatedCall"][];
            wait_minutes: number;
        };
        SimulationPage: {
            items: components["schemas"]["Simulation"][];
            next_cursor: string | null;
        };
        SlackApp: {
            client_id: string;
            client_secret: string;
            signing_secret: string;
        };
        SlackCommandAnswer: {
            blocks: Json[];
            /** @enum {string} */
            response_type: "ephemeral";
            text: string;
        };
        SlackEventAnswer: {
            challenge?: string;
        };
        SlackInstall: {
            redirect_to: string;
        };
        SlackLink: {
            credential_id: string;
            id: string;
            linked_at: string;
            team_id: string;
            user_id: string;
        };
        SlackLinkCode: {
            code: string;
        };
        SlackLinkList: {
            items: components["schemas"]["SlackLink"][];
        };
        SlackRoutes: {
            channels: {
                [key: string]: string;
            };
            on_duty: string[];
        };
        SlackSettings: {
            app: {
                client_id: string;
            } | null;
            bot_scopes: string[];
            channels: {
                [key: string]: string;
            };
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            installation: {
                installed_at: string;
                team_id: string;
                team_name: string;
            } | null;
            on_duty: string[];
            role_warnings?: string[];
        };
        SlackTest: {
            channels: {
                channel: string;
                environment: string;
                name: string | null;
                problem: string | null;
            }[];
            problem: string | null;
            team_name: string | null;
        };
        SlackUser: {
            name: string;
            team_name: string;
            user_id: string;
        };
        Standing: {
            known: boolean;
            known_by: {
                at: string;
                /** @enum {string} */
                basis: "founder" | "issuer" | "mailed_invitation" | "vouched" | "operator" | "token";
                counts: boolean;
                words: string;
            }[];
            shares_vote_with: {
                display_name: string;
                id: string;
            }[];
        };
        StartEpoch: {
            last_published?: string | null;
            reason: string;
        };
        StartStepUp: {
            operation: components["schemas"]["SteppedUpOperation"];
        };
        StepAttempt: {
            arguments_digest: string;
            decision_id: string;
            dispatched_at: string;
            effect: ("not_started" | "done") | null;
            error: {
                code: string;
                message: string;
            } | null;
            executor: string;
            executor_version: number;
            finished_at: string | null;
            id: string;
            late_result: Json;
            number: number;
            outcome: ("succeeded" | "failed" | "unknown") | null;
            /** @enum {string} */
            purpose: "call" | "compensation";
            result: Json;
            targets: string[];
            unverified: boolean;
        };
        SteppedUpOperation: {
            /** @enum {boolean} */
            always?: true;
            comment?: string;
            /** @enum {string} */
            confirm_word?: "CONFIRM";
            /** @enum {string} */
            kind: "review";
            request_id: string;
            subject_digest: string;
            /** @enum {string} */
            verdict: "approve" | "reject" | "request_changes";
        } | {
            justification: string;
            /** @enum {string} */
            kind: "break_glass";
            plan_digest: string;
            plan_id: string;
        } | {
            change_digest: string;
            change_id: string;
            /** @enum {string} */
            kind: "change_confirm";
        } | {
            fingerprint: string;
            /** @enum {string} */
            kind: "vouch";
            person_id: string;
        } | {
            issuer_id: string;
            /** @enum {string} */
            kind: "issuer_confirm";
            settings_revision: number;
        } | {
            /** @enum {string} */
            change: "add_totp" | "add_passkey" | "renew_recovery_codes";
            /** @enum {string} */
            kind: "factor_change";
        } | {
            factor_id: string;
            /** @enum {string} */
            kind: "factor_removal";
        };
        StepUp: {
            expires_at: string;
            id: string;
            methods: ("passkey" | "totp" | "recovery_code")[];
            operation_digest: string;
            passkey_options: {
                [key: string]: Json;
            } | null;
        };
        StepUpProof: {
            expires_at: string;
            id: string;
            /** @enum {string} */
            method: "passkey" | "totp" | "recovery_code";
            proved_at: string;
        };
        SubjectRef: {
            id: string;
            type: string;
        };
        SubmitReview: {
            always?: boolean;
            comment?: string;
            confirm_word?: string;
            step_up_id?: string;
            subject_digest: string;
            /** @enum {string} */
            verdict: "approve" | "reject" | "request_changes";
        };
        SubmitSessionToolCall: {
            arguments: {
                [key: string]: Json;
            };
            client_call_id?: string;
            reason?: string;
            tool: string;
            turn_id?: string;
        };
        Submitter: {
            id: string;
            /** @enum {string} */
            kind: "agent" | "person";
            on_behalf_of: string | null;
        };
        SubmitToolCall: {
            arguments: {
                [key: string]: Json;
            };
            client_call_id?: string;
            environment: string;
            reason?: string;
            tool: string;
            turn_id?: string;
        };
        SwitchLifecycleHook: {
            enabled: boolean;
        };
        TakeRunnerCall: {
            held: string[];
        };
        Task: {
            created_at: string;
            digest: string;
            headline: string | null;
            id: string;
            plan_risk: ("low" | "medium" | "high" | "critical") | null;
            spec: components["schemas"]["TaskSpec"];
            /** @enum {string} */
            state: "created" | "planned" | "executing" | "completed" | "failed" | "cancelled";
            submitted_by: components["schemas"]["Submitter"];
            updated_at: string;
        };
        TaskConstraints: {
            canary_required?: boolean;
            max_batch_percent?: number;
            rollback_trigger?: string;
        };
        TaskPage: {
            items: components["schemas"]["Task"][];
            next_cursor: string | null;
        };
        TaskSpec: {
            agent?: {
                model: string;
                version: string;
            };
            constraints?: components["schemas"]["TaskConstraints"];
            environment: string;
            goal: string;
            scope?: {
                description?: string;
                targets?: string[];
            };
            task_type: string;
            timeout_minutes: number;
        };
        TaskSpecInput: {
            agent?: {
                model: string;
                version: string;
            };
            constraints?: components["schemas"]["TaskConstraints"];
            environment: string;
            goal: string;
            scope?: {
                description?: string;
                targets?: string[];
            };
            task_type: string;
            timeout_minutes?: number;
        };
        TieredTool: {
            reasons: {
                code: string;
                message: string;
            }[];
            /** @enum {string} */
            risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
            safe: boolean;
            /** @enum {string} */
            tier: "read" | "modify" | "destructive";
            tool: string;
            version: number;
        };
        Token: {
            agent_id: string | null;
            created_at: string;
            created_by: string | null;
            expires_at: string;
            id: string;
            /** @enum {string} */
            kind: "person_token" | "agent_token" | "delegation" | "browser_session" | "issuer_token" | "slack_link" | "automation";
            last_used_at: string | null;
            name: string;
            on_behalf_of: string | null;
            person_id: string | null;
            prefix: string;
            revoked_at: string | null;
            scopes: components["schemas"]["Scope"][];
        };
        TokenPage: {
            items: components["schemas"]["Token"][];
            next_cursor: string | null;
        };
        Tool: {
            created_at: string;
            created_by: string;
            definition: components["schemas"]["ToolDefinition"];
            digest: string;
            id: string;
            /** @enum {string} */
            level: "low" | "medium" | "high" | "critical";
            name: string;
            version: number;
        };
        ToolArguments: {
            [key: string]: Json;
        };
        ToolCall: {
            allowed_until: string | null;
            answered_by: ("executor" | "agent") | null;
            arguments_digest: string | null;
            bundle_revision: string;
            decided_as: ("auto_approved" | "approved" | "rejected" | "trusted" | "timeout" | "denied" | "cancelled") | null;
            decided_at: string | null;
            decision_id: string | null;
            denial: {
                code: string;
                message: string;
            } | null;
            effective: components["schemas"]["EffectiveAutonomy"];
            errors: {
                code: string;
                column?: number;
                line?: number;
                message: string;
                pointer: string;
                suggestion?: string;
            }[];
            execution: components["schemas"]["ToolCallExecution"] | null;
            expires_at: string | null;
            grant?: string;
            grant_expires_at?: string;
            id: string;
            no_grant?: {
                code: string;
                message: string;
            };
            obligations: components["schemas"]["Obligations"];
            /** @enum {string} */
            outcome: "pending" | "allowed" | "denied" | "executing" | "succeeded" | "failed" | "unknown" | "expired";
            paths: components["schemas"]["PathVerdict"] | null;
            reasons: components["schemas"]["Reason"][];
            request_id: string | null;
            session_id: string | null;
            shell: components["schemas"]["ShellVerdict"] | null;
            tool_version: number | null;
        };
        ToolCallExecution: {
            attempt: number;
            dispatched_at: string;
            error: {
                code: string;
                message: string;
            } | null;
            finished_at: string | null;
            lease_until: string | null;
            result: Json;
            unverified: boolean;
        };
        ToolCallRequest: {
            arguments: {
                [key: string]: Json;
            };
            idempotency_key: string;
            secrets: {
                [key: string]: string;
            };
            tool: string;
            tool_version: number;
        };
        ToolCallResponse: {
            /** @enum {boolean} */
            ok: true;
            result: Json;
        } | {
            /** @enum {string} */
            effect: "not_started" | "done" | "unknown";
            error: {
                code: string;
                message: string;
            };
            /** @enum {boolean} */
            ok: false;
        };
        ToolCatalog: {
            tools: {
                [key: string]: components["schemas"]["ToolDocument"];
            };
        };
        ToolChangePlan: {
            changes: {
                /** @enum {string} */
                change: "create" | "update" | "remove" | "unchanged";
                fields: string[];
                from_version: number | null;
                live_plans: string[];
                loosens: string[];
                name: string;
                to_version: number | null;
            }[];
            dry_run: boolean;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            role_warnings?: string[];
            warnings: {
                code: string;
                message: string;
                pointer: string;
                suggestion?: string;
            }[];
        };
        ToolDefinition: {
            canary: boolean;
            description: string;
            /** @enum {string} */
            effect: "read" | "modify" | "destructive";
            executor: string;
            idempotent: boolean;
            identity_fields: string[];
            mcp?: {
                digest: string;
                tool: string;
            };
            name: string;
            parameters: {
                [key: string]: Json;
            };
            path_arguments?: {
                reads: string[];
                writes: string[];
            };
            /** @enum {string} */
            requires_hitl: "never" | "configurable" | "always";
            requires_plan: boolean;
            result_schema?: {
                [key: string]: Json;
            };
            /** @enum {string} */
            risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
            /** @enum {string} */
            scope: "asset" | "environment" | "organization";
            shell?: {
                argument: string;
                /** @enum {string} */
                shell: "bash" | "sh" | "zsh" | "unknown";
            };
            simulated_by: string | null;
            /** @enum {string} */
            simulation: "required" | "not_applicable";
            /** @enum {boolean} */
            simulation_secrets?: true;
            /** @enum {string} */
            surface: "asset" | "workspace" | "git" | "terminal" | "network" | "audio";
            time_limit_seconds: number;
        };
        ToolDocument: {
            canary?: boolean;
            description: string;
            /** @enum {string} */
            effect?: "read" | "modify" | "destructive";
            executor?: string;
            idempotent: boolean;
            identity_fields?: string[];
            mcp?: {
                digest: string;
                tool: string;
            };
            parameters?: {
                [key: string]: Json;
            };
            path_arguments?: {
                reads?: string[];
                writes?: string[];
            };
            /** @enum {string} */
            requires_hitl?: "never" | "configurable" | "always";
            requires_plan?: boolean;
            result_schema?: {
                [key: string]: Json;
            };
            /** @enum {string} */
            risk: "read_only" | "plan_only" | "state_change_nonprod" | "state_change_prod";
            /** @enum {string} */
            scope: "asset" | "environment" | "organization";
            shell?: {
                argument: string;
                /** @enum {string} */
                shell?: "bash" | "sh" | "zsh" | "unknown";
            };
            simulated_by?: string | null;
            /** @enum {string} */
            simulation?: "required" | "not_applicable";
            simulation_secrets?: boolean;
            /** @enum {string} */
            surface?: "asset" | "workspace" | "git" | "terminal" | "network" | "audio";
            time_limit_seconds?: number;
        };
        ToolHistory: {
            name: string;
            removed: boolean;
            versions: components["schemas"]["Tool"][];
        };
        ToolList: {
            tools: components["schemas"]["Tool"][];
        };
        TotpOffer: {
            id: string;
            otpauth_uri: string;
            qr_svg: string;
            secret: string;
        };
        TriggerAutomation: {
            inputs?: {
                [key: string]: string | number | boolean;
            };
        };
        UnreadComment: {
            about: {
                id: string;
                /** @enum {string} */
                type: "approval_request" | "change_request";
            };
            author: {
                display_name: string;
                id: string;
                /** @enum {string} */
                kind: "person" | "agent";
            };
            body: string;
            created_at: string;
            headline: string;
            id: string;
            on_behalf_of: string | null;
            /** @enum {string} */
            via: "api" | "slack";
        };
        UnreadCommentPage: {
            items: components["schemas"]["UnreadComment"][];
            next_cursor: string | null;
        };
        ValueChange: {
            after?: Json;
            before?: Json;
            /** @enum {string} */
            kind: "added" | "removed" | "changed";
            pointer: string;
        };
        Vouch: {
            fingerprint: string;
            step_up_id?: string;
        };
        VouchedPerson: {
            came_in_at: string | null;
            created_at: string;
            disabled_at: string | null;
            display_name: string;
            email: string | null;
            ended: {
                browsers: number;
                delegations: number;
                factors: number;
                invitations: number;
                revoked_tokens: number;
            };
            enrolled_at: string | null;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            id: string;
            name_note: string | null;
            role_warnings?: string[];
            roles: components["schemas"]["RoleAssignment"][];
            standing?: components["schemas"]["Standing"];
        };
        WaitingEnrolment: {
            change: {
                [key: string]: unknown;
            };
            change_digest: string;
            closed_at: string | null;
            closed_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            } | null;
            closed_reason: string | null;
            confirmers: {
                display_name: string;
                id: string;
                known_by?: string[];
            }[];
            detail: components["schemas"]["ChangeDetail"];
            enrolment_token: string;
            expires_at: string;
            id: string;
            invitation_url: string;
            kind: components["schemas"]["ChangeKind"];
            loosens: string[];
            mfa_method: ("passkey" | "totp" | "recovery_code") | null;
            opened_at: string;
            reason: string;
            requested_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            };
            required_role: string;
            role_warnings?: string[];
            state: components["schemas"]["ChangeState"];
            subject: {
                id: string;
                type: string;
            };
            what: string;
            you: {
                may_confirm: boolean;
                why_not: {
                    action?: string;
                    code: string;
                    message: string;
                } | null;
            };
        };
        WaitingInvitation: {
            change: {
                [key: string]: unknown;
            };
            change_digest: string;
            closed_at: string | null;
            closed_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            } | null;
            closed_reason: string | null;
            confirmers: {
                display_name: string;
                id: string;
                known_by?: string[];
            }[];
            detail: components["schemas"]["ChangeDetail"];
            enrolment_token: string;
            expires_at: string;
            id: string;
            invitation_url: string;
            kind: components["schemas"]["ChangeKind"];
            loosens: string[];
            mfa_method: ("passkey" | "totp" | "recovery_code") | null;
            opened_at: string;
            person_id: string;
            reason: string;
            requested_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            };
            required_role: string;
            role_warnings?: string[];
            state: components["schemas"]["ChangeState"];
            subject: {
                id: string;
                type: string;
            };
            what: string;
            you: {
                may_confirm: boolean;
                why_not: {
                    action?: string;
                    code: string;
                    message: string;
                } | null;
            };
        };
        WaitingMailedInvitation: {
            change: {
                [key: string]: unknown;
            };
            change_digest: string;
            closed_at: string | null;
            closed_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            } | null;
            closed_reason: string | null;
            confirmers: {
                display_name: string;
                id: string;
                known_by?: string[];
            }[];
            detail: components["schemas"]["ChangeDetail"];
            expires_at: string;
            id: string;
            kind: components["schemas"]["ChangeKind"];
            loosens: string[];
            mailed_to: string;
            mfa_method: ("passkey" | "totp" | "recovery_code") | null;
            opened_at: string;
            person_id: string;
            reason: string;
            requested_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            };
            required_role: string;
            role_warnings?: string[];
            state: components["schemas"]["ChangeState"];
            subject: {
                id: string;
                type: string;
            };
            what: string;
            you: {
                may_confirm: boolean;
                why_not: {
                    action?: string;
                    code: string;
                    message: string;
                } | null;
            };
        };
        WaitingRunner: {
            change: {
                [key: string]: unknown;
            };
            change_digest: string;
            closed_at: string | null;
            closed_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            } | null;
            closed_reason: string | null;
            confirmers: {
                display_name: string;
                id: string;
                known_by?: string[];
            }[];
            detail: components["schemas"]["ChangeDetail"];
            enrolment_token: string;
            expires_at: string;
            id: string;
            kind: components["schemas"]["ChangeKind"];
            loosens: string[];
            mfa_method: ("passkey" | "totp" | "recovery_code") | null;
            opened_at: string;
            reason: string;
            requested_by: {
                display_name: string;
                id: string;
                known_by?: string[];
            };
            required_role: string;
            role_warnings?: string[];
            state: components["schemas"]["ChangeState"];
            subject: {
                id: string;
                type: string;
            };
            what: string;
            you: {
                may_confirm: boolean;
                why_not: {
                    action?: string;
                    code: string;
                    message: string;
                } | null;
            };
        };
        WantedSignInSettings: {
            browser_session_idle_minutes?: number;
            browser_session_minutes?: number;
            dormant_after_days?: number;
            issuers: components["schemas"]["IssuerDescription"][];
            reauthenticate_after_minutes?: number;
            sign_in_required?: boolean;
        };
        Webhook: {
            ca: string | null;
            created_at: string;
            created_by: string;
            description: string;
            enabled: boolean;
            etag: string;
            events: ("tool.started" | "tool.completed" | "tool.failed" | "task.*" | "plan.*" | "approval.*" | "run.*" | "incident.*" | "session.*" | "guardrail.*")[];
            failing_since: string | null;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            id: string;
            off_reason: ("person" | "gone" | "failing") | null;
            role_warnings?: string[];
            url: string;
        };
        WebhookDelivery: {
            attempts: number;
            body: string;
            created_at: string;
            event: string;
            id: string;
            next_attempt_at: string | null;
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            tries: {
                answer: string | null;
                at: string;
                error: string | null;
                status: number | null;
            }[];
        };
        WebhookDeliveryList: {
            items: components["schemas"]["LoggedWebhookDelivery"][];
            next_cursor: string | null;
        };
        WebhookDetail: {
            ca: string | null;
            created_at: string;
            created_by: string;
            description: string;
            enabled: boolean;
            etag: string;
            events: ("tool.started" | "tool.completed" | "tool.failed" | "task.*" | "plan.*" | "approval.*" | "run.*" | "incident.*" | "session.*" | "guardrail.*")[];
            failing_since: string | null;
            /** @enum {boolean} */
            guarded?: false;
            guardrail_warning?: string;
            id: string;
            off_reason: ("person" | "gone" | "failing") | null;
            role_warnings?: string[];
            secrets: {
                made_at: string;
                until: string | null;
            }[];
            url: string;
        };
        WebhookList: {
            items: components["schemas"]["WebhookDetail"][];
        };
        WebhookSecret: {
            earlier_until: string;
            secret: string;
        };
        WebhookSettings: {
            ca?: string | null;
            description?: string;
            enabled?: boolean;
            events: ("tool.started" | "tool.completed" | "tool.failed" | "task.*" | "plan.*" | "approval.*" | "run.*" | "incident.*" | "session.*" | "guardrail.*")[];
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}