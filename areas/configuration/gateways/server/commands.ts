import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Down, RowError, Up } from '../../../../contract/gateway-protocol.ts'
import type { Language } from '../../../../contract/languages.ts'
import type { Db } from '../../../../server/database/db.ts'
import { Fault } from '../../../../server/http/faults.ts'
import { hasWord, word } from '../../../../server/http/words.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import type { Uplink } from '../../../../server/mqtt/uplink.ts'
import type { Check } from '../../../../server/resource/store.ts'
import { foreignGateway } from '../contract.ts'

export type CommandType = 'config' | 'write' | 'read' | 'nettest' | 'timesync' | 'browse' | 'trace' | 'trust'
/** Code of the specification (`resultCodes`); 2: the gateway did not answer or could not be reached. */
export type Outcome = { Code: number; Msg: string; Detail?: RowError[]; Data?: Record<string, unknown> }
export type Target = { Id: number; EnterpriseId: number; SN: string }
type Reply = Pick<Up['reply'], 'Code' | 'Msg' | 'Data'>

/** Refuses actions that need a box. */
export const connected = <G extends { SN: string | null; GatewayName: string }>(gateway: G): G & { SN: string } => {
  if (gateway.SN === null) throw new Fault('gatewayReleased', { name: gateway.GatewayName })
  return gateway as G & { SN: string }
}

/** Refuses actions that need a key or a box, for foreign senders. */
export const assertOwnKind = ({ GatewayTypeId, GatewayName }: { GatewayTypeId: number; GatewayName: string }) => {
  if (GatewayTypeId === foreignGateway) throw new Fault('gatewayForeign', { name: GatewayName })
}

/** A gateway of our own kind that has a box. */
export const withKey = <G extends { SN: string | null; GatewayTypeId: number; GatewayName: string }>(gateway: G) => {
  assertOwnKind(gateway)
  return connected(gateway)
}
/** A gateway cannot become a foreign sender, or the reverse. */
export const gatewayCheck: Check = async (_db, _actor, given, held) => {
  const fields = ['GatewayTypeId', 'GatewaySubTypeId'] as const
  const kind = held as { GatewayTypeId: number; GatewayName: string } | undefined
  if (kind && fields.some((name) => given[name] !== undefined && given[name] !== held?.[name as 'Id'])) assertOwnKind(kind)
  return given
}

export const noReply = 2
/** Result code: the gateway does not support the command. */
export const notSupported = 3
const exception = 201
const replyWithin = 10_000
/** Read commands retained per gateway, newest first: every viewer may send one. All other commands are retained. */
export const keptReads = 2000
const readsAtOnce = 100

/** The outcome in the caller's language: the text of the code, followed by the gateway's own text. */
export const inWords = (language: Language, { Code, Msg, ...rest }: Outcome): Outcome => {
  const known = hasWord(`result.${Code}`)
  const text = known ? word(language, `result.${Code}`) : word(language, 'result.unknown', { code: Code })
  return { ...rest, Code, Msg: Msg && Code !== 0 && Code !== noReply ? `${text} (${Msg})` : text }
}

/** The displayable part of a row error from a gateway, which may have any content. */
const rowErrorOf = (given: unknown): RowError => {
  const { Row, ...texts } = Object(given) as Record<string, unknown>
  const text = (name: keyof RowError) => (typeof texts[name] === 'string' ? texts[name].slice(0, 200) : '')
  return { Row: Number.isInteger(Row) ? Number(Row) : 0, ParaName: text('ParaName'), Field: text('Field'), Reason: text('Reason') }
}

/** Maximum length of the stored details of a command, characters. */
const mostKept = 16_384
/** Details as JSON for the history, truncated to `mostKept`. */
const keptDetail = ({ Detail, Data }: Outcome): string | null => {
  const parts = (Detail ?? (Data ? [Data] : [])).map((part) => JSON.stringify(part))
  let length = 0
  const kept = parts.filter((part) => {
    length += part.length
    return length <= mostKept
  })
  return kept.length ? `[${kept.join()}]` : null
}

const outcome = ({ Code, Msg, Data }: Reply): Outcome => {
  // A repeated command gets the outcome of the first.
  const { Detail, PrevCode, ...data } = (Data ?? {}) as Record<string, unknown>
  const code = Code === 6 && Number.isInteger(PrevCode) ? Number(PrevCode) : Code
  const known = Math.abs(code) <= 0x7fffffff ? code : exception
  return {
    Code: known,
    Msg: Msg.slice(0, 200),
    ...(Array.isArray(Detail) ? { Detail: Detail.slice(0, 500).map(rowErrorOf) } : {}),
    ...(Object.keys(data).length ? { Data: data } : {}),
  }
}

/** Sends commands and waits for their replies. The command history records each command with its author. */
export const openCommands = (uplink: () => Promise<Uplink>, now: () => number = Date.now) => {
  const waiting = new Map<string, { sn: string; answered: (reply: Reply) => void }>()
  const reads = new Map<number, number>()
  const dropReads = async (db: Db, gateway: number) => {
    const sent = (reads.get(gateway) ?? 0) + 1
    reads.set(gateway, sent % readsAtOnce)
    if (sent < readsAtOnce) return
    await db.rows(sql`
      delete from command where "GatewayId" = ${gateway} and "CmdType" = 'read' and "Id" <=
        (select "Id" from command where "GatewayId" = ${gateway} and "CmdType" = 'read' order by "Id" desc offset ${keptReads} limit 1)`)
  }

  /** Publishes one message and waits for its reply; never throws. */
  const ask = (sn: string, kind: CommandType | 'channels', MsgId: string, Data: unknown, within = replyWithin): Promise<Reply> =>
    new Promise((done) => {
      const finish = (reply: Reply) => {
        clearTimeout(timer)
        waiting.delete(MsgId)
        done(reply)
      }
      const timer = setTimeout(() => finish({ Code: noReply, Msg: '' }), within)
      waiting.set(MsgId, { sn, answered: finish })
      uplink()
        .then((u) => u.publish(sn, kind, { MsgId, Ts: now(), Ver: 1, Data }))
        .catch((error: Error) => finish({ Code: noReply, Msg: error.message }))
    })

  /** Inserts the row before the message leaves. */
  const begin = async (
    db: Db,
    actor: Pick<Actor, 'UserId'>,
    to: Target,
    type: CommandType,
    payload: unknown,
    MsgId: string = randomUUID(),
  ) => {
    const [row] = await db.rows<{ Id: number }>(sql`
      insert into command ("EnterpriseId", "GatewayId", "CmdType", "MsgId", "Payload", "SendTime", "UserId")
      values (${to.EnterpriseId}, ${to.Id}, ${type}, ${MsgId}, ${JSON.stringify(payload)}::jsonb, ${new Date(now())}, ${actor.UserId || null})
      on conflict ("MsgId") do update set "UpdateTime" = now() returning "Id"`)
    if (type === 'read') await dropReads(db, to.Id)
    return { Id: row!.Id, MsgId }
  }
  const end = async (db: Db, to: Target, id: number, result: Outcome) => {
    await db.rows(sql`
      update command set "AckTime" = ${result.Code === noReply ? null : new Date(now())}, "Code" = ${result.Code}, "Msg" = ${result.Msg},
        "Detail" = ${keptDetail(result)}::jsonb, "UpdateTime" = now() where "Id" = ${id}`)
    db.emit({ resource: 'command', id, verb: 'create', EnterpriseId: to.EnterpriseId })
  }

  return {
    ask,
    begin,
    end,
    outcome,
    /** Sends one command, from its row to its result. `note` is added to the history, such as the previous value. */
    async send<K extends Exclude<CommandType, 'config'>>(
      db: Db,
      actor: Actor,
      to: Target,
      type: K,
      data: Down[K]['Data'],
      note: object = {},
    ) {
      const { Id, MsgId } = await begin(db, actor, to, type, { ...data, ...note })
      const result = outcome(await ask(to.SN, type, MsgId, data))
      await end(db, to, Id, result)
      return result
    },
    /**
     * Sends a command idempotently. A gateway that has already seen the message id repeats its first result, so retries after a crash
     * execute it only once. `by` is the person who caused it, or UserId 0.
     */
    async sendOnce<K extends Exclude<CommandType, 'config'>>(
      db: Db,
      by: Pick<Actor, 'UserId'>,
      to: Target,
      type: K,
      MsgId: string,
      data: Down[K]['Data'],
      note: object,
    ) {
      const { Id } = await begin(db, by, to, type, { ...data, ...note }, MsgId)
      const result = outcome(await ask(to.SN, type, MsgId, data))
      await end(db, to, Id, result)
      return result
    },
    /** Handles a reply. Replies that no command waits for, or that belong to another gateway, are ignored. */
    answered(sn: string, reply: Up['reply']): boolean {
      const found = waiting.get(reply.MsgId)
      if (found?.sn !== sn) return false
      found.answered(reply)
      return true
    },
    /** Ends pending commands of a serial number that no longer belongs to a gateway. */
    drop(sn: string) {
      for (const { sn: of, answered } of [...waiting.values()]) if (of === sn) answered({ Code: noReply, Msg: '' })
    },
  }
}
export type Commands = ReturnType<typeof openCommands>
