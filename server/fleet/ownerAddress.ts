import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { newestMigration } from '../database/migrate.ts'
import type { OwnerAddress } from './frames.ts'

const ofMachine = () =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'

/**
 * Where other processes of the fleet reach this server: at its host, or at this machine's first IPv4 address if it listens on all. A server with a
 * certificate of its own has none, since that is made out to another name.
 */
export const ownerAddress = ({ host, tlsCert }: { host: string; tlsCert: string | undefined }, port: number): OwnerAddress | undefined => {
  if (tlsCert) return undefined
  const name = host === '0.0.0.0' || host === '::' ? ofMachine() : host
  return { url: `http://${isIPv6(name) ? `[${name}]` : name}:${port}`, schema: newestMigration() }
}
