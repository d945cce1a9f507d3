// QuickJS in WebAssembly: a module for each tenant, a runtime for each script. Runs in the worker thread alone.
import { readFileSync } from 'node:fs'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import type { Outcome, ScriptFault } from '../contract/parsing/script.ts'
import { cpuMs, firstPages, heapBytes, longestResult, mostPages, stackBytes } from './limits.ts'
import type { Job } from './messages.ts'
import { prelude } from './prelude.ts'
import { encodedOf, faulty, nothing, outcomeOf } from './result.ts'

const file = 'parse.js'
let compiled: WebAssembly.Module | undefined
/** Loads the engine from its package; later ones share the compiled code. */
export const openModule = (): Promise<QuickJSWASMModule> => {
  compiled ??= new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))))
  // The memory's own end is the limit: QuickJS counts allocations here, not bytes.
  const wasmMemory = new WebAssembly.Memory({ initial: firstPages, maximum: mostPages })
  return newQuickJSWASMModuleFromVariant(newVariant(variant as unknown as QuickJSSyncVariant, { wasmModule: compiled, wasmMemory }))
}

/** Milliseconds of the processor that this thread has used. */
export const cpu = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

type Fault = ScriptFault['reason']
const place = /parse\.js:(\d+)(?::(\d+))?/
const thrown = ({ name, message, stack }: { name: string; message: string; stack: string }): Outcome => {
  const [, line, column] = place.exec(stack) ?? []
  const reason: Fault =
    name === 'InternalError' && /out of memory|string too long/.test(message) ? 'memory' : name === 'SyntaxError' ? 'syntax' : 'thrown'
  return faulty(reason, `${name}: ${message}`.slice(0, 400), line ? Number(line) : null, column ? Number(column) : null)
}

/** One script, compiled. */
export type World = { run(job: Job): Outcome; close(): void }
/** `broken`: its module must be thrown away, or its runtime. */
export class Broken extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super('broken')
    this.outcome = outcome
  }
}

const handleText = (context: QuickJSContext, of: QuickJSHandle, name: string) => {
  const held = context.getProp(of, name)
  const text = context.typeof(held) === 'string' ? context.getString(held).slice(0, 2000) : ''
  held.dispose()
  return text
}

/** Gives each piece of work its deadline. Throws `Broken` when the script ran into it, or the runtime is beyond use. */
const timed = (runtime: QuickJSRuntime, context: QuickJSContext) => {
  let [end, isLate] = [0, false]
  runtime.setInterruptHandler(() => (isLate ||= cpu() > end))
  const late = () => new Broken(faulty('timeout', String(cpuMs)))
  const inTime = <T>(work: () => T): T => {
    ;[end, isLate] = [cpu() + cpuMs, false]
    try {
      const result = work()
      if (isLate) throw late()
      return result
    } catch (error) {
      if (error instanceof Broken) throw error
      // Of the host: WebAssembly's traps, its memory's end, the host's stack.
      throw isLate ? late() : new Broken(faulty('memory', String((error as Error).message).slice(0, 200)))
    }
  }
  /** What a call gave, or threw. The error may be an object of the script. */
  const errorOf = (error: QuickJSHandle): Outcome => {
    try {
      if (isLate) throw late()
      const textOf = (name: string) => handleText(context, error, name)
      return thrown({ name: textOf('name'), message: textOf('message'), stack: textOf('stack') })
    } finally {
      error.dispose()
    }
  }
  return { inTime, errorOf }
}

const answerOf = (job: Job, text: string): Outcome => {
  const at = text.indexOf('\n')
  const [said, lines] = at < 0 ? [text, []] : [text.slice(0, at), JSON.parse(text.slice(at + 1)) as string[]]
  const rest = said.slice(1)
  const outcome = (): Outcome => {
    if (said[0] === '!') return thrown(JSON.parse(rest))
    if (said[0] === '?') return faulty('notJson', rest)
    if (said[0] === '~') return faulty('promise')
    return (job.call.do === 'encode' ? encodedOf : outcomeOf)(JSON.parse(rest))
  }
  return { ...outcome(), lines }
}

/** Compiles a script; an outcome with a fault where it does not. */
export const openWorld = (module: QuickJSWASMModule, code: string): World | Outcome => {
  const runtime = module.newRuntime()
  runtime.setMemoryLimit(heapBytes)
  runtime.setMaxStackSize(stackBytes)
  const context = runtime.newContext()
  const { inTime, errorOf } = timed(runtime, context)
  const close = () => {
    for (const handle of [run, parse, encode]) if (handle?.alive) handle.dispose()
    context.dispose()
    runtime.dispose()
  }
  let [run, parse, encode]: (QuickJSHandle | undefined)[] = []
  const evaluated = (text: string, name: string, strict: boolean) => {
    return inTime(() => {
      const result = context.evalCode(text, name, { type: 'global', strict })
      return result.error ? { fault: errorOf(result.error) } : { handle: result.value }
    })
  }
  const own = evaluated(prelude, 'prelude', false)
  if (!own.handle) throw new Broken(own.fault)
  run = own.handle
  const script = evaluated(code, file, true)
  if (!script.handle) {
    close()
    return script.fault
  }
  script.handle.dispose()
  parse = evaluated('typeof parse === "function" ? parse : undefined', 'prelude', false).handle
  encode = evaluated('typeof encode === "function" ? encode : undefined', 'prelude', false).handle
  const isFunction = (handle: QuickJSHandle | undefined) => handle !== undefined && context.typeof(handle) === 'function'
  if (!isFunction(parse)) {
    close()
    return faulty('noFunction', 'parse')
  }

  /** Calls `run` of the prelude. The text of its answer is bounded before it is read. */
  const ask = (fn: QuickJSHandle, kind: string, head: object, payload: QuickJSHandle, isTest: boolean): string | Outcome => {
    const given = [fn, context.newString(kind), context.newString(JSON.stringify(head)), payload, isTest ? context.true : context.false]
    try {
      const result = context.callFunction(run!, context.undefined, ...given)
      if (result.error) return errorOf(result.error)
      const length = context.getProp(result.value, 'length')
      const isTooLong = context.getNumber(length) > longestResult
      const said = isTooLong ? faulty('tooLarge', String(longestResult)) : context.getString(result.value)
      for (const handle of [length, result.value]) handle.dispose()
      return said
    } finally {
      for (const handle of [given[1]!, given[2]!, payload]) if (handle.alive) handle.dispose()
    }
  }
  const called = (job: Job): string | Outcome => {
    const { call, isTest = false } = job
    if (call.do === 'compile') return nothing()
    if (call.do === 'encode')
      return isFunction(encode)
        ? ask(encode!, 'write', { write: call.write }, context.newString(''), isTest)
        : faulty('noFunction', 'encode')
    const { input, topic, meta, payload } = call
    const given =
      input === 'bytes' ? context.newArrayBuffer(Uint8Array.from(payload).buffer) : context.newString(Buffer.from(payload).toString())
    return ask(parse!, input, { topic, meta }, given, isTest)
  }
  return {
    run: (job) => {
      const answer = inTime(() => called(job))
      const outcome = typeof answer === 'string' ? answerOf(job, answer) : answer
      // Nobody runs what it put off: its world ends with it.
      if (runtime.hasPendingJob()) throw new Broken(faulty('promise'))
      // What has filled its heap starts afresh with the next message.
      if (outcome.fault?.reason === 'memory') throw new Broken(outcome)
      return outcome
    },
    close,
  }
}
