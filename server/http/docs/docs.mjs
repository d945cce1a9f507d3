// The page at /api/docs: every call with its schema, and a form that sends it with a program's key or the current session.
const byId = (id) => document.getElementById(id)
const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

const bytes = (text) => new TextEncoder().encode(text)
const hex = (buffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, '0')).join('')
const hmac = async (key, text) => {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return crypto.subtle.sign('HMAC', imported, bytes(text))
}

/** The headers that say who calls: the key that was pasted, else the console's token. Signing needs HTTPS, or this machine: elsewhere browsers have no crypto. */
const authorization = async (method, target, body) => {
  const [accessKey, secret] = [byId('accessKey').value.trim(), byId('secret').value.trim()]
  if (!accessKey) {
    const token = localStorage.getItem('Authorization')
    return token ? { authorization: `Bearer ${token}` } : {}
  }
  if (byId('scheme').value === 'bearer') return { authorization: `Bearer ${accessKey}.${secret}` }
  if (!crypto.subtle) throw new Error('Signing needs HTTPS. Use bearer here.')
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = hex(crypto.getRandomValues(new Uint8Array(12)))
  const contentSha256 = hex(await crypto.subtle.digest('SHA-256', bytes(body)))
  const key = await hmac(bytes(secret), 'penstock-hmac-1')
  const signature = hex(await hmac(key, [method, target, timestamp, nonce, contentSha256].join('\n')))
  const parts = { AccessKey: accessKey, Timestamp: timestamp, Nonce: nonce, ContentSha256: contentSha256, Signature: signature }
  const said = Object.entries(parts).map(([name, value]) => `${name}=${value}`)
  return { authorization: `PENSTOCK-HMAC-SHA256 ${said.join(', ')}` }
}

/** A body to begin with: every field the schema names, of its kind. */
const sampleOf = (schema = {}) => {
  const one = schema.anyOf?.find((s) => s.type !== 'null') ?? schema
  if (one.const !== undefined) return one.const
  if (one.enum) return one.enum[0]
  const type = Array.isArray(one.type) ? one.type[0] : one.type
  if (type === 'object' || one.properties)
    return Object.fromEntries(Object.entries(one.properties ?? {}).map(([name, s]) => [name, sampleOf(s)]))
  return { array: [], string: '', boolean: false, integer: Math.max(0, one.minimum ?? 0), number: 0 }[type] ?? null
}

const trial = (method, path, operation) => {
  const schema = Object.values(operation.requestBody?.content ?? {})[0]?.schema
  const query = (operation.parameters ?? []).filter((p) => p.in === 'query')
  const target = make('input', {
    size: 70,
    value: `${path}${query.length ? `?${query.map((p) => `${p.name}=`).join('&')}` : ''}`,
    ariaLabel: 'Path',
  })
  const body = schema && make('textarea', { rows: 6, value: JSON.stringify(sampleOf(schema), null, 1), ariaLabel: 'Body' })
  const answer = make('pre', { hidden: true })
  const send = make('button', { type: 'button', textContent: 'Send' })
  send.onclick = async () => {
    send.disabled = true
    answer.hidden = false
    try {
      const text = body?.value ?? ''
      const headers = {
        ...(await authorization(method, target.value, text)),
        ...(text ? { 'content-type': 'application/json' } : {}),
      }
      const reply = await fetch(target.value, { method, headers, credentials: 'omit', ...(text ? { body: text } : {}) })
      const said = await reply.text()
      answer.textContent = `HTTP ${reply.status}\n${said.startsWith('{') ? JSON.stringify(JSON.parse(said), null, 1) : said.slice(0, 5000)}`
    } catch (error) {
      answer.textContent = String(error)
    }
    send.disabled = false
  }
  return make('div', {}, make('p', {}, `${method} `, target, ' ', send), ...(body ? [body] : []), answer)
}

const call = (path, method, operation) => {
  const details = make(
    'details',
    {},
    make('summary', {}, make('code', { textContent: `${method} ${path}` }), ` ${operation['x-permission'] ?? ''}`),
  )
  details.dataset.text = `${method} ${path} ${operation['x-permission']}`.toLowerCase()
  details.ontoggle = () => {
    if (!details.open || details.children.length > 1) return
    const shown = {
      permission: operation['x-permission'],
      parameters: operation.parameters,
      body: operation.requestBody?.content,
      answer: operation.responses?.[200],
    }
    details.append(trial(method, path, operation), make('pre', { textContent: JSON.stringify(shown, null, 1) }))
  }
  return details
}

const narrow = () => {
  const wanted = byId('find').value.trim().toLowerCase()
  for (const details of byId('calls').children) details.hidden = !details.dataset.text.includes(wanted)
}

const load = async () => {
  byId('status').textContent = 'Loading …'
  try {
    const target = '/api/openapi.json'
    const reply = await fetch(target, { headers: await authorization('GET', target, ''), credentials: 'omit' })
    const answer = await reply.json()
    if (!answer.paths) throw new Error(reply.status === 401 ? 'Sign in to the console, or enter the key of a program.' : answer.Errors)
    const calls = Object.entries(answer.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([verb, operation]) => call(path, verb.toUpperCase(), operation)),
    )
    byId('calls').replaceChildren(...calls)
    narrow()
    byId('status').textContent = `${calls.length} calls`
  } catch (error) {
    byId('status').textContent = error.message
  }
}

byId('find').oninput = narrow
byId('key').onsubmit = (event) => {
  event.preventDefault()
  load()
}
load()
