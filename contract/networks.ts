// Which addresses may be reached, by networks. Servers and gateways judge by the same rules; what is resolved or connected to is theirs.

/** An address as the bits of its kind; `::ffff:` addresses (RFC 4291, 2.5.5.2) reach the IPv4 address inside. */
type Address = { bits: bigint; width: 32 | 128 }

const ipv4 = (text: string): bigint | undefined => {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return undefined
  return parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n)
}
const ipv6 = (text: string): bigint | undefined => {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(':')) return undefined
  const hostname = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1)
  if (!hostname) return undefined
  const [before = '', after] = hostname.split('::')
  const groups = (half: string | undefined) => (half ? half.split(':') : [])
  const [head, tail] = [groups(before), groups(after)]
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...tail].reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n)
}
const mapped = 0xffffn
const addressOf = (text: string): Address | undefined => {
  // The zone of a link-local address names an interface.
  const [bare = ''] = text.split('%')
  const four = ipv4(bare)
  if (four !== undefined) return { bits: four, width: 32 }
  const six = ipv6(bare)
  if (six === undefined) return undefined
  return six >> 32n === mapped ? { bits: six & 0xffff_ffffn, width: 32 } : { bits: six, width: 128 }
}

/** A network, perhaps with one port: `10.1.0.0/16`, `[::1]/128:8080`. */
type Net = Address & { prefix: number; port: number | undefined }
const netOf = (text: string): Net | undefined => {
  const [, net = '', prefix = '', port] = /^\[?([0-9a-fA-F.:]+?)\]?\/(\d{1,3})(?::(\d{1,5}))?$/.exec(text) ?? []
  const address = addressOf(net)
  if (!address || Number(prefix) > address.width) return undefined
  return { ...address, prefix: Number(prefix), port: port === undefined ? undefined : Number(port) }
}
const holds = ({ bits, width, prefix }: Net, address: Address) =>
  width === address.width && (bits ^ address.bits) >> BigInt(width - prefix) === 0n
const netsOf = (...texts: string[]) => texts.map((text) => netOf(text)!)
const within = (nets: readonly Net[], address: Address) => nets.some((net) => holds(net, address))

/** Not on the public internet: IANA's special-purpose registries. */
const special = netsOf(
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24'],
  ...['192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // What carries an IPv4 address inside (6to4, Teredo), or is documentation.
  ...['2001::/23', '2001:db8::/32', '2002::/16'],
)
/** Of IPv6 only global unicast is public. */
const global6 = netsOf('2000::/3')
const loopback = netsOf('127.0.0.0/8', '0.0.0.0/8', '::/127')
/** Services of clouds that trust every request from the machine: Amazon's, Alibaba's and Azure's. */
const metadata = netsOf('169.254.169.254/32', 'fd00:ec2::254/128', '100.100.100.200/32', '168.63.129.16/32')
const linkLocal = [...netsOf('169.254.0.0/16', 'fe80::/10'), ...metadata]

const isOneOf = (address: Address, texts: readonly string[]) =>
  texts.some((text) => {
    const other = addressOf(text)
    return other?.width === address.width && other.bits === address.bits
  })

/** Link-local, where metadata services are, too. */
export const isLinkLocal = (text: string) => {
  const address = addressOf(text)
  return address !== undefined && within(linkLocal, address)
}

/** Whether an address is this machine: loopback or one of its interfaces. */
export const isThisMachine = (text: string, own: readonly string[]) => {
  const address = addressOf(text)
  if (!address) return false
  return within(loopback, address) || isOneOf(address, own)
}

export type Allowed = (address: string, port: number) => boolean
type Options = {
  /** `named`: a larger network leaves out this machine and metadata services; they need an entry of that one address. */
  thisMachine?: 'named'
  /** Further addresses of this machine. */
  own?: () => readonly string[]
}

/** The public internet and the networks of a list. @throws Error for an entry that is none, with the name of its setting */
export const allowedBy = (setting: string, list: readonly string[], { thisMachine, own = () => [] }: Options = {}): Allowed => {
  const nets = list.map((entry) => {
    const net = netOf(entry)
    if (!net) throw new Error(`${setting} holds "${entry}"; expected a network such as 10.1.0.0/16 or 10.1.2.3/32:8080.`)
    return net
  })
  const isOwn = (address: Address) => within(loopback, address) || within(metadata, address) || isOneOf(address, own())
  return (text, port) => {
    const address = addressOf(text)
    if (!address) return false
    const needsName = thisMachine === 'named' && isOwn(address)
    const matches = nets.some((net) => (net.port ?? port) === port && (net.prefix === net.width || !needsName) && holds(net, address))
    if (matches || needsName) return matches
    return address.width === 32 ? !within(special, address) : within(global6, address) && !within(special, address)
  }
}
