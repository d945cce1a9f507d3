// Browse, trace and trust: commands for one channel of a gateway. Also the states of its channels.
import { randomUUID } from 'node:crypto'
import { browseCapability, channelsCapability, type Down, traceCapability, trustCapability } from '../../../../contract/gateway-protocol.ts'
import type { Db } from '../../../../server/database/db.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { Actor } from '../../../../server/identity/actor.ts'
import { store } from '../../../../server/resource/store.ts'
import { netProtocol, serialProtocol } from '../../channels/contract.ts'
import { gateway as gatewayResource } from '../contract.ts'
import { type Commands, connected, type Outcome } from './commands.ts'
import type { Traces } from './traces.ts'

const gateways = store(gatewayResource)
const [nets, serials] = [store(netProtocol), store(serialProtocol)]
/** Result code of a gateway that does not support the function. */
const lacking = 3
/** Timeout of a browse, ms: it takes several requests, each of which may time out. */
const browseWithin = 30_000

export type Asked = { NetProtocolId?: number | undefined; SerialProtocolId?: number | undefined }
type Channel = { CommType: 0 | 1; ChannelId: number }

/** The channel that a call names, and its gateway. */
const channelOf = async (db: Db, actor: Actor, { NetProtocolId, SerialProtocolId }: Asked) => {
  const net = NetProtocolId ? await nets.find(db, actor, NetProtocolId) : undefined
  const serial = SerialProtocolId ? await serials.find(db, actor, SerialProtocolId) : undefined
  const row = net ?? serial
  if (!row) throw new FieldFaults([{ field: 'NetProtocolId', rule: 'required' }])
  const channel: Channel = { CommType: net ? 0 : 1, ChannelId: row.Id }
  return { channel, gateway: await gateways.find(db, actor, row.GatewayId) }
}
const can = (gateway: { Capabilities: unknown }, word: string) => Array.isArray(gateway.Capabilities) && gateway.Capabilities.includes(word)
const cannot: Outcome = { Code: lacking, Msg: '' }

/** Lifetime and timeout of an answer about channel states, ms. */
const [sharedMs, statesWithin] = [1000, 4000]

export const openLines = (commands: Commands, traces: Traces, now: () => number) => {
  const asked = new Map<string, { at: number; answer: Promise<Outcome> }>()
  const send = async <K extends 'browse' | 'trace' | 'trust'>(
    db: Db,
    actor: Actor,
    to: Parameters<Commands['begin']>[2],
    kind: K,
    data: Down[K]['Data'],
  ) => {
    const { Id, MsgId } = await commands.begin(db, actor, to, kind, data)
    const result = commands.outcome(await commands.ask(to.SN, kind, MsgId, data, browseWithin))
    // The result goes to the caller only; the command history records the request and its outcome.
    await commands.end(db, to, Id, { Code: result.Code, Msg: result.Msg })
    return result
  }
  return {
    browse: async (db: Db, actor: Actor, { Below, ...asked }: Asked & { Below?: string | undefined }) => {
      const { channel, gateway } = await channelOf(db, actor, asked)
      const to = connected(gateway)
      if (!can(gateway, browseCapability)) return cannot
      return send(db, actor, to, 'browse', { ...channel, ...(Below === undefined ? {} : { Below }) })
    },
    trust: async (db: Db, actor: Actor, { NetProtocolId, Thumbprint }: { NetProtocolId: number; Thumbprint: string }) => {
      const { channel, gateway } = await channelOf(db, actor, { NetProtocolId })
      const to = connected(gateway)
      if (!can(gateway, trustCapability)) return cannot
      return send(db, actor, to, 'trust', { ...channel, Thumbprint })
    },
    /** All viewers share one request per second. It is not in the history. */
    states: async (db: Db, actor: Actor, GatewayId: number): Promise<Outcome> => {
      const row = await gateways.find(db, actor, GatewayId)
      if (!can(row, channelsCapability)) return cannot
      const { SN } = connected(row)
      const known = asked.get(SN)
      if (known && known.at > now() - sharedMs) return known.answer
      const answer = commands.ask(SN, 'channels', randomUUID(), {}, statesWithin).then(commands.outcome)
      const one = { at: now(), answer }
      asked.set(SN, one)
      // Drop the answer after use: it may have 256 KiB.
      const forget = () => asked.get(SN) === one && asked.delete(SN)
      setTimeout(forget, sharedMs).unref()
      return answer
    },
    trace: async (db: Db, actor: Actor, { Seconds, ...asked }: Asked & { Seconds: number }) => {
      const { channel, gateway } = await channelOf(db, actor, asked)
      const to = connected(gateway)
      if (!can(gateway, traceCapability)) return cannot
      // Frames may arrive before the answer.
      traces.begun(gateway, channel, Seconds)
      const result = await send(db, actor, to, 'trace', { ...channel, Seconds })
      if (result.Code !== 0) traces.begun(gateway, channel, 0)
      return result
    },
    frames: async (db: Db, actor: Actor, { After = 0, ...asked }: Asked & { After?: number | undefined }) => {
      const { channel, gateway } = await channelOf(db, actor, asked)
      return traces.frames(gateway.Id, channel, After)
    },
  }
}
export type Lines = ReturnType<typeof openLines>
