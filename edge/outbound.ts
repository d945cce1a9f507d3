// Where sources of messages may lie. Names are resolved once, every answer is judged, and the connection goes to the address that was.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type Allowed, allowedBy, isLinkLocal } from '../contract/networks.ts'
import { DriverFault } from './drivers/driver.ts'

const ownAddresses = () => Object.values(networkInterfaces()).flatMap((of) => of?.map(({ address }) => address) ?? [])

/** A gateway in a plant reaches all but link-local addresses, where metadata services are. */
export const anywhere: Allowed = (address) => !isLinkLocal(address)
/** A gateway on the server's machine reaches what that machine lets tenants reach. @throws Error for an entry that is no network */
export const heldTo = (list: readonly string[]): Allowed => {
  return allowedBy('EDGE_OUTBOUND', list, { thisMachine: 'named', own: ownAddresses })
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
  // One text for all reasons: nobody learns what this machine has.
  if (!found.length || found.some(({ address }) => !allowed(address, port)))
    throw new DriverFault('down', `${bare}:${port} is no address that this gateway may reach`)
  return found[0]!
}
