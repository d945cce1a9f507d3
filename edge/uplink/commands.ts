import type { Down, Up } from '../../contract/gateway-protocol.ts'
import type { DiskBuffer } from '../buffer/disk-buffer.ts'
import { rememberedCommands } from '../buffer/queue.ts'
import type { Clock } from '../clock.ts'
import { understand } from './understand.ts'

export type Outcome = { Code: number; Msg: string; Data?: Record<string, unknown> }
export type CommandKind = Exclude<keyof Down, 'ack'>
/** The handlers of messages from the server; undefined means no answer. */
export type Handlers = { [K in CommandKind]: (data: Down[K]['Data'], ts: number) => Promise<Outcome | undefined> }

/** Age limit of a command, in both directions: it may have been delayed (result code 7). */
const maxAgeMs = 5 * 60_000
const failed = 201
const rejectedConfig = 15
const rowInvalid = 10

type Options = {
  buffer: DiskBuffer
  clock: Clock
  handlers: Handlers
  onAck(msgId: string): void
  reply(reply: Up['reply']): void
  onMalformed(problem: string): void
}

/**
 * Executes each command at most once. Its MsgId is on disk before execution. A repeated command, also after a restart, is answered
 * with code 6 and the outcome of the first (PrevCode; 201 if the process stopped in between and the outcome is unknown).
 */
export const commands = async ({ buffer, clock, handlers, onAck, reply, onMalformed }: Options) => {
  const known = new Map((await buffer.commands()).map((c) => [c.MsgId, c.Reply ? (JSON.parse(c.Reply) as Outcome) : unknownOutcome]))
  const answer = (MsgId: string, { Code, Msg, Data }: Outcome) =>
    reply({ MsgId, Ts: clock.now(), Code, Msg: Msg.slice(0, 500), ...(Data ? { Data } : {}) })

  const carryOut = async <K extends CommandKind>(kind: K, message: Down[K]) => {
    const handle = handlers[kind] as Handlers[K]
    try {
      return await handle(message.Data as never, message.Ts)
    } catch (error) {
      return { Code: failed, Msg: (error as Error).message }
    }
  }

  const follow = async <K extends CommandKind>(kind: K, message: Down[K]) => {
    const { MsgId, Ts } = message
    const before = known.get(MsgId)
    if (before) return answer(MsgId, { Code: 6, Msg: 'this message came before', Data: { ...before.Data, PrevCode: before.Code } })
    if (kind !== 'timesync' && Math.abs(Ts - clock.now()) > maxAgeMs)
      return answer(MsgId, {
        Code: 7,
        Msg: `the message is of ${new Date(Ts).toISOString()}, here it is ${new Date(clock.now()).toISOString()}`,
      })
    if (kind === 'timesync' && (message as Down['timesync']).Data.Ts === undefined) return void (await carryOut(kind, message))
    // Read-only, and so frequent that its ids would displace those of commands that must not run twice.
    if (kind === 'channels') return answer(MsgId, (await carryOut(kind, message)) ?? { Code: 0, Msg: '' })
    known.set(MsgId, unknownOutcome)
    if (known.size > rememberedCommands) known.delete(known.keys().next().value!)
    await buffer.change({ do: 'remember', MsgId, Reply: null })
    const outcome = (await carryOut(kind, message)) ?? { Code: 0, Msg: '' }
    known.set(MsgId, outcome)
    await buffer.change({ do: 'remember', MsgId, Reply: JSON.stringify(outcome) })
    answer(MsgId, outcome)
  }

  return async (kind: string, payload: Buffer) => {
    const understood = understand(kind, payload)
    if ('problem' in understood) {
      const { MsgId, problem, Detail } = understood
      onMalformed(`${kind}: ${problem}`)
      if (!MsgId || kind === 'ack') return
      const Code = kind !== 'config' ? failed : Detail ? rowInvalid : rejectedConfig
      return answer(MsgId, { Code, Msg: problem, ...(Detail ? { Data: { Detail } } : {}) })
    }
    if (understood.kind === 'ack') return onAck((understood.message as Down['ack']).MsgId)
    await follow(understood.kind as CommandKind, understood.message as never)
  }
}

const unknownOutcome: Outcome = { Code: failed, Msg: 'the outcome is unknown' }
