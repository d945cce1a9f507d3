import { Agent, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import type { Allowed } from '../../../contract/networks.ts'
import { httpSource as protocol, readHeaders } from '../../../contract/protocols/http-source.ts'
import { secretsOf, settingOf } from '../../../contract/protocols/settings.ts'
import { withoutPrototype } from '../../../contract/prototypes.ts'
import { crumbs, cutInterim } from '../../../contract/strangers.ts'
import { judged } from '../../outbound.ts'
import { type ChannelRow, DriverFault, type Frame } from '../driver.ts'
import { masked } from '../secrets.ts'

type Answer = { status: number; body: string }
type Setting = (name: string) => string

/** Maximum bytes of an answer, and bytes shown in a trace. */
const [mostBytes, shownBytes] = [1024 * 1024, 2000]

const bodyOf = (answer: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    const areCrumbs = crumbs()
    answer.on('data', (part: Buffer) => {
      length += part.length
      parts.push(part)
      const isCrumbled = areCrumbs(part)
      if (length <= mostBytes && !isCrumbled) return
      answer.destroy()
      reject(new DriverFault('garbled', isCrumbled ? 'the answer comes in crumbs' : `the answer is longer than ${mostBytes} bytes`))
    })
    answer.once('close', () => {
      if (answer.complete) resolve(Buffer.concat(parts).toString('utf8'))
      else reject(new DriverFault('silent', 'the connection ended in the middle of an answer'))
    })
    answer.once('error', (error) => reject(new DriverFault('silent', error.message)))
  })

const signInOf = (setting: Setting): Record<string, string> => {
  const how = setting('HttpSignIn')
  if (how === 'basic') return { authorization: `Basic ${Buffer.from(`${setting('User')}:${setting('UserPassword')}`).toString('base64')}` }
  if (how === 'bearer') return { authorization: `Bearer ${setting('Token')}` }
  return how === 'header' ? { [setting('TokenHeader') || 'x-api-key']: setting('Token') } : {}
}
/** Headers of a request besides the credentials. Headers of the channel come last. */
const headersOf = (setting: Setting, body: string): Record<string, string> => ({
  ...{ accept: 'application/json', 'accept-encoding': 'identity', ...(body ? { 'content-type': 'application/json' } : {}) },
  ...Object.fromEntries((readHeaders(setting('Headers')) ?? []).map(([name, value]) => [name.toLowerCase(), value])),
  ...(body ? { 'content-length': String(Buffer.byteLength(body)) } : {}),
})

type Request = { url: URL; method: string; body: string; headers: Record<string, string>; agent: Agent; ca: string; signal: AbortSignal }
const placeOf = (url: URL) => ({ host: url.hostname, port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80) })
const fetchAnswer = async ({ url, body, ca, ...request }: Request, outbound: Allowed): Promise<Answer> => {
  const { host, port } = placeOf(url)
  // A numeric address needs no lookup.
  await judged(host, port, outbound)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      withoutPrototype<RequestOptions>({
        ...request,
        ...(ca ? { ca } : {}),
        lookup: (name, options, found) => {
          judged(name, port, outbound).then(
            (one) => (options.all ? found(null, [one]) : (found as (e: null, a: string, f: number) => void)(null, one.address, one.family)),
            (error: Error) => found(error, []),
          )
        },
      }),
      resolve,
    )
    asked.on('error', reject)
    cutInterim(asked)
    asked.end(body)
  })
  return { status: answer.statusCode ?? 0, body: await bodyOf(answer) }
}

/** Link to a web service. Requests share one connection. */
export class HttpLink {
  readonly #setting: Setting
  readonly #outbound: Allowed
  readonly #base: URL
  readonly #secrets: readonly string[]
  #agent: Agent | undefined
  #running: AbortController | undefined
  #trace: ((frame: Frame) => void) | undefined

  constructor({ Settings }: ChannelRow, outbound: Allowed) {
    this.#setting = (name) => String(settingOf(protocol.channel, Settings, name) ?? '')
    this.#outbound = outbound
    this.#base = new URL(this.#setting('Url'))
    this.#secrets = secretsOf(protocol.channel).map(this.#setting).filter(Boolean)
  }

  get connected() {
    return this.#agent !== undefined
  }

  trace(receive: ((frame: Frame) => void) | undefined) {
    this.#trace = receive
  }

  /** @throws DriverFault down */
  async open() {
    const { host, port } = placeOf(this.#base)
    await judged(host, port, this.#outbound)
    const options = { keepAlive: true, maxSockets: 1 }
    this.#agent ??= this.#base.protocol === 'https:' ? new SecureAgent(options) : new Agent(options)
  }

  /** Redirects are not followed. @throws DriverFault silent, garbled, address, down */
  async ask(path: string, timeoutMs: number): Promise<Answer> {
    if (!this.#agent) throw new DriverFault('down', 'not connected')
    const url = new URL(this.#setting('Url') + path)
    // The path of a device must not lead to another host.
    if (url.host !== this.#base.host) throw new DriverFault('address', 'the path leads to another host')
    const stop = new AbortController()
    this.#running = stop
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      stop.abort()
    }, timeoutMs)
    const method = this.#setting('Method')
    const body = method === 'POST' ? this.#setting('Body') : ''
    const headers = headersOf(this.#setting, body)
    const lines = [
      `${method} ${url.pathname}${url.search} HTTP/1.1`,
      `host: ${url.host}`,
      ...Object.entries(headers).map((h) => h.join(': ')),
    ]
    this.#tell(true, `${lines.join('\r\n')}\r\n\r\n${body}`, `${method} ${url.href}`)
    const request = { url, method, body, agent: this.#agent, ca: this.#setting('CaCertificate'), signal: stop.signal }
    try {
      const answer = await fetchAnswer({ ...request, headers: { ...headers, ...signInOf(this.#setting) } }, this.#outbound)
      this.#tell(false, answer.body, `status ${answer.status}, ${answer.body.length} characters`)
      return answer
    } catch (error) {
      const why = isLate ? `no answer within ${timeoutMs} ms` : (error as Error).message
      this.#tell(false, '', `no answer: ${why}`)
      throw error instanceof DriverFault && !isLate ? error : new DriverFault('silent', why)
    } finally {
      clearTimeout(timer)
      if (this.#running === stop) this.#running = undefined
    }
  }

  close() {
    this.#running?.abort()
    this.#agent?.destroy()
    this.#agent = undefined
  }

  #tell(isSent: boolean, text: string, meaning: string) {
    const hide = (shown: string) => masked(Buffer.from(shown).subarray(0, shownBytes), this.#secrets)
    this.#trace?.({ isSent, bytes: hide(text), meaning: hide(meaning).toString() })
  }
}
