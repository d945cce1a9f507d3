import type { Rejection } from '../../contract/telemetry.ts'

/** A reading on its way through the server. Booleans are 0 and 1; a bad quality (2, 3, 4) has value null. */
export type Sample = {
  /** Id of the point. */
  point: number
  /** Epoch ms at the device. */
  time: number
  value: number | null
  /** 0 good, 1 uncertain, 2 timeout, 3 exception, 4 not configured. */
  quality: number
}

/**
 * A gateway's clock may run ahead of ours by so much, ms (the five minutes of result code 7). What is further ahead is stored at its
 * time, up to a day (findings 8), but holds up nothing: a live reading that comes later is the newer one, whatever its time.
 */
export const believedAheadMs = 300_000

/** A sample that the store has committed, with its arrival number: newest `n` of one (point, time) holds. */
export type Stored = Sample & { n: number }

/** Point metadata cached in memory for ingest and the alarm engine. Change messages update it. */
export type PointMeta = {
  Id: number
  EnterpriseId: number
  ProjectId: number
  GatewayId: number
  SN: string
  DeviceId: number
  DeviceName: string
  ParaName: string
  /** 0 = stored, 1 = live only (inverted as in the point table). */
  IsStore: number
  AlarmLow: number | null
  AlarmHigh: number | null
  /** Engineering range; hysteresis is 1 % of it (findings 11). */
  ProjectLow: number | null
  ProjectHigh: number | null
  /** Stands in for the engineering range where that is not set. */
  AxisMin?: number | null
  AxisMax?: number | null
  /** 0 = Bool, which has no hysteresis. */
  ParaDataType?: number
}

/** Finds points by id; ids that PostgreSQL has not resolved do not exist for telemetry (findings 26). */
export type PointRegistry = {
  get(id: number): PointMeta | undefined
  /** All points of one gateway. */
  ofGateway(sn: string): readonly PointMeta[]
  /** Tenant of a gateway, also of one without points; where it is missing, telemetry takes it from the gateway's points. */
  enterpriseOf?(sn: string): number | undefined
  /** `before`: the previous state of the point, if known. */
  onChange(listener: (changed: PointMeta | { Id: number; removed: true }, before?: PointMeta) => void): () => void
  /**
   * Has points that `get` does not know looked up for a gateway, as they may have been made a moment ago; resolves when `get` is right.
   * Undefined where it is no use: they were looked up just now, or too many were for this gateway.
   */
  find?(sn: string, ids: readonly number[]): Promise<void> | undefined
}

export type Rejected = { EnterpriseId: number; SN: string; reason: Rejection; detail: string; received: number; payload: string }
