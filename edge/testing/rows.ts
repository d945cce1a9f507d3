// Rows of a configuration, as a test wants them.
import type { Block, ChannelRow, Driver, PointRow } from '../drivers/driver.ts'

export const channelRow = (port: number, change: Partial<ChannelRow> = {}): ChannelRow => ({
  Id: 1,
  CommType: 0,
  ProtocolType: 0,
  Ip: '127.0.0.1',
  Port: port,
  InterFrameMs: 0,
  RetryCount: 0,
  ...change,
})

/** A point that is read every 100 ms and uploaded with every scan, unless the test says otherwise. */
export const pointRow = (Id: number, Address: number | string, change: Partial<PointRow> = {}): PointRow => ({
  Row: Id,
  Id,
  DeviceId: 1,
  ParaName: `p${Id}`,
  ReadWriteType: 0,
  RegisterType: 4,
  ParaDataType: 2,
  Address: String(Address),
  SlaveNumber: 1,
  SampleLow: null,
  SampleHigh: null,
  ProjectLow: null,
  ProjectHigh: null,
  DecimalDigits: 2,
  UploadMode: 1,
  CollectPeriod: 100,
  IntervalTime: 0,
  Timeout: 500,
  UploadPeriod: 60,
  CollectType: 0,
  IsCache: 0,
  ...change,
})

/** One device on one channel with these points. */
export const tableOf = (port: number, points: PointRow[], channel: Partial<ChannelRow> = {}) => ({
  Channels: [channelRow(port, channel)],
  Devices: [{ Id: 1, DeviceName: 'PLC', CommType: 0, ChannelId: 1, SlaveNumber: 1 }],
  Points: points,
})

/** Value and quality of each point, read block by block as the poller does. */
export const readAll = async <B extends Block>(driver: Pick<Driver<B>, 'plan' | 'read'>, points: readonly PointRow[]) => {
  const found = new Map<number, unknown[]>()
  for (const block of driver.plan(points))
    (await driver.read(block)).forEach((r, i) => {
      found.set(block.points[i]!.Id, [r.value, r.quality])
    })
  return points.map((p) => found.get(p.Id))
}
