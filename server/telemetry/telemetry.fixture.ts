import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PointMeta, PointRegistry } from './sample.ts'

/** A registry over a list for tests; `change` notifies its listeners. */
export const registryOf = (points: readonly PointMeta[], gateways: Record<string, number> = {}) => {
  const byId = new Map(points.map((point) => [point.Id, point]))
  const listeners = new Set<Parameters<PointRegistry['onChange']>[0]>()
  return {
    get: (id: number) => byId.get(id),
    ofGateway: (sn: string) => [...byId.values()].filter((point) => point.SN === sn),
    enterpriseOf: (sn: string) => gateways[sn] ?? [...byId.values()].find((point) => point.SN === sn)?.EnterpriseId,
    onChange: (listener: Parameters<PointRegistry['onChange']>[0]) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    remove: (Id: number) => {
      byId.delete(Id)
      for (const listener of listeners) listener({ Id, removed: true })
    },
  }
}

export const point = (Id: number, more: Partial<PointMeta> = {}): PointMeta => ({
  ...{
    Id,
    EnterpriseId: 7,
    ProjectId: 1,
    GatewayId: 1,
    SN: 'GATEWAY1',
    DeviceId: 1,
    DeviceName: 'Pump',
    ParaName: `Point ${Id}`,
    IsStore: 0,
  },
  ...{ AlarmLow: null, AlarmHigh: null, ProjectLow: null, ProjectHigh: null },
  ...more,
})

/** Text of a message with one item. */
export const message = (T: number, V: Record<string, unknown>, more: { MsgId?: string; Q?: object; history?: boolean } = {}) => {
  const Items = [{ D: 1, T, V, ...(more.Q ? { Q: more.Q } : {}) }]
  return Buffer.from(JSON.stringify({ MsgId: more.MsgId ?? 'm', Ts: 1, Data: more.history ? { Items, Backfill: 1 } : { Items } }))
}

export const temporaryFolder = async (name: string) => {
  const folder = await mkdtemp(join(tmpdir(), `penstock-${name}-`))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
