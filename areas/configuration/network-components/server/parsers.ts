// Parses messages with the parser assigned to their sender: mappings here, scripts in the sandbox.
import { openMapping, parseText } from '../../../../contract/parsing/mapping.ts'
import type { Input, Outcome, ScriptFault, Write } from '../../../../contract/parsing/script.ts'
import type { Sandbox, Script } from '../../../../sandbox/sandbox.ts'
import type { Db } from '../../../../server/database/db.ts'
import { inputOf, nearestParse, scriptOf } from '../../data-parse/server/service.ts'
import type { Door } from './doors.ts'
import { type Heard, jsonFault } from './languages/heard.ts'

/** Events of a script, level 0 to 3, and its deactivation. */
export type Report = (door: Door, event: { isOff: boolean; level: 0 | 1 | 2 | 3; text: string }) => void
type Read =
  | { mapping: ReturnType<typeof openMapping> }
  | { script: Script; input: Input; name: string }
  /** No parser is assigned. */
  | undefined

/** The parsers of senders; cleared when any parser or assignment changes. */
const createParsers = (db: Db) => {
  const opened = new Map<string, Promise<Read>>()
  return {
    of: (door: Door, device: number | undefined): Promise<Read> => {
      const key = `${door.GatewayId}/${device ?? ''}`
      const found = opened.get(key)
      if (found) return found
      if (opened.size > 10_000) opened.clear()
      const of = { GatewayId: door.GatewayId, ProjectId: door.ProjectId, DeviceId: device ?? null }
      const loading = nearestParse(db, of).then((parse): Read => {
        if (parse?.Kind === 2) return { script: scriptOf(parse), input: inputOf(parse.Input), name: parse.ParseName }
        return parse?.Mapping ? { mapping: openMapping(parse.Mapping) } : undefined
      })
      opened.set(key, loading)
      loading.catch(() => opened.delete(key))
      return loading
    },
    forget: () => opened.clear(),
  }
}

export const faultText = ({ reason, text, line, column }: ScriptFault) =>
  `script: ${reason} ${text}${line === null ? '' : ` (${line}:${column ?? 1})`}`.trim()

/** Maximum stored script events of a sender per minute. */
const [mostEvents, minute] = [20, 60_000]
const createEventLimit = (now: () => number) => {
  const counts = new Map<number, { since: number; count: number }>()
  return ({ Id }: Door): boolean => {
    if (counts.size > 10_000) counts.clear()
    const held = counts.get(Id)
    const of = held && now() - held.since < minute ? held : { since: now(), count: 0 }
    counts.set(Id, of)
    return of.count++ < mostEvents
  }
}

/** `device`: the device named outside the payload, such as by the topic. */
export type Asked = { door: Door; payload: Buffer; topic: string; device: string; point: number | undefined; time: number; isReplay?: true }
export const openParsers = (db: Db, sandbox: Sandbox, report: Report, now: () => number) => {
  const parsers = createParsers(db)
  const mayReport = createEventLimit(now)

  const follow = (door: Door, name: string, script: Script, { events, fault }: Outcome) => {
    if (fault && fault.reason !== 'off' && sandbox.isOff(script))
      report(door, { isOff: true, level: 2, text: `${name} ${script.hash.slice(0, 12)}: ${faultText(fault)}`.slice(0, 500) })
    for (const { Text, Level } of events) if (mayReport(door)) report(door, { isOff: false, level: Level, text: Text })
  }
  const heardOf = ({ readings, wrong, fault }: Outcome, device: string): Heard => {
    if (fault) return { values: [], fault: faultText(fault) }
    const [first] = wrong
    const values = readings.map(({ quality: _, ...reading }) => ({ ...reading, device: reading.device || device }))
    return { values, ...(first && { fault: `${first.reason} ${first.text}`.trim() }) }
  }
  const byMapping = (mapping: ReturnType<typeof openMapping>, { payload, topic, device }: Asked): Heard => {
    const fault = jsonFault(payload)
    if (fault) return { values: [], fault }
    const { readings, faults } = parseText(mapping, payload.toString(), topic)
    const [first] = faults.filter(({ reason }) => reason !== 'nothing' || !readings.length)
    const values = readings.map((reading) => ({ ...reading, device: reading.device || device }))
    return { values, ...(first && { fault: `${first.reason} ${first.text}`.trim() }) }
  }
  /** Scripts do not run on this thread, so they are called outside the queue. */
  const byScript = async ({ script, input, name }: { script: Script; input: Input; name: string }, of: Asked): Promise<Heard> => {
    const { door, payload, topic, device, time, isReplay } = of
    const message = { input, topic, payload, meta: { time, gateway: door.SN, device } }
    // A replay of yesterday's errors must not deactivate the script or report them again.
    const outcome = await (isReplay ? sandbox.test(script, message) : sandbox.parse(script, message))
    // The sender retries.
    if (outcome.fault?.reason === 'busy') throw new Error('too many messages wait for scripts')
    if (!isReplay) follow(door, name, script, outcome)
    return heardOf(outcome, device)
  }
  return {
    /** The parsed message, or a function that parses it. */
    read: async (of: Asked): Promise<Heard | (() => Promise<Heard>)> => {
      const parser = await parsers.of(of.door, of.point)
      if (!parser) return { values: [], fault: 'no parser is assigned to this gateway or its project' }
      return 'mapping' in parser ? byMapping(parser.mapping, of) : () => byScript(parser, of)
    },
    /** A write, encoded by its script; undefined if the parser cannot write. */
    encode: async (door: Door, point: number | undefined, write: Write) => {
      const parser = await parsers.of(door, point)
      if (!parser || !('script' in parser)) return undefined
      const outcome = await sandbox.encode(parser.script, write)
      if (outcome.fault?.reason === 'noFunction') return undefined
      follow(door, parser.name, parser.script, outcome)
      return outcome
    },
    forget: parsers.forget,
  }
}
