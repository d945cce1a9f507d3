// Messages with readings, at the process that stores them.
import type { Ingest } from '../../../../server/telemetry/ingest.ts'
import type { Rejected } from '../../../../server/telemetry/sample.ts'
import type { Registry } from './registry.ts'

export type ReadingOptions = {
  registry: Registry
  /** Stores the readings of a message and returns the MsgId to acknowledge; rejects if they could not be stored. */
  ingest: Ingest['accept']
  /** Whether readings of a tenant are stored at present. */
  stores(EnterpriseId: number): boolean
  reject(gateway: { EnterpriseId: number; SN: string }, reason: Rejected['reason'], detail: string, payload: Buffer): unknown
}

/** A gateway that signs in immediately after its creation may be faster than the change message. */
export const knownGateway = async (registry: Registry, sn: string) =>
  registry.gateway(sn) ?? registry.settled().then(() => registry.gateway(sn))

/** Rejects a message of a box that was released or replaced, at its former gateway. Acknowledged, so that the box does not repeat it forever. */
export const refuseFormerReadings = async (
  { registry, reject }: Pick<ReadingOptions, 'registry' | 'reject'>,
  sn: string,
  kind: string,
  payload: Buffer,
) => {
  const former = registry.formerGateway(sn)
  if (former && (kind === 'data' || kind === 'history'))
    await reject({ EnterpriseId: former.EnterpriseId, SN: sn }, 'formerGateway', kind, payload)
  return former
}

/** Stores the readings of a known gateway. A closed tenant's are acknowledged and counted, so that the gateway does not keep them forever. */
export const takeReadings = (
  { ingest, stores }: Pick<ReadingOptions, 'ingest' | 'stores'>,
  { EnterpriseId }: { EnterpriseId: number },
  [sn, kind, payload]: [string, 'data' | 'history', Buffer],
) => ingest(sn, kind, payload, stores(EnterpriseId) ? undefined : 'tenantClosed')
