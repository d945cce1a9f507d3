// The foreign senders' entry points, in memory: each message looks up the owner of its token.
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Frame, Request } from '../../../../contract/described/description.ts'
import type { Change, Database, Db } from '../../../../server/database/db.ts'
import { serial } from '../../../../server/jobs/serial.ts'

export type Door = {
  Id: number
  EnterpriseId: number
  GatewayId: number
  SN: string
  ProjectId: number
  Language: number
  Status: number
  DeviceLevel: number | null
  /** 1: its messages are signed and it has no token. */
  Signed: number
  /** HJ 212 only. */
  MN: string | null
  Transport: number | null
  Port: number | null
  Networks: string | null
  /** Time zone of its company. */
  Zone: string
  /** Described protocols only. */
  SelfParseId: number | null
  Frame: Frame | null
  Requests: Request[] | null
  RegistrationForm: number | null
  Registration: string | null
  Heartbeat: string | null
  HeartbeatPeriod: number | null
  AskPeriod: number | null
  Units: string | null
  /** Sparkplug only: the group and edge node of its token. */
  SparkplugGroup: string | null
  SparkplugNode: string | null
  /** Lower-case hex of the token's SHA-256. */
  Hash: string
}

/** At least 128 bits; only the hash is stored. */
export const newToken = () => randomBytes(24).toString('base64url')
/** Token of an HJ 212 sender: MN and PW separated by a blank. No other token contains a blank. */
export const stationToken = (MN: string, PW: string) => `hj212 ${MN} ${PW}`
/** Token of a device that registers; the blank prevents collisions with other tokens. */
export const registrationToken = (registration: Uint8Array) => `dials ${createHash('sha256').update(registration).digest('hex')}`
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

const read = (db: Db, where = sql``) =>
  db.rows<Door>(sql`
    select c."Id", c."EnterpriseId", c."GatewayId", g."SN", g."ProjectId", c."Language", c."Status", c."DeviceLevel", c."Signed", c."SparkplugGroup", c."SparkplugNode",
      c."MN", c."Transport", c."Port", c."Networks", e."TimeZoneKey" as "Zone", encode(c."TokenHash", 'hex') as "Hash",
      c."RegistrationForm", c."Registration", c."Heartbeat", c."HeartbeatPeriod", c."AskPeriod", c."Units", s."Frame", s."Requests", s."Id" as "SelfParseId"
    from network_component c join gateway g on g."Id" = c."GatewayId" join enterprise e on e."Id" = c."EnterpriseId"
      left join self_parse s on s."Id" = c."SelfParseId" where g."SN" is not null ${where}`)

/** Communication settings of a device with a described protocol. */
const talkOf = ({ Frame, Requests, Port, Transport, Networks, Heartbeat, HeartbeatPeriod, AskPeriod, Units }: Door) =>
  JSON.stringify(Frame && [Frame, Requests, Port, Transport, Networks, Heartbeat, HeartbeatPeriod, AskPeriod, Units])

/** Loads the entry points and follows changes. `changed` is called for one that closed, was deleted or has another token, `loaded` for any change. */
export const openDoors = async (
  database: Pick<Database, 'system' | 'onChange'>,
  log: { warn(event: object, text: string): void },
  changed: (before: Door) => void,
  loaded: () => void = () => undefined,
) => {
  const byId = new Map<number, Door>()
  const byHash = new Map<string, Door>()
  const bySn = new Map<string, Door>()
  const byGateway = new Map<number, Door>()
  const drop = (door: Door) => {
    byId.delete(door.Id)
    if (byHash.get(door.Hash) === door) byHash.delete(door.Hash)
    if (bySn.get(door.SN) === door) bySn.delete(door.SN)
    if (byGateway.get(door.GatewayId) === door) byGateway.delete(door.GatewayId)
  }
  const put = (door: Door) => {
    byId.set(door.Id, door)
    byHash.set(door.Hash, door)
    bySn.set(door.SN, door)
    byGateway.set(door.GatewayId, door)
  }
  for (const door of await read(database.system)) put(door)

  const inTurn = serial()
  const reload = (id: number) =>
    inTurn(async () => {
      const before = byId.get(id)
      const [after] = await read(database.system, sql`and c."Id" = ${id}`)
      if (before) drop(before)
      if (after) put(after)
      const isOther = (after: Door) => after.Hash !== before?.Hash || after.SN !== before.SN || talkOf(after) !== talkOf(before)
      if (before && (after?.Status !== 1 || isOther(after))) changed(before)
      loaded()
    })
  const follow = (change: Change) => {
    const { resource, id } = change
    const door = resource === 'networkComponent' ? id : resource === 'gateway' ? byGateway.get(id)?.Id : undefined
    const owner = resource === 'enterprise' ? 'EnterpriseId' : resource === 'selfParse' ? 'SelfParseId' : undefined
    if (owner) for (const one of byId.values()) if (one[owner] === id) follow({ ...change, resource: 'networkComponent', id: one.Id })
    if (door === undefined) return
    reload(door).catch((error: Error) => {
      log.warn({ door, error: error.message }, 'A changed network component could not be read; trying again')
      setTimeout(() => follow(change), 2000).unref()
    })
  }
  const stop = database.onChange(follow)
  const opened = (door: Door | undefined) => (door?.Status === 1 ? door : undefined)
  /** The open entry point of a token. A lookup by hash, so that timing does not reveal how much of a token is right. */
  const ofToken = (token: string): Door | undefined =>
    token.length < 16 || token.length > 100 ? undefined : opened(byHash.get(hashOf(token).toString('hex')))
  return {
    ofToken,
    /** The same, including one that was opened a moment ago. */
    find: async (token: string): Promise<Door | undefined> => {
      const known = ofToken(token)
      if (known || token.length < 16 || token.length > 100) return known
      const [row] = await read(database.system, sql`and c."TokenHash" = ${hashOf(token)} and c."Status" = 1`)
      if (row) await reload(row.Id)
      return ofToken(token)
    },
    ofSn: (sn: string): Door | undefined => bySn.get(sn),
    ofGateway: (id: number): Door | undefined => byGateway.get(id),
    all: (): Iterable<Door> => byId.values(),
    byId: (id: number): Door | undefined => byId.get(id),
    /** Resolves when all changes so far are applied. */
    settled: () => inTurn(async () => undefined),
    close: stop,
  }
}
export type Doors = Awaited<ReturnType<typeof openDoors>>
