import { BlockList, isIP } from 'node:net'
import { identityBytes, mostIdentity } from '../../contract/protocols/dialled.ts'
import type { ChannelRow } from '../drivers/driver.ts'

/** Whether a text matches a pattern, in which * is any run and ? any one character. Takes time proportional to both lengths. */
const isLike = (pattern: string, text: string) => {
  let [p, t, star, from] = [0, 0, -1, 0]
  while (t < text.length) {
    if (p < pattern.length && (pattern[p] === '?' || (pattern[p] === text[t] && pattern[p] !== '*'))) {
      p++
      t++
    } else if (pattern[p] === '*') {
      star = p++
      from = t
    } else if (star >= 0) {
      p = star + 1
      t = ++from
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

/** An IPv4-mapped IPv6 address as IPv4: ::ffff:10.0.0.1 is 10.0.0.1. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/i, '')

const networksOf = (text: string): BlockList => {
  const list = new BlockList()
  for (const part of text.split(',').map((one) => one.trim())) {
    const [address = '', bits] = part.split('/')
    const family = isIP(address)
    // An invalid network matches no address.
    if (!family || Number(bits ?? 0) > (family === 4 ? 32 : 128)) continue
    list.addSubnet(address, bits === undefined ? (family === 4 ? 32 : 128) : Number(bits), family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/** How the device of a channel is identified. */
export type Identity = {
  /** Length of the registration at the beginning; 0 if it does not match, undefined while more bytes are needed. */
  registered(first: Buffer): number | undefined
  heartbeat: Buffer | undefined
  /** Idle time (ms) after which another connection may replace this one. */
  patienceMs: number
  mayComeFrom(address: string): boolean
}

export const identityOf = ({ Settings = {} }: ChannelRow): Identity => {
  const { RegistrationForm, Registration, HeartbeatForm, Heartbeat, HeartbeatPeriod, Networks } = Settings
  const wanted = Buffer.from(identityBytes(RegistrationForm, Registration) ?? [])
  const heartbeat = identityBytes(HeartbeatForm, Heartbeat)
  const networks = typeof Networks === 'string' && Networks ? networksOf(Networks) : undefined
  return {
    registered: (first) => {
      if (RegistrationForm === 'pattern')
        return isLike(String(Registration), first.toString('latin1').trimEnd()) ? first.length : first.length < mostIdentity ? undefined : 0
      if (first.length < wanted.length) return wanted.subarray(0, first.length).equals(first) ? undefined : 0
      return wanted.length > 0 && first.subarray(0, wanted.length).equals(wanted) ? wanted.length : 0
    },
    heartbeat: heartbeat && Buffer.from(heartbeat),
    patienceMs: Number(HeartbeatPeriod ?? 60) * 3000,
    mayComeFrom: (address) => !networks || networks.check(plain(address), isIP(plain(address)) === 6 ? 'ipv6' : 'ipv4'),
  }
}
