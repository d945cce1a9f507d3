// Foreign senders on the embedded broker, and commands to them.
import { maxMessageBytes } from '../../../../contract/gateway-protocol.ts'
import type { Write } from '../../../../contract/parsing/script.ts'
import type { Foreign, Send } from '../../../../server/mqtt/foreign.ts'
import { described, sparkplug } from '../contract.ts'
import type { WriteOutcome, Written } from './dialling.ts'
import type { Door, Doors } from './doors.ts'
import { openEdges } from './edges.ts'
import type { Intake, Message } from './intake.ts'
import { maySubscribe, readTopic, writeCall } from './languages/thingsBoard.ts'
import { faultText } from './parsers.ts'
import type { SenderPoints } from './senders.ts'

/** Languages by number. */
export const [thingsBoard, json, influx] = [1, 2, 3]
const overMqtt = [thingsBoard, json, sparkplug]
const [ok, noAnswer, notSupported, failed] = [0, 2, 3, 201]
/** A birth lists all metrics of an edge node. */
const mostBirthBytes = 1024 * 1024

type Reply = { MsgId: string; Ts: number; Code: number; Msg: string; Data?: Record<string, unknown> }
type Needs = {
  doors: Doors
  intake: Intake
  pointsOf(gateway: number): Promise<SenderPoints>
  /** The connection of a sender closed, or one of its devices connected or disconnected. */
  gone(door: Door): void
  deviceIs(door: Door, device: number, isThere: boolean): void
  /** Writes to a device that is connected to a port. */
  writeDialled(door: Door, written: Written): Promise<WriteOutcome>
  /** Answers a command. */
  reply(sn: string, reply: Reply): void
  now(): number
}
/** Topics to which a JSON sender may subscribe for its own messages. Never topics of our own gateways, nor a wildcard for all. */
const ownFilter = /^(?!iot(\/|$))[^$+#/][^+#/]*(\/.*)?$/
type Answer = (sn: string, MsgId: string, code: number, text?: string) => void
type Command = { MsgId: string; Data: { ParaId?: number; Value?: number } }

type CallNeeds = Pick<Needs, 'pointsOf' | 'deviceIs'> & { answer: Answer; sendsOf(sn: string): Iterable<Send> }
/** Reads messages of ThingsBoard devices and keeps track of the RPC calls that await a reply. */
const openCalls = ({ pointsOf, deviceIs, answer, sendsOf }: CallNeeds) => {
  /** Unanswered calls: MsgId by sender and number. */
  const calls = new Map<string, string>()
  let nextCall = 1
  const follow = async (door: Door, topic: string, payload: Buffer, send: Send): Promise<Message | undefined> => {
    const said = readTopic(topic, payload)
    if ('heard' in said) return { payload, topic, heard: said.heard }
    if ('device' in said) {
      const device = (await pointsOf(door.GatewayId)).deviceOf(said.device)
      if (device !== undefined) deviceIs(door, device, said.isThere)
    } else if ('reply' in said) send(said.reply.topic, said.reply.payload)
    else if ('answered' in said) {
      const key = `${door.SN}/${said.answered}`
      const MsgId = calls.get(key)
      calls.delete(key)
      if (MsgId) answer(door.SN, MsgId, said.error === undefined ? ok : failed, said.error)
    } else return { payload, topic, heard: { values: [], fault: `unknown topic ${topic.slice(0, 100)}` } }
  }
  const write = ({ SN }: Door, MsgId: string, wanted: Parameters<typeof writeCall>[1]) => {
    const id = nextCall++
    const { topic, payload } = writeCall(id, wanted)
    calls.set(`${SN}/${id}`, MsgId)
    // The reply may never come; the caller times out after ten seconds.
    setTimeout(() => calls.delete(`${SN}/${id}`), 30_000).unref()
    const heard = [...sendsOf(SN)].filter((send) => send(topic, payload))
    if (!heard.length) answer(SN, MsgId, noAnswer)
  }
  return { follow, write }
}

type Admission = Pick<Foreign, 'mayWill' | 'mostBytes' | 'tooLarge' | 'maySubscribe' | 'subscribed'>
/** Permissions of a sender other than sending. */
const admission = (doorOf: (sn: string) => Door | undefined, edges: ReturnType<typeof openEdges>, intake: Intake): Admission => {
  /** Records a refusal before a message exists. */
  const refused = ({ Id }: Door, fault: string) =>
    intake.tallies.heard(Id, { payload: Buffer.alloc(0), topic: '', readings: 0, unmatched: 0, refused: 1, fault })
  return {
    mayWill: (sn, topic) => {
      const door = doorOf(sn)
      if (door?.Language !== sparkplug || edges.mayWill(door, topic)) return true
      refused(door, `its will is no death of ${door.SparkplugGroup}/${door.SparkplugNode}: ${topic.slice(0, 100)}`)
      return false
    },
    mostBytes: (sn) => (doorOf(sn)?.Language === sparkplug ? mostBirthBytes : maxMessageBytes),
    tooLarge: (sn, detail) => {
      const door = doorOf(sn)
      if (door) refused(door, detail)
    },
    maySubscribe: (sn, filter) => {
      const door = doorOf(sn)
      if (door?.Language === sparkplug) return edges.maySubscribe(door, filter)
      return door?.Language === thingsBoard ? maySubscribe(filter) : door?.Language === json && ownFilter.test(filter)
    },
    subscribed: (sn, filter, send) => {
      if (doorOf(sn)?.Language === sparkplug) edges.subscribed(filter, send)
    },
  }
}

export const openForeign = ({ doors, intake, pointsOf, gone, deviceIs, writeDialled, reply, now }: Needs) => {
  const connections = new Map<string, Set<Send>>()

  const answer = (sn: string, MsgId: string, Code: number, Msg = '') => reply(sn, { MsgId, Ts: now(), Code, Msg })
  const doorOf = (sn: string) => {
    const door = doors.ofSn(sn)
    return door?.Status === 1 ? door : undefined
  }

  const sendsOf = (sn: string): Iterable<Send> => connections.get(sn) ?? []
  const calls = openCalls({ pointsOf, deviceIs, answer, sendsOf })
  const edges = openEdges({ intake, pointsOf, gone, deviceIs, answer, now, sendsOf })
  const foreign: Foreign = {
    login: async (token) => {
      const door = await doors.find(token)
      return door && overMqtt.includes(door.Language) ? door.SN : undefined
    },
    isCurrent: (sn, proof) => doorOf(sn)?.Hash.startsWith(proof) ?? false,
    ...admission(doorOf, edges, intake),
    onMessage: async (sn, topic, payload, send) => {
      const door = doorOf(sn)
      if (!door) throw new Error('stopped')
      const device = door.DeviceLevel === null ? '' : (topic.split('/')[door.DeviceLevel - 1] ?? '')
      const hear = () => {
        if (door.Language === sparkplug) return edges.follow(door, topic, payload, send)
        return door.Language === thingsBoard ? calls.follow(door, topic, payload, send) : intake.hearByParser(door, payload, topic, device)
      }
      return (await intake.take(door, payload.length, hear)).readings
    },
    joined: (sn, send) => {
      const door = doorOf(sn)
      if (door) connections.set(sn, (connections.get(sn) ?? new Set()).add(send))
    },
    left: (sn, send) => {
      const door = doors.ofSn(sn)
      if (!door || door.Language === sparkplug) edges.left(door, send)
      const open = connections.get(sn)
      if (!open?.delete(send) || open.size) return
      connections.delete(sn)
      if (door) gone(door)
    },
  }

  /** A write, encoded by the sender's script. It is complete when sent: the protocol has no answer. */
  const encoded = async (door: Door, MsgId: string, write: Write): Promise<void> => {
    const device = write.Device ? (await pointsOf(door.GatewayId)).deviceOf(write.Device) : undefined
    const outcome = await intake.encode(door, device, write)
    if (!outcome?.encoded) return answer(door.SN, MsgId, outcome?.fault ? failed : notSupported, outcome?.fault && faultText(outcome.fault))
    const { topic, payload } = outcome.encoded
    const bytes = typeof payload === 'string' ? payload : Buffer.from(payload.hex, 'hex')
    const heard = [...sendsOf(door.SN)].filter((send) => send(topic, bytes))
    answer(door.SN, MsgId, heard.length ? ok : noAnswer)
  }

  const dialled = async (door: Door, MsgId: string, written: Written): Promise<void> => {
    const outcome = await writeDialled(door, written)
    if (typeof outcome === 'object') answer(door.SN, MsgId, failed, outcome.refused)
    else answer(door.SN, MsgId, { done: ok, noAnswer, unknown: notSupported }[outcome])
  }

  /** Sends a command to a sender, in its protocol if that supports it. */
  const command = async (sn: string, kind: string, { MsgId, Data }: Command): Promise<void> => {
    if (kind === 'ack') return
    const door = doorOf(sn)
    if (!door || kind !== 'write' || ![...overMqtt, described].includes(door.Language)) return answer(sn, MsgId, notSupported)
    const named = (await pointsOf(door.GatewayId)).nameOf(Data.ParaId ?? 0)
    if (!named || Data.Value === undefined) return answer(sn, MsgId, noAnswer)
    if (door.Language === described) return dialled(door, MsgId, { ...named, value: Data.Value })
    if (door.Language === sparkplug) return edges.write(door, MsgId, { ...named, value: Data.Value })
    if (door.Language === json) return encoded(door, MsgId, { Device: named.device, Key: named.key, Value: Data.Value })
    calls.write(door, MsgId, { ...named, value: Data.Value })
  }

  return {
    foreign,
    command,
    connections: (sn: string) => connections.get(sn)?.size ?? 0,
    owns: (sn: string) => doors.ofSn(sn) !== undefined,
    /** An entry point was deleted. */
    drop: edges.drop,
  }
}
export type ForeignSenders = ReturnType<typeof openForeign>
