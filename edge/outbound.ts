// Where sources of messages may lie. Names are resolved once, every answer is judged, and the connection goes to the address that was.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Allowed, allowedBy, isLinkLocal, isThisMachine } from '../contract/networks.ts'
import { targetOf } from '../contract/protocols/index.ts'
import { type ChannelRow, DriverFault } from './drivers/driver.ts'

const ownAddresses = () => Object.values(networkInterfaces()).flatMap((of) => of?.map(({ address }) => address) ?? [])

/** A gateway in a plant reaches all but link-local addresses, where metadata services are. */
export const anywhere: Allowed = (address) => !isLinkLocal(address)
/** A gateway on the server's machine reaches what that machine lets tenants reach. @throws Error for an entry that is no network */
export const heldTo = (list: readonly string[]): Allowed => {
  return allowedBy('EDGE_OUTBOUND', list, { thisMachine: 'named', own: ownAddresses })
}

/**
 * What drivers and net tests of a gateway on the server's machine reach: the networks around it, and of that machine what the list names.
 * @throws Error for an entry that is no network
 */
export const besideServer = (list: readonly string[]): Allowed => {
  const named = heldTo(list)
  return (address, port) => !isLinkLocal(address) && (!isThisMachine(address, ownAddresses()) || named(address, port))
}

export type Judged = { address: string; family: number }
/** The address to connect to. @throws DriverFault down */
export const judged = async (host: string, port: number, allowed: Allowed): Promise<Judged> => {
  const bare = host.replace(/^\[|\]$/g, '')
  const found = isIP(bare)
    ? [{ address: bare, family: isIP(bare) }]
    : await lookup(bare, { all: true, verbatim: true }).catch((error: Error) => {
        throw new DriverFault('down', `${bare}: ${error.message}`)
      })
  // One text for all reasons, so that it does not reveal what this machine has.
  if (!found.length || found.some(({ address }) => !allowed(address, port)))
    throw new DriverFault('down', `${bare}:${port} is no address that this gateway may reach`)
  return found[0]!
}

const opcuaPort = 4840
/**
 * A channel of a gateway that does not reach everything. Its name is resolved once, so that it leads nowhere else afterwards; sources judge
 * theirs by themselves. @throws DriverFault down
 */
export const judgedChannel = async (row: ChannelRow, reach: Allowed): Promise<ChannelRow> => {
  if (targetOf(row) !== 'dials') return row
  const url = row.Settings?.Url === undefined ? null : URL.parse(String(row.Settings.Url))
  if (url?.protocol !== 'opc.tcp:') return row.Ip ? { ...row, Ip: (await judged(row.Ip, row.Port ?? 0, reach)).address } : row
  const { address, family } = await judged(url.hostname, Number(url.port || opcuaPort), reach)
  url.hostname = family === 6 ? `[${address}]` : address
  return { ...row, Settings: { ...row.Settings, Url: url.href } }
}
