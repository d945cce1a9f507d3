import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { canonical } from '../../../../contract/gateway-config.ts'
import { type ConfigChannel, type ConfigDevice, type ConfigPoint, maxConfigPartBytes } from '../../../../contract/gateway-protocol.ts'
import { type GatewaySettings, settingOf, settingsCapability, settingValue } from '../../../../contract/gateway-settings.ts'
import type { Db } from '../../../../server/database/db.ts'
import { inSlices } from '../../../../server/jobs/slices.ts'

export type Channel = Static<typeof ConfigChannel>
export type Device = Static<typeof ConfigDevice>
export type Point = Static<typeof ConfigPoint>
/** What a gateway is to do. `names` of channels stay here: they are for people who read errors. */
export type Config = {
  HeartbeatPeriod: number
  Channels: Channel[]
  Devices: Device[]
  Points: Point[]
  /** Of a gateway that takes settings, and has some. */
  Settings?: GatewaySettings
  names: Map<string, string>
  /** Whether the gateway has any channel at all, used or not. */
  hasChannels: boolean
}
export type Part = { Channels: Channel[]; Devices: Device[]; Points: Point[] }

/** Channel Ids are unique together with CommType. */
export const channelKey = (CommType: number, ChannelId: number) => `${CommType}/${ChannelId}`

/** What people want a gateway to be set to: settings that its type has, and nothing unless it takes settings. */
export const buildSettings = async (db: Db, gatewayId: number): Promise<{ Settings?: GatewaySettings }> => {
  const wanted = await db.rows<{ ParaCode: string; ParaValue: string; GatewayTypeId: number }>(sql`
    select s."ParaCode", s."ParaValue", g."GatewayTypeId" from gateway_para s join gateway g on g."Id" = s."GatewayId"
    where g."Id" = ${gatewayId} and g."Capabilities" @> ${JSON.stringify([settingsCapability])}::jsonb`)
  const Settings: GatewaySettings = {}
  for (const { ParaCode, ParaValue, GatewayTypeId } of wanted) {
    const setting = settingOf(ParaCode)
    const value = setting?.types.includes(GatewayTypeId) ? settingValue(setting, ParaValue) : undefined
    if (value !== undefined) Settings[ParaCode] = value
  }
  return Object.keys(Settings).length ? { Settings } : {}
}

/** The current configuration: devices that have points, the channels they use, every point in the order of its device and Id. */
export const buildConfig = async (db: Db, gatewayId: number): Promise<Config> => {
  const [gateways, nets, serials, devices, points] = await db.all([
    sql<{ HeartbeatPeriod: number }>`select "HeartbeatPeriod" from gateway where "Id" = ${gatewayId}`,
    sql<
      Channel & { ProtocolName: string }
    >`select "Id", 0 as "CommType", "ProtocolType", "Ip", "Port", "InterFrameMs", "RetryCount", "ProtocolName"
      from net_protocol where "GatewayId" = ${gatewayId} order by "Id"`,
    sql<
      Channel & { ProtocolName: string }
    >`select "Id", 1 as "CommType", 1 as "ProtocolType", "SerialPort", "BaudRate", "DataBits", "StopBits", "Parity",
      "InterFrameMs", "RetryCount", "ProtocolName" from serial_protocol where "GatewayId" = ${gatewayId} order by "Id"`,
    sql<Device>`select "Id", "DeviceName", "CommType", coalesce(case when "CommType" = 0 then "NetProtocolId" else "SerialProtocolId" end, 0) as "ChannelId",
      "SlaveNumber" from device d where "GatewayId" = ${gatewayId} and exists (select from point p where p."DeviceId" = d."Id") order by "Id"`,
    sql<
      Omit<Point, 'Row'>
    >`select p."Id", p."DeviceId", p."ParaName", p."ReadWriteType", p."RegisterType", p."ParaDataType", p."Address", p."SlaveNumber",
      p."SampleLow", p."SampleHigh", p."ProjectLow", p."ProjectHigh", p."DecimalDigits", p."UploadMode", p."CollectPeriod", p."IntervalTime",
      p."Timeout", p."UploadPeriod", p."CollectType", p."IsCache"
      from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${gatewayId} order by p."DeviceId", p."Id"`,
  ])
  const used = new Set(devices.map((d) => channelKey(d.CommType, d.ChannelId)))
  const channels = [...nets, ...serials]
  return {
    HeartbeatPeriod: gateways[0]?.HeartbeatPeriod ?? 60,
    Channels: channels.filter((c) => used.has(channelKey(c.CommType, c.Id))).map(({ ProtocolName: _, ...channel }) => channel),
    Devices: devices,
    Points: points.map((p, i) => ({ Row: i + 1, ...p })),
    names: new Map(channels.map((c) => [channelKey(c.CommType, c.Id), c.ProtocolName])),
    hasChannels: channels.length > 0,
  }
}

/** SHA-256, hex, of the canonical JSON of the three tables, and of settings where there are any: the gateway computes the same. */
export const configHash = async (tables: Part & { Settings?: GatewaySettings }) => {
  const hash = createHash('sha256')
  for (const [i, name] of (['Channels', 'Devices', 'Points'] as const).entries()) {
    hash.update(`${i ? ',' : '{'}"${name}":[`)
    let comma = ''
    await inSlices<Part[typeof name][number], void>(
      tables[name],
      () => 1,
      (row) => {
        hash.update(comma + canonical(row))
        comma = ','
      },
    )
    hash.update(']')
  }
  if (tables.Settings) hash.update(`,"Settings":${canonical(tables.Settings)}`)
  return hash.update('}').digest('hex')
}

/** Cuts a configuration so that the JSON of each part's rows stays within `most` bytes; at least one part. */
export const partsOf = ({ Channels, Devices, Points }: Part, most = maxConfigPartBytes - 1024): Part[] => {
  const parts: Part[] = [{ Channels: [], Devices: [], Points: [] }]
  let size = 0
  const add = <K extends keyof Part>(kind: K, row: Part[K][number]) => {
    const bytes = Buffer.byteLength(JSON.stringify(row)) + 1
    if (size && size + bytes > most) {
      parts.push({ Channels: [], Devices: [], Points: [] })
      size = 0
    }
    size += bytes
    const rows: Part[K][number][] = parts.at(-1)![kind]
    rows.push(row)
  }
  for (const row of Channels) add('Channels', row)
  for (const row of Devices) add('Devices', row)
  for (const row of Points) add('Points', row)
  return parts
}
