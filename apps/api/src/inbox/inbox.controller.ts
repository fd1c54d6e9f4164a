import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ChangeAbsences, ReadQueue, ReadRequests, type ListedRequest } from '#lib/approval';
import { LocateAutonomyLine } from '#lib/autonomy';
import { inboxSchema, type InboxItemView, type InboxView } from '#lib/api-schemas';
import { TOOL_LEVELS } from '#lib/formats';
import { ReadChanges, type ChangeSeen } from '#lib/change-request';
import { ReadIncidents, type IncidentWaiting } from '#lib/incident';
import type { PersonPrincipal } from '#lib/kernel';
import { absenceView, queuedView, startView } from '../approval/approval-views.js';
import { changeRequestView } from '../change-request/change-views.js';
import { Answers, CurrentPerson, RequirePerson, RequireScope, Summary } from '../http/index.js';
import { incidentView } from '../incident/incident-views.js';
import { byUrgency, type Urgency } from './by-urgency.js';

/** How many of each kind are listed. */
const MAX_ITEMS = 200;
const CRITICAL = TOOL_LEVELS.indexOf('critical');

interface Waiting {
  readonly item: InboxItemView;
  readonly urgency: Urgency;
}

@ApiTags('Inbox')
@Controller('v1/inbox')
export class InboxController {
  constructor(
    private readonly queue: ReadQueue,
    private readonly requests: ReadRequests,
    private readonly changes: ReadChanges,
    private readonly incidents: ReadIncidents,
    private readonly absences: ChangeAbsences,
    private readonly autonomyLines: LocateAutonomyLine,
  ) {}

  @Summary(
    'Everything that waits for the caller: requests to review, approved plans to start by hand, incidents, and changes to confirm. Critical items in production come first, then the oldest.',
  )
  @Get()
  @RequireScope('read')
  @RequirePerson()
  @Answers(200, inboxSchema)
  async read(@CurrentPerson() by: PersonPrincipal): Promise<InboxView> {
    const [queue, starts, changes, incidents, standingIn] = await Promise.all([
      this.queue.execute(by, { limit: MAX_ITEMS, after: null }),
      this.requests.list(by, { startableBy: by.personId }, { limit: MAX_ITEMS, after: null }),
      this.changes.list(by, { confirmable: true }, { limit: MAX_ITEMS, after: null }),
      this.incidents.waitingFor(by, MAX_ITEMS),
      this.absences.standingIn(by),
    ]);
    const requests = [...queue.items, ...starts].map(({ request }) => request);
    const lines = await this.autonomyLines.executeAll(by.tenantId, requests);
    const lineOf = ({ request }: ListedRequest) => lines.get(request) ?? null;
    const items = [
      ...queue.items.map((request) =>
        requestWaiting(request, { kind: 'request', request: queuedView(request, lineOf(request)) }),
      ),
      ...starts.map((request) =>
        requestWaiting(request, { kind: 'start', request: startView(request, lineOf(request)) }),
      ),
      ...incidents.map(incidentWaiting),
      ...changes.map(changeWaiting),
    ].sort((one, other) => byUrgency(one.urgency, other.urgency));
    return {
      items: items.map(({ item }) => item),
      count: items.length,
      more: queue.next !== null || [starts, changes, incidents].some(({ length }) => length >= MAX_ITEMS),
      standing_in: standingIn.map(absenceView),
    };
  }
}

const requestWaiting = ({ request, about }: ListedRequest, item: InboxItemView): Waiting => ({
  item,
  urgency: {
    production: about.environment.production,
    risk: TOOL_LEVELS.indexOf(request.risk),
    targets: request.targets,
    since: ('approvedAt' in request ? request.approvedAt : null) ?? request.openedAt,
  },
});

/** The gate was passed by: nothing of the same environment is more pressing. */
const incidentWaiting = ({ seen, duty }: IncidentWaiting): Waiting => ({
  item: { kind: 'incident', duty, incident: incidentView(seen) },
  urgency: {
    production: seen.production,
    risk: CRITICAL,
    targets: Number.POSITIVE_INFINITY,
    since: seen.incident.openedAt,
  },
});

/** It would loosen the gate of every environment. */
const changeWaiting = (seen: ChangeSeen): Waiting => ({
  item: { kind: 'change', change: changeRequestView(seen) },
  urgency: { production: true, risk: CRITICAL, targets: Number.POSITIVE_INFINITY, since: seen.change.openedAt },
});
