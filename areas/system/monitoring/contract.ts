import { type Static, Type } from 'typebox'
import { call } from '../../../contract/call.ts'
import { number } from '../../../contract/field.ts'
import { settings } from '../../../contract/settings.ts'

const Percent = Type.Number()
const Bytes = Type.Number()
const Maybe = Type.Union([Type.Number(), Type.Null()])
const Column = Type.Array(Maybe)

/** What is measured, in the order of the history's columns. Percent, bytes a second, bytes, ms. */
export const measures = ['Cpu', 'Memory', 'Disk', 'Receive', 'Send', 'Rss', 'LoopMs'] as const
export type Measure = (typeof measures)[number]

const most = (max: number, unit: string, standard: number) =>
  number({ integer: true, min: 1, max, unit, required: true, default: standard })
/** From when on a system notice is made: percent, for so many minutes without a break. */
export const machineLimits = settings('machineLimits', {
  per: 'platform',
  path: '/System/Monitor/Limits',
  permission: 'm10453',
  fields: { Cpu: most(100, '%', 90), Memory: most(100, '%', 90), Disk: most(100, '%', 85), Minutes: most(1440, 'min', 5) },
})

/** The machine the server runs on, now; null where the system does not say. */
export const MachineUse = Type.Object({
  Time: Type.Integer(),
  Cpu: Percent,
  Cores: Type.Integer(),
  /** Processes that want to run, one minute's mean; null on Windows. */
  Load: Maybe,
  MemoryUsed: Bytes,
  MemoryTotal: Bytes,
  /** Of the disk with the data folder. */
  DiskUsed: Bytes,
  DiskTotal: Bytes,
  /** Bytes a second, all network cards but loopback. */
  Receive: Maybe,
  Send: Maybe,
  /** Of the server's own process: memory, share of one core, longest wait of the event loop in the last seconds (99 %), ms. */
  Rss: Bytes,
  ProcessCpu: Percent,
  LoopMs: Type.Number(),
  UptimeSeconds: Type.Integer(),
  Node: Type.String(),
  Version: Type.String(),
  Engines: Type.Array(Type.Object({ Name: Type.String(), Ready: Type.Boolean() })),
  Limits: Type.Object({ Cpu: Percent, Memory: Percent, Disk: Percent, Minutes: Type.Integer() }),
  /** Means of equal spans, of at most a week. */
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
    /** Epoch ms; the last hour when nothing is asked for. */
    query: Type.Object({ Start: Type.Optional(Type.Integer({ minimum: 0 })), End: Type.Optional(Type.Integer({ minimum: 0 })) }),
    answer: MachineUse,
  }),
}
