import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { number } from '../../../contract/field.ts'
import { settings } from '../../../contract/settings.ts'

const Percent = Type.Number()
const Bytes = Type.Number()
const Maybe = Type.Union([Type.Number(), Type.Null()])
const Column = Type.Array(Maybe)

/** Measures, in the order of the history's columns. Percent, bytes per second, bytes, ms. */
export const measures = ['Cpu', 'Memory', 'Disk', 'Receive', 'Send', 'Rss', 'LoopMs'] as const
export type Measure = (typeof measures)[number]

const most = (max: number, unit: string, standard: number) =>
  number({ integer: true, min: 1, max, unit, required: true, default: standard })
/** Limits for system notices: percent, exceeded for a number of minutes without a break. */
export const machineLimits = settings('machineLimits', {
  per: 'platform',
  path: '/System/Monitor/Limits',
  permission: 'm10453',
  fields: { Cpu: most(100, '%', 90), Memory: most(100, '%', 90), Disk: most(100, '%', 85), Minutes: most(1440, 'min', 5) },
})

/** Current usage of the server's machine; null if the system does not report it. */
export const MachineUse = Type.Object({
  Time: Type.Integer(),
  Cpu: Percent,
  Cores: Type.Integer(),
  /** Load average of one minute; null on Windows. */
  Load: Maybe,
  MemoryUsed: Bytes,
  MemoryTotal: Bytes,
  /** Disk of the data folder. */
  DiskUsed: Bytes,
  DiskTotal: Bytes,
  /** Bytes per second, all network interfaces except loopback. */
  Receive: Maybe,
  Send: Maybe,
  /** The server process: memory, share of one core, and 99th percentile of the event loop delay over the last seconds, ms. */
  Rss: Bytes,
  ProcessCpu: Percent,
  LoopMs: Type.Number(),
  UptimeSeconds: Type.Integer(),
  Node: Type.String(),
  Version: Type.String(),
  Engines: Type.Array(Type.Object({ Name: Type.String(), Ready: Type.Boolean() })),
  Limits: Type.Object({ Cpu: Percent, Memory: Percent, Disk: Percent, Minutes: Type.Integer() }),
  /** Means of equal intervals, over at most a week. */
  History: Type.Object({
    Time: Type.Array(Type.Integer()),
    Cpu: Column,
    Memory: Column,
    Disk: Column,
    Receive: Column,
    Send: Column,
    Rss: Column,
    LoopMs: Column,
  }),
})
export type MachineUse = Static<typeof MachineUse>

export const monitoringCalls = {
  use: call({
    method: 'GET',
    path: '/System/Monitor/MachineUseInfo',
    permission: 'm10453',
    /** Epoch ms; by default the last hour. */
    query: Type.Object({ Start: Type.Optional(Type.Integer({ minimum: 0 })), End: Type.Optional(Type.Integer({ minimum: 0 })) }),
    answer: MachineUse,
  }),
}
