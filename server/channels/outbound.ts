// Addresses that tenants name are asked for them by the server: nothing of the server's own network may be reached that way
// (security.md S34). Names are resolved once, every answer is judged, and the connection goes to the address that was judged.

import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Allowed, allowedBy as allowedNetworks } from '../../contract/networks.ts'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { crumbs, cutInterim } from '../../contract/strangers.ts'
import { resolve } from './resolve.ts'

export type { Allowed }

const ownAddresses = () => Object.values(networkInterfaces()).flatMap((of) => of?.map(({ address }) => address) ?? [])

/**
 * `10.1.0.0/16` and `127.0.0.1/32:8025`: what the operator allows beside the public internet, with any or one port. With `thisMachine:
 * 'named'`, a larger network leaves out this machine and metadata services: they need an entry of that one address.
 */
export const allowedBy = (list: readonly string[], options: { thisMachine?: 'named' } = {}): Allowed =>
  allowedNetworks('PENSTOCK_OUTBOUND', list, { ...options, own: ownAddresses })

/** Refusal of an address. The message is the same for every reason, so that it cannot be used to scan the network. */
export class Refused extends Error {
  /** The name server did not answer: another try may do. */
  readonly again: boolean
  constructor(message = 'This address does not exist or is not allowed.', again = false) {
    super(message)
    this.again = again
  }
}

/** A name that does not exist is refused like an inner one: otherwise the answers reveal which internal names exist. */
const unresolved = (error: NodeJS.ErrnoException): never => {
  throw new Refused(undefined, error.code !== 'ENOTFOUND')
}

/** What may be reached, and the tenant that names it. */
export type Within = { allowed: Allowed; tenant: number }

/** The address to connect to; throws Refused when any answer of the name server is not allowed. */
export const judged = async (host: string, port: number, { allowed, tenant }: Within): Promise<{ address: string; family: number }> => {
  const bare = host.replace(/^\[|\]$/g, '')
  const found = isIP(bare) ? [{ address: bare, family: isIP(bare) }] : await resolve(bare, tenant).catch(unresolved)
  if (!found.length || found.some(({ address }) => !allowed(address, port))) throw new Refused()
  return found[0]!
}

export type Reply = { status: number; text: string }
export type Content = { status: number; body: Buffer; cut: boolean }
const mostBytes = 64 * 1024

/** Asks an address; redirects are not followed, longer answers are cut. `within` is left out for the operator's own providers. */
export const exchange = async (
  to: string,
  { headers = {}, body = '', method = 'POST', within, certificate, timeoutMs = 10_000, most = mostBytes }: PostOptions & { most?: number },
): Promise<Content> => {
  const url = new URL(to)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Refused('Only http and https are spoken.')
  if (url.username || url.password) throw new Refused('An address with a password in it is not allowed.')
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const pinned = within && (await judged(url.hostname, port, within))
  return new Promise<Content>((done, failed) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      withoutPrototype<RequestOptions>({
        method,
        ...certificate,
        headers: { 'content-length': Buffer.byteLength(body), ...headers },
        signal: AbortSignal.timeout(timeoutMs),
        ...(pinned
          ? {
              lookup: (_host, options, answer) =>
                options.all
                  ? answer(null, [pinned])
                  : (answer as (e: null, a: string, f: number) => void)(null, pinned.address, pinned.family),
            }
          : {}),
      }),
      (response) => {
        const parts: Buffer[] = []
        let length = 0
        const areCrumbs = crumbs()
        response.on('data', (part: Buffer) => {
          length += part.length
          if (length <= most && !areCrumbs(part)) parts.push(part)
          else response.destroy()
        })
        response.on('close', () =>
          done({ status: response.statusCode ?? 0, body: Buffer.concat(parts), cut: length > most || !response.complete }),
        )
        response.on('error', failed)
      },
    )
    request.on('error', failed)
    cutInterim(request)
    request.end(body)
  })
}

/** The answer as text. */
export const post = async (to: string, options: PostOptions): Promise<Reply> => {
  const { status, body } = await exchange(to, options)
  return { status, text: body.toString('utf8') }
}
type PostOptions = {
  headers?: Record<string, string>
  body?: string
  method?: 'POST' | 'GET'
  within?: Within
  /** PEM of the client certificate for TLS, and of its key. */
  certificate?: { cert: string; key: string }
  timeoutMs?: number
}
