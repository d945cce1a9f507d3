// Runs scripts of people in a worker thread of their own, in which nothing is to be found and everything ends in time.
import { createHash } from 'node:crypto'
import type { Input, Meta, Outcome, ScriptFault, Write } from '../contract/parsing/script.ts'
import { longestMessage, mostErrors, mostKills, offMs } from './limits.ts'
import type { Call } from './messages.ts'
import { createQueue } from './queue.ts'
import { faulty } from './result.ts'
import { openThread } from './thread.ts'

export const hashOfScript = (code: string) => createHash('sha256').update(code).digest('hex')

/** A script of a tenant. The same text has the same hash. */
export type Script = { tenant: number; hash: string; code: string }
export type Message = { input: Input; topic: string; payload: Uint8Array; meta: Meta }
type Needs = {
  now?(): number
  /** A script was switched off, after this fault. */
  off?(script: Script, fault: ScriptFault): void
}

/** Faults that are the message's, not the script's. */
const ofMessage = new Set<ScriptFault['reason']>(['notJson', 'busy', 'off'])

type Off = { count: number; until: number }
/** Switches scripts off that fail again and again, or end their thread; and tenants whose scripts do that. */
const createSwitch = ({ now = Date.now, off }: Needs) => {
  const errors = new Map<string, Off>()
  const kills = new Map<number, Off & { since: number }>()
  const key = ({ tenant, hash }: Pick<Script, 'tenant' | 'hash'>) => `${tenant}/${hash}`
  const isTenantOff = (tenant: number) => (kills.get(tenant)?.until ?? 0) > now()
  const isScriptOff = (script: Pick<Script, 'tenant' | 'hash'>) => (errors.get(key(script))?.until ?? 0) > now()
  const put = (script: Script, count: number, fault: ScriptFault) => {
    const isLast = count >= mostErrors
    if (errors.size > 10_000) errors.clear()
    errors.set(key(script), { count: isLast ? 0 : count, until: isLast ? now() + offMs : 0 })
    if (isLast) off?.(script, fault)
  }
  return {
    isTenantOff,
    isOff: (script: Pick<Script, 'tenant' | 'hash'>) => isTenantOff(script.tenant) || isScriptOff(script),
    count: (script: Script, fault: ScriptFault | undefined) => {
      // Calls that were under way when it was switched off change nothing.
      if ((fault && ofMessage.has(fault.reason)) || isScriptOff(script)) return
      if (!fault) return void errors.delete(key(script))
      put(script, (errors.get(key(script))?.count ?? 0) + 1, fault)
    },
    kill: (script: Script, isTest: boolean, fault: ScriptFault) => {
      if (!isTest) put(script, mostErrors, fault)
      const held = kills.get(script.tenant)
      const { count, since } = held && now() - held.since < offMs ? held : { count: 0, since: now() }
      if (kills.size > 10_000) kills.clear()
      kills.set(script.tenant, { count: count + 1, since, until: count + 1 >= mostKills ? now() + offMs : 0 })
    },
  }
}

export const openSandbox = (needs: Needs = {}) => {
  const queue = createQueue()
  const switches = createSwitch(needs)
  const thread = openThread(queue, {
    isOff: ({ tenant, script: hash, isTest }) => (isTest ? switches.isTenantOff(tenant) : switches.isOff({ tenant, hash })),
    killed: ({ tenant, script: hash, code = '', isTest = false }, { fault }) => {
      if (fault) switches.kill({ tenant, hash, code }, isTest, fault)
    },
  })
  let isClosed = false

  const ask = ({ tenant, hash, code }: Script, call: Call, isTest: boolean) =>
    new Promise<Outcome>((done) => {
      const bytes = 500 + ('payload' in call ? call.payload.length + 2 * call.topic.length : 0) + (isTest ? 2 * code.length : 0)
      if (switches.isTenantOff(tenant)) done(faulty('off'))
      else if (isClosed || !queue.add({ tenant, script: hash, code, call, bytes, done, ...(isTest && { isTest }) })) done(faulty('busy'))
      else thread.next()
    })
  const run = async (script: Script, call: Call): Promise<Outcome> => {
    if (switches.isOff(script)) return faulty('off')
    const outcome = await ask(script, call, false)
    switches.count(script, outcome.fault)
    return outcome
  }
  const asked = ({ input, topic, payload, meta }: Message): Call => ({ do: 'parse', input, topic, payload, meta })
  const tooLong = faulty('tooLarge', String(longestMessage))
  return {
    parse: async (script: Script, message: Message) => (message.payload.length > longestMessage ? tooLong : run(script, asked(message))),
    encode: (script: Script, write: Write) => run(script, { do: 'encode', write }),
    /** Once, in a world of its own: nothing is counted, and it says what it wrote. */
    test: (script: Script, of: Message | Write) => ask(script, 'input' in of ? asked(of) : { do: 'encode', write: of }, true),
    /** What is wrong with a script as a text. */
    compile: async (script: Script) => (await ask(script, { do: 'compile' }, true)).fault,
    isOff: switches.isOff,
    close: async () => {
      isClosed = true
      await thread.close()
    },
  }
}
export type Sandbox = ReturnType<typeof openSandbox>
