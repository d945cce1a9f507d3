import { resolve } from 'node:path'
import type { Allowed } from '../contract/networks.ts'
import type { GatewayOptions } from './agent.ts'
import { readPlaces } from './listening/allowed.ts'
import { anywhere, besideServer, heldTo } from './outbound.ts'

const known = ['SERVER', 'SN', 'KEY', 'DATA', 'BUFFER_MB', 'LISTEN', 'OUTBOUND']

const listOf = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
/** Where sources of a gateway may lie: one on the machine of its server is held to the list, even to an empty one. */
const outboundOf = (text: string | undefined, server: string, problems: string[]): Allowed => {
  if (text === undefined && !/^\w+:\/\/(127\.|localhost\b|\[::1\])/.test(server)) return anywhere
  try {
    return heldTo(listOf(text))
  } catch (error) {
    problems.push((error as Error).message)
    return anywhere
  }
}

/** Every environment variable of the gateway, parsed once. Unknown or malformed ones are refused by name; the key is never repeated. */
export const readSettings = (env: Record<string, string | undefined>): GatewayOptions => {
  const problems: string[] = []
  for (const name of Object.keys(env))
    if (name.startsWith('EDGE_') && !known.includes(name.slice('EDGE_'.length)))
      problems.push(`${name} is not a setting. Known: ${known.map((k) => `EDGE_${k}`).join(', ')}.`)
  const server = env.EDGE_SERVER ?? 'mqtt://127.0.0.1:8421'
  if (!/^(mqtts?|tcp|ssl|wss?):\/\/[^/]/.test(server)) problems.push(`EDGE_SERVER must be like mqtt://host:port; it is "${server}".`)
  const sn = env.EDGE_SN ?? ''
  if (!/^[0-9A-Z]{8,32}$/.test(sn)) problems.push(`EDGE_SN must be 8 to 32 capital letters and digits; it is "${sn}".`)
  const key = env.EDGE_KEY ?? ''
  if (!key) problems.push('EDGE_KEY is missing: the key that was shown when the gateway was made.')
  const bufferMb = Number(env.EDGE_BUFFER_MB ?? 1024)
  if (!(bufferMb >= 1)) problems.push(`EDGE_BUFFER_MB must be a number from 1; it is "${env.EDGE_BUFFER_MB}".`)
  const listen = readPlaces(env.EDGE_LISTEN ?? '')
  if (!listen) problems.push(`EDGE_LISTEN must be like 9000-9010, 10.0.0.5:7000; it is "${env.EDGE_LISTEN}".`)
  const outbound = outboundOf(env.EDGE_OUTBOUND, server, problems)
  if (problems.length || !listen) throw new Error(`Settings:\n  ${problems.join('\n  ')}`)
  // Drivers are restricted only if a list is set: most gateways are in a plant, even on the server's machine.
  const reach = env.EDGE_OUTBOUND === undefined ? {} : { reach: besideServer(listOf(env.EDGE_OUTBOUND)) }
  return { server, sn, key, data: resolve(env.EDGE_DATA ?? './edge-data'), bufferMb, listen, outbound, ...reach }
}
