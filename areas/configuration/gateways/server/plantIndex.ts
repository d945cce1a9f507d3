import type { PointMeta, PointRegistry } from '../../../../server/telemetry/sample.ts'

/** Data of a gateway that the server holds in memory. */
export type GatewayMeta = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  GatewayName: string
  GatewayTypeId: number
  /** Null of a released gateway. */
  SN: string | null
  /** Serial number of the previous box. */
  FormerSN: string | null
  /** s */
  HeartbeatPeriod: number
  OnlineStatus: 0 | 1 | 2
  /** The version that the gateway reports. */
  ConfigVersion: number | null
  /** 1 if the gateway reports that it is locked; null before its first report. */
  RemoteLock: 0 | 1 | null
  /** Announced capabilities; null before its first birth message. */
  Capabilities: readonly string[] | null
}
/** A gateway with a serial number. */
export type ConnectedGateway = GatewayMeta & { SN: string }
export type DeviceMeta = { Id: number; EnterpriseId: number; GatewayId: number; DeviceName: string; Status: number; ModelId: number | null }

type Limits = Pick<PointMeta, 'IsStore' | 'AlarmLow' | 'AlarmHigh' | 'ProjectLow' | 'ProjectHigh' | 'AxisMin' | 'AxisMax' | 'ParaDataType'>
export type PointRow = Limits & { Id: number; DeviceId: number; ParaName: string }

type Listener = Parameters<PointRegistry['onChange']>[0]

const member = (groups: Map<number, Set<number>>, group: number, id: number, is: boolean) => {
  const set = groups.get(group) ?? new Set()
  if (is) groups.set(group, set.add(id))
  else if (set.delete(id) && !set.size) groups.delete(group)
}

/** Gateways, devices and points in memory: about 250 bytes per point, with shared names. */
export class PlantIndex {
  readonly gateways = new Map<number, GatewayMeta>()
  readonly bySn = new Map<string, ConnectedGateway>()
  readonly byFormerSn = new Map<string, GatewayMeta>()
  readonly devices = new Map<number, DeviceMeta>()
  readonly points = new Map<number, PointMeta>()
  /** Point ids by device, device ids by gateway. */
  readonly #ofDevice = new Map<number, Set<number>>()
  readonly #ofGateway = new Map<number, Set<number>>()
  /** Points by gateway id. */
  readonly #lists = new Map<number, readonly PointMeta[]>()
  readonly #listeners = new Set<Listener>()

  #emit(...change: Parameters<Listener>) {
    for (const listener of this.#listeners) listener(...change)
  }
  onChange(listener: Listener) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  putPoint(row: PointRow) {
    const device = this.devices.get(row.DeviceId)
    const gateway = device && this.gateways.get(device.GatewayId)
    if (!gateway) return
    const { EnterpriseId, ProjectId, Id: GatewayId, SN } = gateway
    const { Id, DeviceId, ParaName, IsStore, AlarmLow, AlarmHigh, ProjectLow, ProjectHigh, AxisMin, AxisMax, ParaDataType } = row
    const { DeviceName } = device
    const meta: PointMeta = {
      ...{ Id, EnterpriseId, ProjectId, GatewayId, SN: SN ?? '', DeviceId, DeviceName, ParaName },
      ...{ IsStore, AlarmLow, AlarmHigh, ProjectLow, ProjectHigh, AxisMin, AxisMax, ParaDataType },
    }
    const before = this.points.get(Id)
    this.points.set(Id, meta)
    member(this.#ofDevice, DeviceId, Id, true)
    this.#lists.delete(GatewayId)
    if (before) this.#lists.delete(before.GatewayId)
    this.#emit(meta, before)
  }
  dropPoint(id: number) {
    const old = this.points.get(id)
    if (!old) return
    this.points.delete(id)
    member(this.#ofDevice, old.DeviceId, id, false)
    this.#lists.delete(old.GatewayId)
    this.#emit({ Id: id, removed: true })
  }
  putDevice(row: DeviceMeta) {
    const old = this.devices.get(row.Id)
    if (old && old.GatewayId !== row.GatewayId) member(this.#ofGateway, old.GatewayId, row.Id, false)
    this.devices.set(row.Id, row)
    member(this.#ofGateway, row.GatewayId, row.Id, true)
  }
  dropDevice(id: number) {
    for (const point of this.#ofDevice.get(id) ?? []) this.dropPoint(point)
    const old = this.devices.get(id)
    if (old) member(this.#ofGateway, old.GatewayId, id, false)
    this.devices.delete(id)
  }
  putGateway(row: GatewayMeta) {
    this.gateways.set(row.Id, row)
    if (row.SN) this.bySn.set(row.SN, row as ConnectedGateway)
    if (row.FormerSN) this.byFormerSn.set(row.FormerSN, row)
  }
  /** Removes the serial numbers of a gateway, unless another gateway has them by now. */
  dropSerials({ Id, SN, FormerSN }: GatewayMeta) {
    if (SN && this.bySn.get(SN)?.Id === Id) this.bySn.delete(SN)
    if (FormerSN && this.byFormerSn.get(FormerSN)?.Id === Id) this.byFormerSn.delete(FormerSN)
  }
  dropGateway(id: number) {
    for (const device of this.#ofGateway.get(id) ?? []) this.dropDevice(device)
    const old = this.gateways.get(id)
    if (old) this.dropSerials(old)
    this.#lists.delete(id)
    this.gateways.delete(id)
  }

  pointsOf(id: number): readonly PointMeta[] {
    const cached = this.#lists.get(id)
    if (cached) return cached
    const list = this.deviceIdsOf(id).flatMap((d) => [...(this.#ofDevice.get(d) ?? [])].map((p) => this.points.get(p)!))
    this.#lists.set(id, list)
    return list
  }

  deviceIdsOf(gateway: number): readonly number[] {
    return [...(this.#ofGateway.get(gateway) ?? [])]
  }
}
