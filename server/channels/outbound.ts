// Addresses that tenants name are asked for them by the server: nothing of the server's own network may be reached that way
// (security.md S34). Names are resolved once, every answer is judged, and the connection goes to the address that was judged.

import { request as httpRequest, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { withoutPrototype } from '../../contract/prototypes.ts'
import { resolve } from './resolve.ts'

/** Not on the public internet: IANA's special-purpose registries for IPv4 and IPv6. */
const special = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  special.addSubnet(net, bits, 'ipv4')
/** Of IPv6 only global unicast is public, and of that not what carries an IPv4 address inside (6to4, Teredo) or is documentation. */
const global6 = new BlockList()
global6.addSubnet('2000::', 3, 'ipv6')
const special6 = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const)
  special6.addSubnet(net, bits, 'ipv6')

export type Allowed = (address: string, port: number) => boolean

/** One spelling of an address. Mapped addresses (RFC 4291, 2.5.5.2) reach the IPv4 address inside. */
const plainAddress = (address: string) => {
  if (isIPv4(address)) return address
  const shortest = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? address
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(shortest) ?? []
  if (!high || !low) return shortest
  const bits = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')
}

/** Metadata services of clouds, which trust every request from the machine: link-local, Alibaba's and Azure's. */
const metadata = new Set(['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16'])
const isThisMachine = (address: string) =>
  /^(127\.|0\.|::1?$)/.test(address) ||
  metadata.has(address) ||
  Object.values(networkInterfaces()).some((of) => of?.some((own) => own.address === address))

/**
 * `10.1.0.0/16` and `127.0.0.1/32:8025`: what the operator allows beside the public internet, with any or one port. With `thisMachine:
 * 'named'`, a larger network leaves out this machine and metadata services: they need an entry of that one address.
 */
export const allowedBy = (list: readonly string[], { thisMachine }: { thisMachine?: 'named' } = {}): Allowed => {
  const nets = list.map((entry) => {
    const [, net, bits, port] = /^\[?([0-9a-fA-F.:]+?)\]?\/(\d{1,3})(?::(\d{1,5}))?$/.exec(entry) ?? []
    if (!net || !isIP(net))
      throw new Error(`PENSTOCK_OUTBOUND holds "${entry}"; expected a network such as 10.1.0.0/16 or 10.1.2.3/32:8080.`)
    const block = new BlockList()
    block.addSubnet(net, Number(bits), isIPv4(net) ? 'ipv4' : 'ipv6')
    const isNamed = Number(bits) === (isIPv4(net) ? 32 : 128)
    return { block, isNamed, port: port ? Number(port) : undefined }
  })
  return (given, port) => {
    const address = plainAddress(given)
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const needsName = thisMachine === 'named' && isThisMachine(address)
    const matches = nets.some((n) => (n.port ?? port) === port && (n.isNamed || !needsName) && n.block.check(address, family))
    if (matches || needsName) return matches
    return family === 'ipv4' ? !special.check(address, 'ipv4') : global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
  }
}

/** Refusal of an address. The message is the same for every reason, so that nobody can scan the network with it. */
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
  { headers = {}, body = '', method = 'POST', within, timeoutMs = 10_000, most = mostBytes }: PostOptions & { most?: number },
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
        response.on('data', (part: Buffer) => {
          length += part.length
          if (length <= most) parts.push(part)
          else response.destroy()
        })
        response.on('close', () =>
          done({ status: response.statusCode ?? 0, body: Buffer.concat(parts), cut: length > most || !response.complete }),
        )
        response.on('error', failed)
      },
    )
    request.on('error', failed)
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
  timeoutMs?: number
}
