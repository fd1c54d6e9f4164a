/**
 * The program of the card, in the browser of the host's user. It speaks JSON-RPC with the host alone (MCP Apps, 2026-01-26). It
 * asks the host for one tool, which only reads, and writes every value as text.
 */
export const CARD_SCRIPT = String.raw`
'use strict';
const REFRESH_MS = 5000;
const MAX_WORDS = 1000;
const STATES = {
  open: ['Waiting for people', 'warn'],
  approved: ['Approved', 'good'],
  consumed: ['Approved', 'good'],
  denied: ['Rejected', 'bad'],
  changes_requested: ['Changes asked for', 'bad'],
  expired: ['Nobody answered in time', 'bad'],
  voided: ['No longer asked', 'bad'],
};
const VERDICTS = { approve: 'approved', reject: 'rejected', request_changes: 'asked for changes' };
const RISKS = { low: '', medium: 'warn', high: 'bad', critical: 'bad' };

const at = (id) => document.getElementById(id);
const host = { tools: false, links: false };
const waiting = new Map();
let lastId = 0;
let requestId = null;
let address = '';
let deadline = null;
let open = true;

// The origin of a host is not known beforehand, and nothing that is sent is a secret.
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const ask = (method, params) =>
  new Promise((resolve, reject) => {
    lastId += 1;
    waiting.set(lastId, { resolve, reject });
    post({ id: lastId, method, params });
  });

// Characters that are not seen, or that turn the reading direction, would show other words than there are.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/gu;
function textOf(value) {
  const text = typeof value === 'string' ? value.replace(HIDDEN, '\ufffd') : '';
  return text.length > MAX_WORDS ? text.slice(0, MAX_WORDS) + '…' : text;
}

function write(id, text, tone) {
  const element = at(id);
  element.textContent = text;
  element.hidden = text === '';
  if (tone !== undefined) element.className = ('chip ' + tone).trim();
}

function list(id, lines) {
  at(id).replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement('li');
      item.textContent = line;
      return item;
    }),
  );
}

const arrayOf = (value) => (Array.isArray(value) ? value : []);
const rolesOf = (roles) => arrayOf(roles).map(textOf).join(' or ');
const pageOf = (value) => (typeof value === 'string' && /^https?:\/\//.test(value) ? value : '');

function showRequest(request) {
  const [state, tone] = STATES[request.state] || ['', ''];
  open = request.state === 'open';
  requestId = request.id;
  const risk = textOf(request.risk);
  const reason = request.closed_reason ? textOf(request.closed_reason.message) : '';
  write('state', state, tone);
  write('risk', risk === '' ? '' : 'Risk: ' + risk, RISKS[risk] || '');
  const environment = textOf(request.environment);
  write('environment', environment === '' ? '' : request.production ? environment + ' (production)' : environment, request.production ? 'bad' : '');
  write('headline', textOf(request.headline));
  write('reason', reason);
  const words = textOf(request.said_by_the_requester);
  write('words', words);
  at('said').hidden = words === '';
  const missing = arrayOf(request.missing).map(({ count, roles }) => String(count) + ' more: ' + rolesOf(roles));
  list('missing', missing);
  at('who').hidden = !open || missing.length === 0;
  const votes = arrayOf(request.reviews).map(
    ({ person, verdict }) => textOf(person) + ' ' + (VERDICTS[verdict] || textOf(verdict)),
  );
  list('votes', votes.length === 0 ? ['Nobody has answered yet.'] : votes);
  at('answers').hidden = false;
  deadline = open && typeof request.seconds_left === 'number' ? performance.now() + request.seconds_left * 1000 : null;
  showTime();
  showPage(request.page);
}

/** A call says less than its request, which the host may not let the card read. */
function showCall(call) {
  requestId = call.request_id;
  open = call.outcome === 'pending';
  write('state', open ? STATES.open[0] : 'The call is ' + textOf(call.outcome), open ? 'warn' : '');
  showPage(call.page);
}

function showPage(page) {
  address = pageOf(page);
  write('page', address);
  at('where').hidden = address === '';
  at('go').hidden = address === '' || !host.links;
}

function showTime() {
  if (deadline === null) return write('left', '');
  const seconds = Math.max(0, Math.round((deadline - performance.now()) / 1000));
  const two = (number) => String(number).padStart(2, '0');
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  write('left', 'Time left: ' + (parts[0] === 0 ? parts.slice(1) : parts).map(two).join(':'));
}

function show(result) {
  const answer = result && result.structuredContent;
  if (result && result.isError) return write('state', 'Refused', 'bad');
  if (!answer || typeof answer !== 'object') return;
  if (typeof answer.state === 'string') showRequest(answer);
  else if (typeof answer.outcome === 'string') showCall(answer);
  void refresh();
}

let reading = false;
async function refresh() {
  if (reading || !host.tools || typeof requestId !== 'string') return;
  reading = true;
  try {
    const result = await ask('tools/call', { name: 'get_request_status', arguments: { request_id: requestId } });
    const request = result && !result.isError && result.structuredContent;
    if (request) showRequest(request);
    write('stale', request ? '' : 'The host could not read the request. The card shows how it was.');
  } catch {
    write('stale', 'The host could not read the request. The card shows how it was.');
  } finally {
    reading = false;
  }
}

function dress({ theme, styles } = {}) {
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  for (const [name, value] of Object.entries((styles && styles.variables) || {}))
    if (/^--(color|font)-[a-z0-9-]+$/.test(name) && typeof value === 'string')
      document.documentElement.style.setProperty(name, value);
}

const timers = [
  setInterval(showTime, 1000),
  setInterval(() => open && !document.hidden && void refresh(), REFRESH_MS),
];

const notified = {
  'ui/notifications/tool-result': show,
  'ui/notifications/tool-cancelled': () => write('state', 'Cancelled in the chat', ''),
  'ui/notifications/host-context-changed': dress,
};

addEventListener('message', ({ source, data }) => {
  if (source !== parent || !data || data.jsonrpc !== '2.0') return;
  const { id, method, params, result, error } = data;
  if (method === undefined) {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (asked) error ? asked.reject(new Error(String(error.message))) : asked.resolve(result);
  } else if (id === undefined) {
    if (Object.hasOwn(notified, method)) notified[method](params);
  } else if (method === 'ping' || method === 'ui/resource-teardown') {
    if (method !== 'ping') timers.forEach(clearInterval);
    post({ id, result: {} });
  } else post({ id, error: { code: -32601, message: 'Method not found' } });
});

at('go').addEventListener('click', () => void ask('ui/open-link', { url: address }).catch(() => undefined));
new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  post({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } });
}).observe(document.documentElement);

ask('ui/initialize', {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'countersign-request', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline'] },
}).then(({ hostContext, hostCapabilities }) => {
  dress(hostContext);
  host.tools = Boolean(hostCapabilities && hostCapabilities.serverTools);
  host.links = Boolean(hostCapabilities && hostCapabilities.openLinks);
  post({ method: 'ui/notifications/initialized', params: {} });
});
`;
