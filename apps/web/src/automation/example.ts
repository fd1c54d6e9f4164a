/** An automation to begin with: it restarts a service if instances of it are unhealthy. */
export const EXAMPLE = `name: restart-web
description: Restarts the web service of staging if instances are unhealthy.
environment: staging
triggers:
  - type: cron
    schedule: "*/15 8-18 * * MON-FRI"
    time_zone: ${Intl.DateTimeFormat().resolvedOptions().timeZone}
steps:
  - id: look
    type: tool_action
    tool: query_alerts
    arguments: { targets: [stage-web-01] }
  - id: sick
    type: condition
    if: look.unhealthy >= 1
  - id: restart
    type: tool_action
    tool: restart_service_nonprod
    arguments: { targets: [stage-web-01] }
  - id: tell
    type: notify
    message: The web service of staging was restarted.
`;
