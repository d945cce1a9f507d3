import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { canonical } from '../../../../contract/gateway-config.ts'
import { type ConfigChannel, type ConfigDevice, type ConfigPoint, maxConfigPartBytes } from '../../../../contract/gateway-protocol.ts'
import { type GatewaySettings, settingOf, settingsCapability, settingValue } from '../../../../contract/gateway-settings.ts'
import type { Settings } from '../../../../contract/protocols/settings.ts'
import { described } from '../../../../contract/protocols/sources.ts'
import type { Db } from '../../../../server/database/db.ts'
import { inSlices } from '../../../../server/jobs/slices.ts'

export type Channel = Static<typeof ConfigChannel>
export type Device = Static<typeof ConfigDevice>
export type Point = Static<typeof ConfigPoint>
/** The configuration of a gateway. `names` of channels are not sent: they are for error messages. */
export type Config = {
  HeartbeatPeriod: number
  Channels: Channel[]
  Devices: Device[]
  Points: Point[]
  /** Only for a gateway that supports settings and has some. */
  Settings?: GatewaySettings
  names: Map<string, string>
  /** Whether the gateway has any channel, used or unused. */
  hasChannels: boolean
  /** Announced capabilities of the gateway; null if it has announced none. */
  capabilities: readonly string[] | null
  /** Vault locations of channel secrets, by channel. The secrets are added when the configuration is sent. */
  sealed: Map<string, SealedSecrets>
}
/** Names of a channel's secrets, and their common key in the vault. A changed secret gets a new key. */
export type SealedSecrets = { Key: string; Names: string[] }
export type Part = { Channels: Channel[]; Devices: Device[]; Points: Point[] }

/** Channel Ids are unique together with CommType. */
export const channelKey = (CommType: number, ChannelId: number) => `${CommType}/${ChannelId}`

/** The wanted settings of a gateway that its type supports; empty if the gateway does not support settings. */
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

type Stored<T> = T & { Settings?: Settings | null }
type StoredChannel = Stored<Channel> & { ProtocolName: string; Secrets: SealedSecrets | null }
/** Omits empty fields: older gateways refuse unknown fields, and their hash must not change. */
const lean = <T extends object>(row: T): T => {
  const kept = Object.entries(row).filter(([, v]) => v !== null && !(typeof v === 'object' && !Object.keys(v).length))
  return Object.fromEntries(kept) as T
}
const sent = ({ ProtocolName: _, Secrets: __, Mode, ...channel }: StoredChannel): Channel =>
  lean({ ...channel, ...(Mode ? { Mode } : {}) }) as Channel

/** The description of a channel with a described protocol. */
const description = sql`(select json_build_object('Frame', s."Frame", 'Requests', s."Requests") from self_parse s where s."Id" = "SelfParseId" and "ProtocolType" = ${described.number})`

/** The current configuration: devices that have points, the channels they use, and all points ordered by device and Id. */
export const buildConfig = async (db: Db, gatewayId: number): Promise<Config> => {
  const [gateways, nets, serials, devices, points] = await db.all([
    sql<{
      HeartbeatPeriod: number
      Capabilities: readonly string[] | null
    }>`select "HeartbeatPeriod", "Capabilities" from gateway where "Id" = ${gatewayId}`,
    sql<StoredChannel>`select "Id", 0 as "CommType", "ProtocolType", "Ip", "Port", "InterFrameMs", "RetryCount", "Mode", "Settings", "Secrets", "ProtocolName", ${description} as "Description"
      from net_protocol where "GatewayId" = ${gatewayId} order by "Id"`,
    sql<StoredChannel>`select "Id", 1 as "CommType", "ProtocolType", "SerialPort", "BaudRate", "DataBits", "StopBits", "Parity",
      "InterFrameMs", "RetryCount", "Settings", "Secrets", "ProtocolName", ${description} as "Description" from serial_protocol where "GatewayId" = ${gatewayId} order by "Id"`,
    sql<
      Stored<Device>
    >`select "Id", "DeviceName", "CommType", coalesce(case when "CommType" = 0 then "NetProtocolId" else "SerialProtocolId" end, 0) as "ChannelId",
      "SlaveNumber", "Settings" from device d where "GatewayId" = ${gatewayId} and exists (select from point p where p."DeviceId" = d."Id") order by "Id"`,
    sql<
      Omit<Point, 'Row'>
    >`select p."Id", p."DeviceId", p."ParaName", p."ReadWriteType", p."RegisterType", p."ParaDataType", p."Address", p."SlaveNumber",
      p."SampleLow", p."SampleHigh", p."ProjectLow", p."ProjectHigh", p."DecimalDigits", p."UploadMode", p."CollectPeriod", p."IntervalTime",
      p."Timeout", p."UploadPeriod", p."CollectType", p."IsCache"
      from point p join device d on d."Id" = p."DeviceId" where d."GatewayId" = ${gatewayId} order by p."DeviceId", p."Id"`,
  ])
  const used = new Set(devices.map((d) => channelKey(d.CommType, d.ChannelId)))
  const channels = [...nets, ...serials]
  const inUse = channels.filter((c) => used.has(channelKey(c.CommType, c.Id)))
  return {
    HeartbeatPeriod: gateways[0]?.HeartbeatPeriod ?? 60,
    Channels: inUse.map(sent),
    Devices: devices.map((d) => lean(d) as Device),
    Points: points.map((p, i) => ({ Row: i + 1, ...p })),
    names: new Map(channels.map((c) => [channelKey(c.CommType, c.Id), c.ProtocolName])),
    hasChannels: channels.length > 0,
    capabilities: gateways[0]?.Capabilities ?? null,
    sealed: new Map(inUse.flatMap((c) => (c.Secrets ? [[channelKey(c.CommType, c.Id), c.Secrets]] : []))),
  }
}

/** SHA-256, in hex, of the canonical JSON of the three tables and of any settings. The gateway computes the same hash. */
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

/** Splits a configuration into parts whose rows take at most `most` bytes of JSON each; at least one part. */
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
