// Addresses of callers: which part of one counts as one caller, and which peers are our own proxies.
import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** An address without port, brackets and zone. IPv4 mapped into IPv6 becomes IPv4; what is no address becomes undefined. */
const plain = (text: string): string | undefined => {
  const [, host = text] = /^\[([^\]]*)\](?::\d+)?$/.exec(text) ?? /^([\d.]+):\d+$/.exec(text) ?? []
  const bare = host.replace(/%.*$/, '')
  if (!isIPv6(bare)) return isIPv4(bare) ? bare : undefined
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address
}
const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Limits count by this: an IPv4 address, or the /64 of an IPv6 address, because a household or a rented server has all of it. */
export const networkOf = (address: string): string => {
  const bare = plain(address) ?? address.slice(0, 45)
  if (!isIPv6(bare)) return bare
  const [left = '', right] = bare.split('::')
  const head = left ? left.split(':') : []
  const tail = right ? right.split(':') : []
  // Behind `::` an embedded IPv4 address takes the room of two groups.
  const groups = tail.length + Number(tail.at(-1)?.includes('.') ?? false)
  const zeros = right === undefined ? [] : Array<string>(8 - head.length - groups).fill('0')
  const first = [...head, ...zeros, ...tail].slice(0, 4)
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Whether a network is internal to this machine. */
export const isOwn = (network: string) => network.startsWith('127.') || network === networkOf('::1')

/** Whether a peer is a proxy of ours; `hop` counts back from the server, the peer of the socket is 0. */
export type TrustProxy = (address: string, hop: number) => boolean

/** `off`, `on` (one hop), a number of hops, or networks such as `10.1.0.0/16,10.2.3.4`; throws for anything else. */
export const trustProxy = (value: string): TrustProxy | false => {
  const text = value.trim().toLowerCase()
  if (text === 'off') return false
  const hops = text === 'on' ? 1 : /^[1-9]\d?$/.test(text) ? Number(text) : undefined
  if (hops) return (_address, hop) => hop < hops
  const networks = new BlockList()
  for (const entry of text.split(',').map((e) => e.trim())) {
    const [net = '', bits] = entry.split('/')
    const width = isIPv4(net) ? 32 : 128
    if (!isIP(net) || net.includes('%') || (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width || !Number(bits))))
      throw new Error(`must be off, on, a number of hops, or networks such as 10.1.0.0/16,10.2.3.4; it is "${value}".`)
    networks.addSubnet(net, Number(bits ?? width), familyOf(net))
  }
  return (address) => {
    const bare = plain(address)
    return bare !== undefined && networks.check(bare, familyOf(bare))
  }
}

/** A request's caller, as Fastify finds it: the first address before those of our proxies. Undefined if it is no address. */
export const callerOf = ({ socket, headers }: IncomingMessage, trusts: TrustProxy | false): string | undefined => {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
  const hops = [
    socket.remoteAddress ?? '',
    ...forwarded
      .split(',')
      .map((address) => address.trim())
      .filter(Boolean)
      .reverse(),
  ]
  const at = hops.findIndex((address, hop) => trusts === false || !trusts(address, hop))
  return plain(hops.at(at)!) ?? plain(hops[0]!)
}

/** Whether an address lies in one of the networks; throws for a list that names something else. */
export const within = (list: string, ip: string) => {
  const address = plain(ip) ?? ''
  const networks = new BlockList()
  for (const entry of list
    .split(',')
    .map((e) => e.trim())
    .filter(Boolean)) {
    const [net = '', bits] = entry.split('/')
    networks.addSubnet(net, bits ? Number(bits) : isIPv4(net) ? 32 : 128, familyOf(net))
  }
  return networks.check(address, familyOf(address))
}

/** Some proxies add a port to the address. Without this, each port would count as another caller. */
export const cleanAddresses = (app: FastifyInstance) =>
  app.addHook('onRequest', async (request) => {
    const value = plain(request.ip ?? '') ?? plain(request.socket.remoteAddress ?? '') ?? ''
    Object.defineProperty(request, 'ip', { value })
  })
