const byId = (id) => document.getElementById(id);

async function call(path, body, method = body === undefined ? 'GET' : 'POST') {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Error(json.detail ?? 'Something went wrong. Please try again.');
  return json;
}

function element(tag, properties = {}, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

const shortTime = (iso) => `${iso.slice(0, 10)} ${iso.slice(11, 16)}`;

// Redraws only what changed, so focus and scroll position stay.
const drawn = new Map();
function draw(node, data, build) {
  const text = JSON.stringify(data);
  if (drawn.get(node) === text) return;
  drawn.set(node, text);
  node.replaceChildren(...build());
}

let offsetMs = 0;
const showTime = () => {
  const now = new Date(Date.now() + offsetMs);
  byId('now').dateTime = now.toISOString();
  byId('now').textContent = `${now.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
};
setInterval(showTime, 1000);
new EventSource('/sandbox/clock/stream').addEventListener('clock', (event) => {
  offsetMs = JSON.parse(event.data).offset_ms;
  showTime();
});

async function refreshClock() {
  const { processes } = await call('/sandbox/clock');
  const down = processes.filter(({ up }) => !up).map(({ name }) => name);
  byId('processes').textContent =
    processes.length === 0
      ? 'No processes connected.'
      : `${processes.length} processes connected${down.length > 0 ? `; down: ${down.join(', ')}` : ''}`;
}

async function travel(body) {
  const buttons = document.querySelectorAll('.clock button');
  for (const button of buttons) button.disabled = true;
  byId('journey').textContent = 'Time is passing…';
  try {
    const { events, unsettled } = await call('/sandbox/clock', body);
    const mails = `${events.emails} mails, ${events.stripe_webhooks} payment events`;
    byId('journey').textContent = `${events.texts_accepted} texts, ${mails}.${
      unsettled.length > 0 ? ` ${unsettled.length} stops did not come to rest.` : ''
    }`;
  } catch (error) {
    byId('journey').textContent = error.message;
  }
  for (const button of buttons) button.disabled = false;
  await refresh();
}
for (const button of document.querySelectorAll('[data-hours]')) {
  button.addEventListener('click', () => travel({ advance_hours: Number(button.dataset.hours) }));
}
byId('travel').addEventListener('submit', (event) => {
  event.preventDefault();
  travel({ advance_to: `${byId('travel-to').value}:00Z` });
});

let open = null;

function numberButton({ number, last_text, blocked }) {
  const button = element('button', { type: 'button' }, number);
  if (blocked) button.append(' · stopped');
  button.append(element('small', { textContent: last_text }));
  if (number === open) button.setAttribute('aria-current', 'true');
  button.addEventListener('click', () => openPhone(number));
  return element('li', {}, button);
}

async function openPhone(number) {
  open = number;
  await refreshPhones();
  byId('reply-text').focus();
}

async function refreshPhones() {
  const phones = await call('/sandbox/phones');
  open ??= phones[0]?.number ?? null;
  draw(byId('numbers'), [phones, open], () => phones.slice(0, 200).map(numberButton));
  if (open === null) return;
  byId('phone-number').textContent = open;
  const bubbles = await call(`/sandbox/phones/${encodeURIComponent(open)}`);
  draw(byId('bubbles'), bubbles, () => bubbles.slice(-100).map(bubble));
}

function bubble({ kind, text, at, status }) {
  const line = kind === 'auto_reply' ? 'by the provider' : (status ?? '');
  const small = element('small', {
    textContent: [shortTime(at), line].filter(Boolean).join(' · '),
  });
  const node = element('li', { className: `bubble ${kind}` }, text, small);
  queueMicrotask(() => node.parentElement?.scrollTo(0, node.parentElement.scrollHeight));
  return node;
}

byId('reply').addEventListener('submit', async (event) => {
  event.preventDefault();
  if (open === null) return;
  await attempt('phone-problem', () =>
    call('/sandbox/inbound', { from: open, text: byId('reply-text').value }),
  );
  byId('reply-text').value = '';
  await refreshPhones();
});
byId('first-text').addEventListener('submit', (event) => {
  event.preventDefault();
  attempt('phone-problem', () => openPhone(byId('first-from').value.replaceAll(/[^+\d]/g, '')));
});

async function attempt(problemId, action) {
  byId(problemId).textContent = '';
  try {
    await action();
  } catch (error) {
    byId(problemId).textContent = error.message;
  }
}

async function refreshMail() {
  const mails = (await call('/sandbox/emails?limit=50')).reverse();
  draw(byId('mails'), mails, () =>
    mails.length === 0
      ? [element('li', { className: 'quiet', textContent: 'No mail yet.' })]
      : mails.map(mailButton),
  );
}

function mailButton(mail) {
  const small = element('small', { textContent: `${mail.to} · ${shortTime(mail.received_at)}` });
  const button = element('button', { type: 'button' }, mail.subject, small);
  button.addEventListener('click', () => showMail(mail));
  return element('li', {}, button);
}

function showMail(mail) {
  byId('mail').hidden = false;
  byId('mail-subject').textContent = mail.subject;
  byId('mail-line').textContent = `${mail.from} to ${mail.to}, ${shortTime(mail.received_at)}`;
  const plain = element('pre', {
    textContent: mail.text,
    style: 'white-space:pre-wrap;font:inherit',
  });
  byId('mail-body').srcdoc = `<base target="_blank">${mail.html ?? plain.outerHTML}`;
}

const dials = [
  ['telnyx_down', 'Texts: provider down', 'switch'],
  ['stripe_down', 'Payments: provider down', 'switch'],
  ['latency_ms.telnyx', 'Texts: latency (ms)', 1],
  ['latency_ms.stripe', 'Payments: latency (ms)', 1],
  ['error.telnyx.rate', 'Texts: rejection rate', 0.01],
  ['error.telnyx.code', 'Texts: rejection code', 'text'],
  ['telnyx.undelivered', 'Texts: undelivered rate', 0.01],
  ['accept_then_drop.telnyx', 'Texts: accepted, response lost (rate)', 0.01],
  ['accept_then_delay_ms.telnyx', 'Texts: accepted, response late (ms)', 1],
  ['webhook.duplicate', 'Webhooks: duplicate rate', 0.01],
  ['webhook.reorder', 'Webhooks: out-of-order rate', 0.01],
  ['webhook.drop', 'Webhooks: loss rate', 0.01],
  ['webhook.wrong_signature', 'Webhooks: invalid signature rate', 0.01],
  ['webhook.delay_ms', 'Webhooks: delay (ms)', 1],
];

const at = (object, path) => path.split('.').reduce((value, key) => value?.[key], object);
const nested = (path, value) =>
  path.split('.').reduceRight((inner, key) => ({ [key]: inner }), value);

function dial(settings, [path, label, kind]) {
  const input = element('input', { name: path });
  const value = at(settings, path);
  if (kind === 'switch') Object.assign(input, { type: 'checkbox', checked: value });
  else if (kind === 'text')
    Object.assign(input, { type: 'text', value: value ?? '', placeholder: '40310' });
  else Object.assign(input, { type: 'number', min: 0, step: kind, value });
  if (kind === 0.01) input.max = 1;
  input.addEventListener('change', () => turn(path, kind, input));
  const name = element('span', { textContent: label });
  return kind === 'switch'
    ? element('label', { className: 'row' }, input, name)
    : element('label', {}, name, input);
}

async function turn(path, kind, input) {
  const value =
    kind === 'switch' ? input.checked : kind === 'text' ? input.value || null : Number(input.value);
  await attempt('faults-state', async () => {
    await call('/sandbox/faults', nested(path, value));
    byId('faults-state').textContent = 'Saved.';
  });
}

function showFaults(settings) {
  byId('faults').replaceChildren(...dials.map((one) => dial(settings, one)));
}
byId('faults-off').addEventListener('click', async () => {
  showFaults(await call('/sandbox/faults', { reset: true }));
  byId('faults-state').textContent = 'Everything works as it should.';
});

async function refresh() {
  await Promise.allSettled([refreshPhones(), refreshMail(), refreshClock()]);
}
showFaults(await call('/sandbox/faults'));
await refresh();
setInterval(refresh, 2000);
